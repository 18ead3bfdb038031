"""Writes programs into its scratch space, a script and a copy of the loader, and executes them."""

import glob
import os
import shutil


def runs(program):
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
    loaders = glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*")
    for folder in (os.environ["TMPDIR"], os.getcwd(), "/tmp", "/dev/shm", "/var/tmp"):
        script, copy = os.path.join(folder, "script"), os.path.join(folder, "loader")
        try:
            with open(script, "w") as file:
                file.write(f"#!{loaders[0]} --version\n")
            shutil.copyfile(loaders[0], copy)
        except OSError:
            continue
        for program in (script, copy):
            try:
                os.chmod(program, 0o755)
            except OSError:
                pass
            if runs(program):
                return f"ran {program}, which it wrote"
    return None


FIRST = os.getpid()
