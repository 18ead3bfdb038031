"""Moments as people write them and as they are shown to them."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from sandbox import clean


class TimeError(ValueError):
    """The user's mistake, in a sentence."""


def moment(text: str, zone: tzinfo) -> datetime:
    """A time as people write it; without an offset, it is the course's."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise TimeError(f"{clean(text, 60)!r} is no time; write for example 2026-12-01T23:59:00Z.") from None
    return zoned(found, zone)


def zoned(time: datetime, zone: tzinfo) -> datetime:
    return time if time.tzinfo is not None else time.replace(tzinfo=zone)


def shown(time: datetime, zone: tzinfo) -> str:
    return time.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S %Z")


def length(span: timedelta) -> str:
    """Two units at most: 2 d 3 h, 5 min 10 s."""
    seconds = round(span.total_seconds())
    parts = [(seconds // 86400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s")]
    first = next((number for number, (count, _) in enumerate(parts) if count), 3)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count or first == 3)
