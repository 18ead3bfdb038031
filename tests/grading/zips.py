"""Zips as students, platforms and attackers make them."""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path


def zipped(path: Path, files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as made:
        for name, content in files.items():
            made.writestr(raw(name, method), content)
    return path


def raw(name: str, method: int = zipfile.ZIP_DEFLATED, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    """An entry with just this name: the constructor would make a harmless one of it."""
    info = zipfile.ZipInfo("x")
    info.filename = name
    info.compress_type = method
    info.create_system = 3  # Unix, where a mode means something
    info.external_attr = mode << 16
    return info


def patched(path: Path, offset: int, form: str, *values: int) -> Path:
    """Every entry of the table of contents changed at an offset, and nothing else."""
    content = bytearray(path.read_bytes())
    place = content.find(b"PK\x01\x02")
    while place >= 0:
        struct.pack_into(form, content, place + offset, *values)
        place = content.find(b"PK\x01\x02", place + 4)
    path.write_bytes(content)
    return path
