"""Read what the referee's environment held: os.environ, and the strings the kernel left on the first stack."""

import ctypes
import os

target = []  # the names of the referee's own variables


def memory(address, piece=4096, most=1 << 20):
    """What lies at and above an address, as far as it can be read; asking the kernel, which does not crash."""
    ends = os.pipe()
    libc, found = ctypes.CDLL(None, use_errno=True), b""
    address -= address % piece
    while len(found) < most and libc.write(ends[1], ctypes.c_void_p(address), ctypes.c_size_t(piece)) == piece:
        found += os.read(ends[0], piece)
        address += piece
    for end in ends:
        os.close(end)
    return found


def attack():
    names = {*target, "HOME", "PATH", "USER", "LOGNAME", "SHELL", "PWD", "HOSTNAME", "TERM", "VIRTUAL_ENV"}
    names = {name for name in names if len(name) > 2}  # "_=" stands in memory anyway
    if seen := names & set(os.environ):
        return f"os.environ has {seen}"
    libc = ctypes.CDLL(None)
    first = ctypes.c_void_p.in_dll(libc, "__libc_stack_end").value if hasattr(libc, "__libc_stack_end") else 0
    for start in (first, ctypes.c_void_p.in_dll(libc, "environ").value, ctypes.addressof(ctypes.c_int()) - 4096):
        for text in memory(start or 0).split(b"\0"):
            name, equals, _ = text.partition(b"=")
            if equals and name.decode("latin-1") in names:
                return f"found the referee's {name.decode()} in memory"
