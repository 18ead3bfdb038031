"""Runs other programs: subprocess, os.system, os.popen, posix_spawn, the interpreter itself."""

import os
import subprocess
import sys


def by_subprocess(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=1).returncode == 0


def by_spawn(command):
    pid = os.posix_spawn(command[0], command, {})
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def by_system(command):
    return os.system(" ".join(command)) == 0


def by_popen(command):
    return os.popen(" ".join(command)).read() != ""


def attack():
    for command in (["/bin/echo", "hello"], ["/usr/bin/id"], [os.path.realpath(sys.executable), "-V"]):
        for way in (by_subprocess, by_spawn, by_system, by_popen):
            try:
                if way(command):
                    return f"ran {command[0]} {way.__name__}"
            except (OSError, subprocess.SubprocessError):
                pass
    return None
