"""Make system calls by the 32-bit gate, which is open to every program and has numbers of its own."""

import ctypes
import errno
import mmap
import os

# push rbx; mov eax, edi; mov ebx, esi; mov ecx, edx; xor edx, edx; int 0x80; pop rbx; ret
GATE = bytes.fromhex("5389f889f389d131d2cd805bc3")
CALLS = {"getpid": (20, 0, 0), "socket": (359, 1, 1), "personality": (136, -1, 0), "umask": (60, 0o22, 0)}


def attack():
    if os.uname().machine != "x86_64":
        return None
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(GATE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)(address)
    for name, (number, first, second) in CALLS.items():
        result = call(number, first, second)
        if result != -errno.ENOSYS:
            return f"the 32-bit {name} answers {result}"
