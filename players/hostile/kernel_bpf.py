"""Load a program into the kernel."""

import ctypes
import os
import struct

BPF = {"x86_64": 321, "aarch64": 280}[os.uname().machine]
MAP_CREATE, PROG_LOAD, SOCKET_FILTER, ARRAY = 0, 5, 1, 2


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    attributes = ctypes.create_string_buffer(struct.pack("<5I", ARRAY, 4, 8, 4, 0), 128)
    if libc.syscall(ctypes.c_long(BPF), MAP_CREATE, attributes, 128) >= 0:
        return "made a map in the kernel"
    code = ctypes.create_string_buffer(struct.pack("<BBhi", 0xB7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0))
    licence = ctypes.create_string_buffer(b"GPL")
    program = struct.pack("<IIQQ", SOCKET_FILTER, 2, ctypes.addressof(code), ctypes.addressof(licence))
    attributes = ctypes.create_string_buffer(program, 128)
    if libc.syscall(ctypes.c_long(BPF), PROG_LOAD, attributes, 128) >= 0:
        return "loaded a program into the kernel"
