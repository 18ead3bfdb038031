"""The memory of another process, read from outside it, through descriptors that are kept open."""

from __future__ import annotations

import os

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class MemoryMeter:
    """Reads /proc; where there is none it reads 0."""

    def __init__(self, pid: int) -> None:
        self._status = _open(f"/proc/{pid}/status")
        try:
            self._statm = _open(f"/proc/{pid}/statm")
        except OSError:
            os.close(self._status)
            raise

    def peak(self) -> int:
        """The most bytes it has held so far, shared ones included."""
        text = _read(self._status)
        # With the line break: the first line is the process's name, which is the stranger's to choose.
        at = text.find(b"\nVmHWM:")
        return int(text[at + 7 : text.index(b"kB", at)]) * 1024 if at >= 0 else 0

    def held(self) -> int:
        """The bytes it holds now that come from no file."""
        fields = _read(self._statm).split()
        return (int(fields[1]) - int(fields[2])) * _PAGE if len(fields) > 2 else 0

    def close(self) -> None:
        for descriptor in (self._status, self._statm):
            if descriptor >= 0:
                os.close(descriptor)


def _open(path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):  # no /proc, or not for us; out of descriptors is another matter
        return -1


def _read(descriptor: int) -> bytes:
    if descriptor < 0:
        return b""
    try:
        return os.pread(descriptor, 4096, 0)
    except OSError:  # it is gone
        return b""
