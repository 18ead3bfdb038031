"""Read the kernel's log: addresses, devices, other programs' crashes."""

import ctypes

READ_ALL, SIZE_BUFFER = 3, 10


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    room = ctypes.create_string_buffer(4096)
    if libc.klogctl(READ_ALL, room, 4096) >= 0:
        return "read the kernel's log"
    if libc.klogctl(SIZE_BUFFER, None, 0) >= 0:
        return "asked for the size of the kernel's log"
