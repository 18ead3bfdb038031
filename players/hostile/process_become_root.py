"""Asks for another user, other groups and capabilities."""

import ctypes
import os
import platform

CAPSET = {"x86_64": 126, "aarch64": 91}[platform.machine()]
SETGROUPS = {"x86_64": 116, "aarch64": 159}[platform.machine()]


def attack():
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    before = os.getresuid(), os.getresgid(), os.getgroups()
    for call in (os.setuid, os.seteuid, os.setgid, os.setegid):
        for number in (0, 1, 65534):
            try:
                call(number)
            except OSError:
                pass
    for call in (os.setresuid, os.setresgid):
        try:
            call(0, 0, 0)
        except OSError:
            pass
    syscall(SETGROUPS, 1, (ctypes.c_uint * 1)(0))
    after = os.getresuid(), os.getresgid(), os.getgroups()
    if after != before:
        return f"was {before}, is {after}"
    header = (ctypes.c_uint * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, itself
    every = (ctypes.c_uint * 6)(*[0xFFFFFFFF] * 6)
    if syscall(CAPSET, header, every) == 0:
        return "gave itself capabilities"
    return None
