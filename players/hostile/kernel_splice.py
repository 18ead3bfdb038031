"""Put pages of a library or of its own memory into a pipe without copying them."""

import ctypes
import os

VMSPLICE, SPLICE, TEE = {"x86_64": (278, 275, 276), "aarch64": (75, 76, 77)}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    ends = os.pipe()
    memory = ctypes.create_string_buffer(4096)
    span = (ctypes.c_size_t * 2)(ctypes.addressof(memory), 4096)
    try:
        if libc.syscall(ctypes.c_long(VMSPLICE), ends[1], span, ctypes.c_long(1), 8) > 0:
            return "gave its pages to a pipe"
        library = os.open(os.__file__, os.O_RDONLY)
        none = ctypes.c_void_p(None)
        if libc.syscall(ctypes.c_long(SPLICE), library, none, ends[1], none, ctypes.c_long(100), 0) > 0:
            return "spliced a library's page into a pipe"
    finally:
        for end in ends:
            os.close(end)
