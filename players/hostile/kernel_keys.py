"""Keep something in the kernel's key rings, where it outlives the process. (It reads no key.)"""

import ctypes
import os

ADD_KEY, REQUEST_KEY, KEYCTL = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}[os.uname().machine]
THREAD_KEYRING, USER_KEYRING, GET_KEYRING_ID = -1, -4, 0


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for ring in (THREAD_KEYRING, USER_KEYRING):
        if libc.syscall(ctypes.c_long(ADD_KEY), b"user", b"hostile", b"x", ctypes.c_long(1), ring) >= 0:
            return f"put a key in ring {ring}"
    if libc.syscall(ctypes.c_long(KEYCTL), GET_KEYRING_ID, ctypes.c_long(THREAD_KEYRING), ctypes.c_long(1)) >= 0:
        return "made a key ring"
