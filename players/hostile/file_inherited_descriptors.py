"""Find descriptors that somebody forgot to close, or use its own against their direction."""

import os
import stat


def attack():
    for descriptor in range(4096):
        try:
            status = os.fstat(descriptor)
        except OSError:
            continue
        if descriptor == 0 and stat.S_ISCHR(status.st_mode) and status.st_rdev == os.makedev(1, 3):
            continue  # /dev/null
        if descriptor > 4 or not stat.S_ISFIFO(status.st_mode):
            return f"descriptor {descriptor} is open: {status}"
    for descriptor in (1, 2, 4):
        os.set_blocking(descriptor, False)
        try:
            return f"read {os.read(descriptor, 10)!r} from descriptor {descriptor}"
        except OSError:
            os.set_blocking(descriptor, True)
    for descriptor in (0, 3):
        try:
            os.write(descriptor, b"x")
        except OSError:
            continue
        return f"wrote to descriptor {descriptor}"
