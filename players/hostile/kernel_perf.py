"""Count what the processor does, of itself and of others: a clock finer than any, and a spy."""

import ctypes
import os
import struct

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
EXCLUDE_KERNEL_AND_HYPERVISOR = 0b1100000


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for kind, event in ((1, 0), (0, 0), (1, 3)):  # software: cpu clock; hardware: cycles; context switches
        attributes = struct.pack("<IIQQQQQ", kind, 112, event, 0, 0, 0, EXCLUDE_KERNEL_AND_HYPERVISOR).ljust(112, b"\0")
        for pid, cpu in ((0, -1), (-1, 0), (1, -1)):
            if libc.syscall(ctypes.c_long(PERF_EVENT_OPEN), attributes, pid, cpu, -1, ctypes.c_ulong(0)) >= 0:
                return f"counts event {kind}:{event} of process {pid}"
