"""Make namespaces other than the user's: a network, a mount table, a clock."""

import ctypes

KINDS = {
    "mount": 0x20000,
    "cgroup": 0x2000000,
    "uts": 0x4000000,
    "ipc": 0x8000000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "time": 0x80,
}


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for name, flag in KINDS.items():
        if libc.unshare(flag) == 0:
            return f"made a {name} namespace"
