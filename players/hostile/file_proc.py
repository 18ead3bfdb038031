"""Read /proc: its own memory map, other processes, the machine's settings."""

import os

PIDS = ("self", "thread-self", "1", str(os.getppid()), "2")
OF_A_PROCESS = ("maps", "environ", "cmdline", "status", "mountinfo", "fd", "root", "cwd", "ns/mnt", "mem", "stat")
OF_ALL = ("mounts", "cpuinfo", "meminfo", "version", "kallsyms", "kcore", "sysrq-trigger", "sys/kernel/hostname", "keys")


def attack():
    paths = [f"/proc/{pid}/{name}" for pid in PIDS for name in OF_A_PROCESS] + [f"/proc/{name}" for name in OF_ALL]
    for path in paths:
        for way in (os.listdir, lambda path: os.read(os.open(path, os.O_RDONLY), 40)):
            try:
                return f"{path}: {len(way(path))} bytes or entries"
            except OSError:
                continue
