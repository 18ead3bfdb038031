"""Change what is not a file's content: modes, owners, times, extended attributes, flags."""

import ctypes
import fcntl
import os

FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
LIBRARY = os.path.dirname(os.__file__)
target = []


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    for path in (*target, os.path.join(LIBRARY, "this.py"), LIBRARY, "/dev/null", "/", "/scratch"):
        try:
            now = os.stat(path)
        except OSError:
            continue
        ways = {  # all to what they are, which takes the same right as a change
            "mode": lambda: os.chmod(path, now.st_mode & 0o7777),
            "owner": lambda: os.chown(path, now.st_uid, now.st_gid),
            "times": lambda: os.utime(path, ns=(now.st_atime_ns, now.st_mtime_ns)),
            "attribute": lambda: os.setxattr(path, "user.hostile", b"1"),
        }
        for what, way in ways.items():
            try:
                way()
            except OSError:
                continue
            return f"may change the {what} of {path}"
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        try:
            if libc.fchmod(descriptor, now.st_mode & 0o7777) == 0 or libc.futimens(descriptor, None) == 0:
                return f"may change {path} by its descriptor"
            flags = fcntl.ioctl(descriptor, FS_IOC_GETFLAGS, bytes(8))
            fcntl.ioctl(descriptor, FS_IOC_SETFLAGS, flags)
            return f"may change the flags of {path}"
        except OSError:
            pass
        finally:
            os.close(descriptor)
