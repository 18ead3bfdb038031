"""The course.toml that a new course starts from: whole as it is, with a comment for everything that can be set."""

from __future__ import annotations

import msgspec

from referee.entrants import parameters, references
from referee.games.game import Game

_HEAD = '''# A course of {game}. Mistakes in this file are told with their line; `referee submissions` reads it, too.
title = {title}
game = "{game}"
seed = 0             # same submissions, same rubric, same seed: same grades
allow = []           # packages beyond the standard library, for example ["numpy"]
timezone = "UTC"     # of times that are written without an offset; for example "Europe/Berlin"

[config]             # the game's settings, as `referee games` lists them
{settings}

[limits]             # what every submission is given, as in `referee play`
time = 5             # CPU seconds a move
wall = 0             # seconds to respond, however spent; 0: twice `time` plus one
bank = 0             # CPU seconds that moves may overrun, in all
setup_time = 10      # CPU seconds to load and set up
memory = "256M"

[deadline]
# due = 2026-12-01T23:59:00Z
late = "refused"     # or "accepted", or "reduced": then each day that has begun costs so many percent of the points
percent_per_day = 10
[deadline.extensions]
# "Ann Example" = 2026-12-03T23:59:00Z    # a student as in roster.csv, or as in `submit --as`

[policy]
keep = "last"        # or "best": which of a student's submissions counts; the last one does even if it is not admitted
per_hour = 0         # submissions of one student, by their time; 0: as many as they like

# Each check has points, and a visibility: "visible", "after-due", "after-published" (see `referee publish`), "hidden".
[rubric]
total = {total}      # the points of all checks together

[[rubric.check]]     # loads, and plays legally in the games that `referee check` plays
kind = "admitted"
points = 20
loads = 5            # for a file that at least loads
'''
_BEATS = '''
[[rubric.check]]     # wins against a reference strategy, or a file beside this one; a tie is half a win
kind = "beats"
opponent = "{opponent}"
games = 40
points = {points}
bands = [{{ rate = 0.5, points = {half} }}, {{ rate = 0.8, points = {points} }}]
visibility = "{visibility}"
'''
_REST = '''
[[rubric.check]]     # CPU time a move
kind = "speed"
percentile = 95
points = 10
bands = [{ ms = 10, points = 10 }, { ms = 100, points = 5 }]

[[rubric.check]]     # the most memory at any time, in MiB
kind = "memory"
points = 5
bands = [{ mb = 32, points = 5 }, { mb = 128, points = 2 }]

[[rubric.check]]     # the place in the tournament of the class
kind = "placing"
games = 10           # of each pairing
points = 15
bands = [{ top = 3, points = 15 }, { top_percent = 50, points = 10 }]
visibility = "after-published"

# A position to find a good move in, saved with `referee replay game.jsonl --at 12 --state endgame.json`:
# [[rubric.check]]
# kind = "scenario"
# state = "endgame.json"
# answers = [[[0, 0], [2, 0]]]                            # in their plain forms; any of them has all points
# partial = [{ answers = [[[0, 0], [4, 0]]], points = 2 }]
# points = 5
'''
_OTHERS = 50  # points of the checks that every game has


def template(game: Game, title: str) -> str:
    """The text for a game; it opposes the reference strategies that do not search, if there are any."""
    known = references(game.name)
    quick = [name for name, path in known.items() if not parameters(path)] or list(known)
    rivals = [quick[0], quick[-1]] if len(quick) > 1 else quick
    beats = [
        _BEATS.format(opponent=name, points=points, half=points // 2, visibility=visibility)
        for name, points, visibility in zip(rivals, (20, 30), ("visible", "after-due"), strict=False)
    ]
    total = _OTHERS + sum((20, 30)[: len(beats)])
    settings = "\n".join(f"# {_setting(field)}" for field in msgspec.structs.fields(game.config))
    quoted = msgspec.json.encode(title).decode()
    return _HEAD.format(game=game.name, title=quoted, settings=settings, total=total) + "".join(beats) + _REST


def _setting(field: msgspec.structs.FieldInfo) -> str:
    if field.default is None or field.default is msgspec.NODEFAULT:
        return f"{field.encode_name} = ..."
    return f"{field.encode_name} = {msgspec.json.encode(field.default).decode()}"
