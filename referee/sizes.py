"""Amounts of memory as people write them."""

from __future__ import annotations

import re

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class SizeError(ValueError):
    """The user's mistake, in words."""


def parsed(text: str) -> int:
    """Bytes, of words such as 64M or 1.5G."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)(?:i?B)?", text.strip(), re.IGNORECASE | re.ASCII)
    if found is None:
        raise SizeError(f"{text!r} is no amount of memory; write for example 256M or 1G")
    return int(float(found[1]) * _UNITS[found[2].upper()])
