"""What a worker printed: the beginning kept, the rest counted and dropped."""

from __future__ import annotations

import os

from sandbox.verdicts import clean

_CHUNK = 64 * 1024  # a pipe's capacity
_TAIL = 16 * 1024


class OutputLog:
    """Drains one pipe that stdout and stderr share, so what is kept is in order."""

    def __init__(self, descriptor: int, keep: int) -> None:
        self._descriptor = descriptor
        self._keep = keep
        self._kept = bytearray()
        self.total = 0
        self.tail = b""  # the end of it, for what a dying process says last

    def drain(self) -> bytes:
        """Take in what the pipe holds now, at most one pipe's worth; returns it."""
        chunk = self.read()
        self.keep(chunk)
        return chunk

    def read(self) -> bytes:
        """The same without taking it in."""
        try:
            return os.read(self._descriptor, _CHUNK)
        except (BlockingIOError, InterruptedError):
            return b""

    def keep(self, chunk: bytes) -> None:
        self.total += len(chunk)
        self.tail = (self.tail + chunk)[-_TAIL:]
        room = self._keep - len(self._kept)
        if room > 0:
            self._kept += chunk[:room]

    @property
    def dropped(self) -> int:
        return self.total - len(self._kept)

    @property
    def kept(self) -> bytes:
        return bytes(self._kept)

    def text(self) -> str:
        """Safe to print; ends by saying how much was dropped, if any."""
        shown = clean(self._kept.decode("utf-8", "backslashreplace"), limit=self._keep, keep="\n\t")
        return f"{shown}\n[{self.dropped:,} bytes dropped]" if self.dropped else shown
