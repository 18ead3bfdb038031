"""Change what is mounted: bring files in, make them writable, take away what covers others."""

import ctypes
import os

RDONLY, REMOUNT, BIND, MOVE, REC, DETACH = 1, 32, 4096, 8192, 16384, 2
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}[os.uname().machine]
OPEN_TREE, MOVE_MOUNT, FSOPEN, MOUNT_SETATTR = 428, 429, 430, 442
AT_FDCWD, CLONE_TREE = -100, 1


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    here = os.getcwd().encode()
    library = os.path.dirname(os.__file__).encode()
    for source, place, kind, flags in (
        (b"none", here, b"tmpfs", 0),
        (b"none", here, b"proc", 0),
        (b"none", here, b"sysfs", 0),
        (b"/", here, None, BIND),
        (b"/", here, None, BIND | REC),
        (None, b"/", None, REMOUNT | BIND),
        (None, library, None, REMOUNT | BIND),
        (None, here, None, REMOUNT),
        (library, here, None, MOVE),
    ):
        if libc.mount(source, place, kind, ctypes.c_ulong(flags), None) == 0:
            return f"mounted {source} on {place}"
    for place in (library + b"/site-packages", here, b"/dev/null", library, b"/"):
        if libc.umount2(place, DETACH) == 0:
            return f"unmounted {place}"
    if libc.syscall(ctypes.c_long(PIVOT_ROOT), b".", b".") == 0:
        return "has another root"
    if libc.syscall(ctypes.c_long(FSOPEN), b"tmpfs", 0) >= 0:
        return "opened a file system"
    if libc.syscall(ctypes.c_long(OPEN_TREE), AT_FDCWD, b"/", CLONE_TREE) >= 0:
        return "copied the mounts"
    attributes = (0).to_bytes(8, "little") + RDONLY.to_bytes(8, "little") + bytes(16)
    if libc.syscall(ctypes.c_long(MOUNT_SETATTR), AT_FDCWD, library, 0, attributes, ctypes.c_long(32)) == 0:
        return "made the library writable"
