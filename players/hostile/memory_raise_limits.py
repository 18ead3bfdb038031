"""Raises its own limits."""

import ctypes
import platform
import resource

NAMES = [name for name in dir(resource) if name.startswith("RLIMIT_")]
SETRLIMIT = {"x86_64": 160, "aarch64": 164}[platform.machine()]


def attack():
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    for name in NAMES:
        which = getattr(resource, name)
        soft, hard = before = resource.getrlimit(which)
        if hard == resource.RLIM_INFINITY:
            continue
        for wanted in ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), (hard + 1, hard + 1)):
            try:
                resource.setrlimit(which, wanted)
            except (OSError, ValueError):
                pass
            try:
                resource.prlimit(0, which, wanted)
            except (OSError, ValueError):
                pass
        syscall(SETRLIMIT, which, (ctypes.c_ulong * 2)(2**64 - 1, 2**64 - 1))
        after = resource.getrlimit(which)
        if after[1] != hard:
            return f"raised {name} from {before} to {after}"
    return None
