"""Open devices: disks, memory, the kernel's log, terminals, shared zero pages."""

import os

DEVICES = (
    *("mem", "kmem", "port", "kmsg", "tty", "console", "ptmx", "pts/0", "tty0", "ttyS0", "zero", "full", "fuse", "kvm"),
    *("vda", "sda", "nvme0n1", "loop0", "loop-control", "net/tun", "vsock", "userfaultfd", "random", "urandom", "shm"),
)


def attack():
    for name in DEVICES:
        for flags in (os.O_RDWR, os.O_RDONLY, os.O_WRONLY):
            try:
                os.open(f"/dev/{name}", flags | os.O_NONBLOCK | os.O_NOCTTY)
            except OSError:
                continue
            return f"opened /dev/{name}"
