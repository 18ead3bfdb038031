"""Take back capabilities, or another user's identity."""

import ctypes
import os
import struct

CAPSET = {"x86_64": 126, "aarch64": 91}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for mask in (0xFFFFFFFF, 1 << 21, 1 << 7, 1 << 1):  # all; SYS_ADMIN; SETUID; DAC_OVERRIDE
        header, sets = struct.pack("<Ii", 0x20080522, 0), struct.pack("<6I", mask, mask, mask, 0, 0, 0)
        if libc.syscall(ctypes.c_long(CAPSET), header, sets) == 0:
            return f"has the capabilities {mask:#x}"
    for number in (0, 65534, os.getuid() + 1):
        for change in (os.setuid, os.setgid, lambda number: os.setgroups([number])):
            try:
                change(number)
            except OSError:
                continue
            return f"is {number} now"
