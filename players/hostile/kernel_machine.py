"""Do what only an administrator may: each call with arguments that would do nothing even if it were let."""

import ctypes
import errno
import os

# On all of these the kernel asks for the power first, and looks at the arguments after.
CALLS = {
    "x86_64": {
        **{"reboot": 169, "swapon": 167, "swapoff": 168, "init_module": 175, "delete_module": 176, "acct": 163},
        **{"settimeofday": 164, "sethostname": 170, "setdomainname": 171, "kexec_load": 246, "vhangup": 153, "iopl": 172},
    },
    "aarch64": {
        **{"reboot": 142, "swapon": 224, "swapoff": 225, "init_module": 105, "delete_module": 106, "acct": 89},
        **{"settimeofday": 170, "sethostname": 161, "setdomainname": 162, "kexec_load": 104, "vhangup": 58},
    },
}[os.uname().machine]


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for name, number in CALLS.items():
        arguments = (3, 0, 0) if name == "iopl" else (0, -1, 0)
        if name in ("swapon", "swapoff", "init_module", "delete_module", "settimeofday"):
            arguments = (0, 0, 0)
        result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
        if result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            return f"{name} answers {result}, {os.strerror(ctypes.get_errno())}"
