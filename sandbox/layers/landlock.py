"""Files by Landlock: read the interpreter and the allowed packages, write scratch, nothing else.

It also keeps signals and abstract sockets within the worker, and refuses TCP, where the kernel knows how.
It does not govern chmod, chown, utime, stat, chdir or locks: seccomp refuses those it can.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable

from sandbox import syscalls

# linux/landlock.h: LANDLOCK_ACCESS_FS_*
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_REMOVE_DIR = 1 << 4
_REMOVE_FILE = 1 << 5
_MAKE_DIR = 1 << 7
_MAKE_REG = 1 << 8
_TRUNCATE = 1 << 14
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many access rights each ABI knows
_NET = 0b11  # BIND_TCP, CONNECT_TCP: ABI 4
_SCOPED = 0b11  # ABSTRACT_UNIX_SOCKET, SIGNAL: ABI 6

_READ = _READ_FILE | _READ_DIR
_SCRATCH = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _TRUNCATE
_FILE_RIGHTS = _READ_FILE | _WRITE_FILE | _TRUNCATE  # the only ones that may be given for a file


def make_ruleset(readable: Iterable[str], writable: Iterable[str]) -> int:
    """A descriptor of the rules, made once and put on by every worker."""
    abi = syscalls.landlock_abi()
    known = (1 << _FS_BITS.get(abi, max(_FS_BITS.values()))) - 1
    attributes = [known]
    if abi >= 4:
        attributes.append(_NET)
    if abi >= 6:
        attributes.append(_SCOPED)
    ruleset = syscalls.landlock_ruleset(struct.pack(f"<{len(attributes)}Q", *attributes))
    for paths, access in ((readable, _READ), (writable, _SCRATCH)):
        for path in paths:
            _allow(ruleset, path, access & known)
    return ruleset


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            access &= _FILE_RIGHTS
        syscalls.landlock_allow(ruleset, descriptor, access)
    finally:
        os.close(descriptor)


def enter(ruleset: int) -> None:
    syscalls.landlock_restrict(ruleset)
