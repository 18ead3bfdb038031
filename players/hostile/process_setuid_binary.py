"""Looks for programs that run as their owner, and runs them."""

import os
import stat

PLACES = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/local/bin", "/usr/lib/openssh")
USUAL = ("/bin/su", "/usr/bin/sudo", "/usr/bin/passwd", "/bin/mount", "/usr/bin/chsh", "/usr/bin/newgrp")


def candidates():
    yield from USUAL
    for place in PLACES:
        try:
            names = os.listdir(place)
        except OSError:
            continue
        for name in names:
            path = os.path.join(place, name)
            try:
                mode = os.lstat(path).st_mode
            except OSError:
                continue
            if stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
                yield path


def attack():
    for program in candidates():
        try:
            child = os.fork()
        except OSError:
            child = 0
        if child == 0:
            try:
                os.execve(program, [program, "--version"], {})
            except OSError:
                if os.getpid() != FIRST:
                    os._exit(111)
        elif os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 111:
            return f"ran {program}"
    return None


FIRST = os.getpid()
