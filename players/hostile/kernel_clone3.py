"""Call clone3, whose arguments a filter cannot see: libraries must be told that there is no such call."""

import ctypes
import errno
import os
import signal


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for flags in (0, 0x10000000, 0x50F00):
        arguments = ctypes.create_string_buffer(flags.to_bytes(8, "little") + bytes(24) + bytes((signal.SIGCHLD,)), 88)
        child = libc.syscall(ctypes.c_long(435), arguments, ctypes.c_long(88 if flags != 0x50F00 else 1))
        if child == 0:
            os._exit(0)
        if child > 0:
            os.waitpid(child, 0)
            return "made a process with clone3"
        if ctypes.get_errno() != errno.ENOSYS:
            return f"clone3 answers {os.strerror(ctypes.get_errno())}"
