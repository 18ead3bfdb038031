"""Frames: what goes over the pipe between the referee and a worker, both ways, and nothing else.

A frame is a length, a sequence number and a kind, then that many bytes of msgpack. The number of an
answer is that of its question, and questions are numbered unpredictably, so an answer sent before its
question, or twice, or late, cannot fit.
"""

from __future__ import annotations

import enum
import struct
from types import GenericAlias
from typing import Any

import msgspec

HEADER = struct.Struct("<IIB")


class Kind(enum.IntEnum):
    """What a frame from a worker claims to be."""

    ANSWER = 0
    RAISED = 1  # the strategy raised; a `Raised` follows
    MISFIT = 2  # the answer is no plain data; a description of what it was follows
    LOCKED = 3  # every layer is on, no stranger's code has run yet
    READY = 4  # loaded; the names of the methods it defines follow
    FAULT = 5  # a layer could not be put on; only believed before LOCKED
    WAITING = 6  # a worker without a file yet


class Message(msgspec.Struct, frozen=True, gc=False):
    """One frame."""

    sequence: int
    kind: int
    payload: bytes


class BrokenFrame(Exception):
    """The bytes that arrived are no frame we asked for."""


class Raised(msgspec.Struct, frozen=True):
    """What a worker says of an exception. A claim: nothing but words comes of it."""

    type: str
    text: str
    frames: list[tuple[str, int, str, str]]
    memory: bool = False
    exited: bool = False


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame to a worker: the submission, and what to make of it."""

    entry: str = ""
    files: dict[str, bytes] = {}
    folder: str = ""  # where the files of a folder stand, for the worker; empty for a single file
    by_value: bytes = b""  # a pickled class or function; travels inward only
    parameters: dict[str, Any] = {}
    adapter: str = ""
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    seed: int = 0
    memory: int = 0
    threads: int = 0
    descriptors: int = 0
    scratch: int = 0


def frame(sequence: int, kind: int, payload: bytes) -> bytes:
    return HEADER.pack(len(payload), sequence, kind) + payload


class FrameReader:
    """Puts frames together from whatever pieces arrive; refuses a length beyond `limit` at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buffer = bytearray()  # grows in place: frames sent a byte at a time cost no more for it

    @property
    def left(self) -> int:
        """How many bytes have arrived that no frame given out holds."""
        return len(self._buffer)

    def feed(self, data: bytes = b"") -> Message | None:
        """Take in `data`; the next whole frame, if there is one."""
        buffer: bytes | bytearray = data
        if self._buffer:
            self._buffer += data
            buffer = self._buffer
        if len(buffer) >= HEADER.size:
            length, sequence, kind = HEADER.unpack_from(buffer)
            end = HEADER.size + length
            if length > self._limit:
                raise BrokenFrame(f"a frame of {length:,} bytes, where {self._limit:,} are allowed")
            if len(buffer) >= end:
                message = Message(sequence, kind, bytes(buffer[HEADER.size : end]))
                if len(buffer) > end:
                    self._buffer = bytearray(buffer[end:])
                elif self._buffer:
                    self._buffer.clear()
                return message
        if buffer is data:
            self._buffer += data
        return None


class Plain:
    """The reply type for any plain data: None, bools, numbers, text, lists, and dicts with text for keys.

    Not `Any`: a map with 100,000 integer keys that collide would keep the decoder busy for seconds, since
    integers hash to themselves. Text hashes are salted. And nested no deeper than eight.
    """


def _plain(depth: int) -> Any:
    scalar: Any = bool | int | float | str | None
    if not depth:
        return scalar
    inner = _plain(depth - 1)
    return scalar | GenericAlias(list, inner) | GenericAlias(dict, (str, inner))


PLAIN_TYPE = _plain(8)
