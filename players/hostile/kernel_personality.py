"""Turn off the randomisation of addresses, or make all memory executable."""

import ctypes

READ_IMPLIES_EXEC, ADDR_NO_RANDOMIZE, UNAME26, QUERY = 0x400000, 0x40000, 0x20000, 0xFFFFFFFF


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for kind in (READ_IMPLIES_EXEC, ADDR_NO_RANDOMIZE, UNAME26, QUERY):
        if libc.personality(ctypes.c_ulong(kind)) >= 0:
            return f"has personality {kind:#x}"
