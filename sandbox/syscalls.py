"""Every system call that Python's standard library lacks, in one place to audit.

Python 3.11 has no unshare or setns (3.12 does), and no version has mount, pivot_root, capset, Landlock
or seccomp. Libraries exist for single ones (python-prctl, pyseccomp, landlock), but each either needs a
system library that pip cannot bring or is younger and less used than the kernel's own stable numbers below.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

# linux/sched.h
CLONE_VM = 0x00000100
CLONE_FILES = 0x00000400
CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

# sys/mount.h, linux/mount.h
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_RDONLY = 1
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
MOUNT_ATTR_RDONLY = 0x1
MOUNT_ATTR_NOSUID = 0x2
MOUNT_ATTR_NODEV = 0x4

# linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

_CAPABILITY_VERSION_3 = 0x20080522  # linux/capability.h
_SECCOMP_SET_MODE_FILTER = 1  # linux/seccomp.h
_LANDLOCK_CREATE_RULESET_VERSION = 1  # linux/landlock.h
_LANDLOCK_RULE_PATH_BENEATH = 1
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000

# The same on both machines from number 424 on; the older ones differ (asm/unistd.h).
_MOUNT_SETATTR = 442
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_ADD_RULE = 445
_LANDLOCK_RESTRICT_SELF = 446
_OLDER = {
    "x86_64": {"pivot_root": 155, "seccomp": 317, "capset": 126},
    "aarch64": {"pivot_root": 41, "seccomp": 277, "capset": 91},
}


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _call(name: str, number: int, *arguments: object) -> int:
    # syscall(2) is variadic: a bare Python int would be passed as a 32-bit C int.
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), name)


def _older(name: str) -> int:
    try:
        return _OLDER[platform.machine()][name]
    except KeyError:
        raise OSError(f"{name}: its number on {platform.machine()} is not known here") from None


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def setns(descriptor: int, flags: int) -> None:
    _checked(_libc.setns(descriptor, flags), "setns")


def idle_stack() -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(4096)


def idle_process(stack: ctypes.Array[ctypes.c_char]) -> int:
    """A child that waits for ever and never runs a line of Python: libc's pause(), on a stack of its own.

    It shares our memory and our descriptors, so it costs no copy of either; and since it makes no further
    step, it cannot disturb them. `stack` must live as long as the child does.
    """
    top = (ctypes.addressof(stack) + len(stack)) & ~15  # both machines want it aligned
    entry = ctypes.cast(_libc.pause, ctypes.c_void_p)
    flags = CLONE_VM | CLONE_FILES | signal.SIGCHLD
    return _checked(_libc.clone(entry, ctypes.c_void_p(top), flags, None), "clone")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    encoded = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    result = _libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3])
    _checked(result, f"mount {kind or 'bind'} on {target}")


def unmount(target: str) -> None:
    _checked(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    _call("pivot_root", _older("pivot_root"), os.fsencode(new), os.fsencode(old))


def make_read_only(target: str, attributes: int) -> None:
    """Set mount attributes on everything mounted at and below `target` (Linux 5.12)."""
    attr = struct.pack("<QQQQ", attributes, 0, 0, 0)  # struct mount_attr: attr_set, attr_clr, propagation, userns_fd
    path = os.fsencode(target)
    _call("mount_setattr", _MOUNT_SETATTR, _AT_FDCWD, path, _AT_RECURSIVE, attr, len(attr))


def prctl(option: int, *arguments: int) -> None:
    wide = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    _checked(_libc.prctl(option, *wide), f"prctl {option}")


def set_capabilities(mask: int) -> None:
    """Make `mask` the effective and permitted capabilities of this thread, and nothing inheritable."""
    low, high = mask & 0xFFFFFFFF, mask >> 32
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    data = struct.pack("<IIIIII", low, low, 0, high, high, 0)
    _call("capset", _older("capset"), header, data)


def drop_bounding_capability(capability: int) -> bool:
    """False when the kernel knows no capability of that number or we may not drop it."""
    return bool(_libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) == 0)


def setfsuid(uid: int, gid: int) -> None:
    _libc.setfsgid(gid)
    _libc.setfsuid(uid)
    if _libc.setfsuid(-1) != uid:  # it reports no error; asking again tells what is in force
        raise PermissionError(f"setfsuid: the kernel did not take uid {uid} for file access")


def landlock_abi() -> int:
    """Which Landlock this kernel has; raises OSError when it has none."""
    return _call("landlock", _LANDLOCK_CREATE_RULESET, 0, 0, _LANDLOCK_CREATE_RULESET_VERSION)


def landlock_ruleset(attributes: bytes) -> int:
    return _call("landlock_create_ruleset", _LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)


def landlock_allow(ruleset: int, directory: int, access: int) -> None:
    rule = struct.pack("<Qi", access, directory)  # struct landlock_path_beneath_attr, packed
    _call("landlock_add_rule", _LANDLOCK_ADD_RULE, ruleset, _LANDLOCK_RULE_PATH_BENEATH, rule, 0)


def landlock_restrict(ruleset: int) -> None:
    _call("landlock_restrict_self", _LANDLOCK_RESTRICT_SELF, ruleset, 0)


def seccomp_filter(code: bytes) -> None:
    program = ctypes.create_string_buffer(code, len(code))
    count = len(code) // 8  # struct sock_filter is eight bytes
    fprog = struct.pack("<HxxxxxxQ", count, ctypes.addressof(program))  # struct sock_fprog
    _call("seccomp", _older("seccomp"), _SECCOMP_SET_MODE_FILTER, 0, fprog)
