"""Make device nodes in scratch: memory, a disk, a terminal; also the one kind an ordinary user may make."""

import os
import stat

NODES = {
    "memory": (stat.S_IFCHR, 1, 1),
    "zeroes": (stat.S_IFCHR, 1, 5),
    "a terminal": (stat.S_IFCHR, 5, 0),
    "a disk": (stat.S_IFBLK, 254, 0),
    "a whiteout": (stat.S_IFCHR, 0, 0),  # of overlay file systems: needs no capability
}


def attack():
    for what, (kind, major, minor) in NODES.items():
        try:
            os.mknod(f"node{major}-{minor}", kind | 0o666, os.makedev(major, minor))
        except OSError:
            continue
        return f"made the device of {what}"
