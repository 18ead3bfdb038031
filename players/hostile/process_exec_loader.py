"""Executes what lies about in the library's folders: the dynamic loader runs as a program of its own."""

import glob
import os


def runs(program):
    """Executes it in a child, or, where there can be none, in its own place."""
    try:
        child = os.fork()
    except OSError:
        child = 0
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    try:
        os.execve(program, [program, "--version"], {})
    except OSError:
        if os.getpid() != FIRST:
            os._exit(1)
    return False


def attack():
    for pattern in ("/lib64/ld-linux*", "/lib/ld-linux*", "/lib/*/ld-linux*", "/usr/lib/*/ld-linux*", "/lib/*/libc.so.6"):
        for program in glob.glob(pattern):
            if runs(program):
                return f"ran {program}"
    return None


FIRST = os.getpid()
