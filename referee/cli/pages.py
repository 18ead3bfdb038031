"""Writes pages where a command was told to, and says in time where it cannot."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.again import asked_again, played_again
from referee.cli.endings import Mistake

if TYPE_CHECKING:
    from referee.record import Record

_BEGINNING = b"<!doctype html>"


def page_place(path: str) -> str:
    """A path that a page may be written to; what is there and is no page is not overwritten."""
    place = Path(path)
    folder = place.absolute().parent
    if place.is_dir() or not folder.is_dir():
        what = "is a folder" if place.is_dir() else "is in a folder that does not exist"
        raise Mistake(f"--html {path} {what}; name a file in a folder that is there.")
    if not os.access(place if place.exists() else folder, os.W_OK):
        raise Mistake(f"--html {path} may not be written; choose a folder that is yours.")
    if place.is_file() and os.access(place, os.R_OK):
        with open(place, "rb") as file:
            if file.read(len(_BEGINNING)).lower() not in (b"", _BEGINNING):
                raise Mistake(f"--html {path} is there already and is no page; choose another name.")
    return path


def replay_page(record: Record, source: str = "") -> str:
    """The page of a recorded game, with the commands that bring it back; `source` is where its record is."""
    from referee.recorder import KickLine
    from referee.viewer.replay import file_of, replay

    kicked = [line.player for line in record.lines if isinstance(line, KickLine)]
    return replay(
        record,
        again=played_again(record),
        reproduce=asked_again(source or file_of(record), record, kicked),
    )


def write_page(path: str, page: str) -> None:
    try:
        Path(path).write_text(page, encoding="utf-8")
    except OSError as error:
        raise Mistake(f"The page {path} cannot be written: {error.strerror}.") from None
