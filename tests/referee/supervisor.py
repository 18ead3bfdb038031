"""Runs a command, sends it signals at a given moment, and tells how it ended and which processes it left behind.

    python -m tests.referee.supervisor '{"command": [...], "signals": [2], "file": "game.jsonl", "lines": 5}'

The moment is when `file` has so many lines, or when `children` processes are there, or after `seconds`. Whatever
the command started and left becomes a child of this process, wherever it went, and is counted.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from tests.family import descendants

PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 60.0


def main(order: dict[str, Any]) -> dict[str, Any]:
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the command should have its own way with it
    process = subprocess.Popen(order["command"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun = time.monotonic()
    while process.poll() is None and not _is_moment(order, process.pid, time.monotonic() - begun):
        if time.monotonic() - begun > PATIENCE:
            process.kill()
        time.sleep(0.002)
    running = len(descendants(os.getpid()))
    for number in order["signals"]:
        process.send_signal(number)
        time.sleep(0.005)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    return {
        "code": process.returncode,
        "stdout": stdout,
        "stderr": stderr,
        "running": running,  # just before the signal
        "left": _left(),
    }


def _is_moment(order: dict[str, Any], pid: int, seconds: float) -> bool:
    if "lines" in order:
        file = Path(order["file"])
        return file.exists() and file.read_bytes().count(b"\n") >= order["lines"]
    if "children" in order:
        return len(descendants(pid)) >= int(order["children"])
    return seconds >= float(order["seconds"])


def _left() -> list[str]:
    """What is still there after a while in which it could have gone."""
    until = time.monotonic() + 10.0
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return []
        if time.monotonic() > until:
            return [str(psutil.Process(child)) for child in descendants(os.getpid())]
        time.sleep(0.01)


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
