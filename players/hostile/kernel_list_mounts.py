"""Ask for the mounts one by one: their sources name the machine's disks and folders."""

import ctypes
import struct

STATMOUNT, LISTMOUNT, ROOT = 457, 458, 0xFFFFFFFFFFFFFFFF


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    request = struct.pack("<IIQQ", 24, 0, ROOT, 0)
    found = (ctypes.c_uint64 * 64)()
    count = libc.syscall(ctypes.c_long(LISTMOUNT), request, found, ctypes.c_long(64), ctypes.c_long(0))
    if count > 0:
        return f"{count} mounts are listed"
