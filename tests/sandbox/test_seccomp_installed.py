"""The seccomp program in the kernel's own hands: what a process meets once it is installed."""

from __future__ import annotations

import errno
import importlib.util
import json
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.layers.seccomp import MACHINES

INSTALL = """
import ctypes, errno, json, mmap, os, platform, struct, sys
from sandbox.layers import seccomp
libc = ctypes.CDLL(None, use_errno=True)
code = seccomp.assemble(platform.machine()).for_pid(os.getpid())
lines = ctypes.create_string_buffer(code, len(code))
fprog = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(lines))  # struct sock_fprog
SYS_seccomp = {"x86_64": 317, "aarch64": 277}[platform.machine()]
def confine():
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert libc.syscall(SYS_seccomp, 1, 0, fprog) == 0, ctypes.get_errno()  # SECCOMP_SET_MODE_FILTER
def result(function, *arguments):
    try:
        value = function(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "ok"
def libc_call(function, *arguments):
    if function(*arguments) == -1:
        raise OSError(ctypes.get_errno(), "refused")
def call(number, *arguments):
    ctypes.set_errno(0)
    libc.syscall(number, *map(ctypes.c_long, arguments))
    return errno.errorcode.get(ctypes.get_errno(), "ok")
"""

needs_seccomp = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() not in MACHINES,
    reason="the seccomp layer is for Linux on x86_64 and aarch64",
)


def confined(script: str) -> subprocess.CompletedProcess[str]:
    root = str(Path(__file__).parents[2])
    environment = {"PYTHONPATH": root, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", INSTALL + script]
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, timeout=60)


@needs_seccomp
def test_the_kernel_answers_as_the_emulator_does(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    done = confined(f"""
import fcntl, resource, signal, socket, threading, time
victim = {str(victim)!r}
read_only = os.open(victim, os.O_RDONLY)
confine()
seen = {{}}
seen["socket"] = result(socket.socket)
seen["fork"] = result(os.fork)
seen["exec"] = result(os.execv, "/bin/true", ["true"])
seen["clone3"] = call(435, 0, 0)
seen["openat2"] = call(437, 0, 0, 0, 0)
seen["newer than the table"] = call(470, -1, 0, 0, 0)
seen["x32"] = call(0x40000000 | 39)
seen["shared anonymous"] = result(mmap.mmap, -1, 4096)
seen["private anonymous"] = result(lambda: mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
seen["grows down"] = result(lambda: mmap.mmap(-1, 4096, flags=0x122))
seen["kill itself softly"] = result(os.kill, os.getpid(), 0)
seen["kill init"] = result(os.kill, 1, 0)
seen["kill the group"] = result(os.kill, 0, 0)
seen["kill everybody"] = result(os.kill, -1, 0)
seen["raise"] = result(signal.raise_signal, signal.SIGCHLD)
seen["thaw itself"] = result(os.kill, os.getpid(), signal.SIGCONT)
seen["read limits"] = result(resource.getrlimit, resource.RLIMIT_NOFILE)
seen["set limits"] = result(libc_call, libc.setrlimit, resource.RLIMIT_CORE, bytes(16))
seen["own clock"] = result(time.process_time)
seen["init's clock"] = result(time.clock_gettime, ~1 << 3 | 2)
seen["read and truncate"] = result(os.open, victim, os.O_RDONLY | os.O_TRUNC)
seen["mode 3"] = result(os.open, victim, 3 | os.O_TRUNC)
seen["fsync"] = result(os.fsync, read_only)
seen["pipe"] = result(os.pipe)
seen["isatty"] = result(os.isatty, 0)
seen["lock"] = result(fcntl.flock, read_only, fcntl.LOCK_SH)
seen["chmod"] = result(os.chmod, victim, 0)
thread = threading.Thread(target=lambda: seen.update(thread="ok"))
thread.start()
thread.join()
print(json.dumps(seen))
""")
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    by_answer = {answer: {name for name in seen if seen[name] == answer} for answer in seen.values()}
    assert by_answer == {
        "ok": {"private anonymous", "kill itself softly", "raise", "read limits", "own clock"}
        | {"fsync", "pipe", "isatty", "thread"},
        "EPERM": {"socket", "fork", "exec", "kill init", "kill the group", "kill everybody", "set limits"}
        | {"thaw itself"}
        | {"init's clock", "read and truncate", "mode 3", "chmod", "lock"},
        "ENOSYS": {"clone3", "openat2", "newer than the table", "x32"},
        "ENOMEM": {"shared anonymous", "grows down"},
    }
    assert victim.read_text() == "untouched"


@needs_seccomp
@pytest.mark.parametrize("package", ["json, decimal, random, sqlite3, ctypes, asyncio, socket", "numpy"])
def test_modules_load_and_work_behind_the_filter(package: str) -> None:
    if package == "numpy" and importlib.util.find_spec("numpy") is None:
        pytest.skip("NumPy is not installed")
    works = "assert numpy.linalg.inv(numpy.eye(99) * 2)[0, 0] == 0.5 and numpy.ones(10**7).sum() == 10**7"
    done = confined(f"confine()\nimport {package}\n{works if package == 'numpy' else ''}\nprint('done')")
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr


@needs_seccomp
def test_abort_and_a_signal_to_itself_end_the_process_by_that_signal() -> None:
    assert confined("confine()\nos.abort()").returncode == -signal.SIGABRT
    assert confined("confine()\nos.kill(os.getpid(), 9)").returncode == -signal.SIGKILL


@needs_seccomp
@pytest.mark.skipif(platform.machine() != "x86_64", reason="int 0x80 is x86's way to 32-bit system calls")
def test_the_32_bit_system_calls_of_x86_are_absent() -> None:
    script = """
getpid_32 = bytes.fromhex("b814000000 cd80 c3")  # mov eax, 20; int 0x80; ret
page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
page.write(getpid_32)
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
before = function() == os.getpid()
confine()
print(before, -function())
"""
    done = confined(script)
    if done.returncode == -signal.SIGSEGV:
        pytest.skip("this kernel has no 32-bit system calls at all")
    assert done.stdout.split() == ["True", str(errno.ENOSYS)], done.stderr
