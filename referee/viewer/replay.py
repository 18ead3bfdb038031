"""The page of one recorded game: its board turn by turn, and beside it what everybody did, used, printed and caused."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

import msgspec

from referee import games
from referee.games.game import State, colors
from referee.printing import LONGEST
from referee.record import Call, Record
from referee.recorder import EventLine, KickLine, encode
from referee.showing import explained, name_shown, place
from referee.viewer.film import Film
from referee.viewer.page import page
from sandbox import clean

_MOST_WORDS = 300  # characters that tell a move
_MOST_LINES = 60  # of an explanation: a record may be anybody's
_LONGEST_COMMAND = 10_000
_LARGEST_RECORD = 8 << 20  # bytes of one that is put into a page


def file_of(record: Record) -> str:
    """What a record is called that is saved from its page."""
    return clean(f"{record.header.game}-{record.header.id}.jsonl", 200)


def replay(record: Record, *, again: str = "", reproduce: Mapping[str, str] | None = None) -> str:
    """The HTML. `again` is the command that plays the same game, and `reproduce` has those that ask one player the
    same again, by its name."""
    data = _told(record) | {
        "file": file_of(record),
        "again": clean(again, _LONGEST_COMMAND),  # for a terminal, which some letters are orders to
        "reproduce": [
            clean((reproduce or {}).get(player["name"], ""), _LONGEST_COMMAND) for player in record.header.players
        ],
    }
    lines = [record.header, *record.lines, *([record.result] if record.result is not None else [])]
    whole = b"".join(encode(line) + b"\n" for line in lines)
    attached = {"record": whole} if len(whole) <= _LARGEST_RECORD else {}
    names = ", ".join(player["name"] for player in data["players"])
    return page(f"{record.header.game.capitalize()}: {names}", "replay", data, attached)


def _told(record: Record) -> dict[str, Any]:
    header, start = record.header, record.start()
    package = importlib.import_module(games.package(header.game))
    told: Callable[[State, Any, State], str] | None = getattr(package, "told", None)
    out: Callable[[State], Iterable[str]] = getattr(package, "out", lambda state: ())
    seats = {player: seat for seat, player in enumerate(start.players)}
    film, steps, outs, state = Film(), [_step(start)], [set(out(start))], start
    film.add(start.svg())
    for call in record.calls():
        if call.line is not None:
            state = call.state
            steps.append(_step(state) | _event(call, call.line, seats, told))
            outs.append(set(out(state)))
            film.add(state.svg())
    for player, step in _eliminations(start.players, outs, state).items():
        steps[step].setdefault("out", []).append(seats[player])
    dealt = colors(start)
    return {
        "game": header.game,
        "id": header.id,
        "seed": str(header.seed),  # beyond what a script's numbers hold
        "players": [_player(player, dealt.get(player["name"], "")) for player in header.players],
        "limit": header.terms.move.cpu,
        "bank": header.terms.limits.bank,
        "film": film.plain(),
        "steps": steps,
        "ranking": [sorted(seats[player] for player in rank) for rank in state.ranking()],
        "complete": record.result is not None,
    }


def _player(entry: dict[str, Any], color: str) -> dict[str, str]:
    return {
        "name": name_shown(entry["name"]),
        "color": color,
        "given": clean(entry.get("given") or "", 200),
        "sha256": clean(entry.get("sha256") or "", 64),
    }


def _step(state: State) -> dict[str, Any]:
    return {"turn": state.turn, "scores": list(state.scores().values())}


def _event(
    call: Call, line: EventLine, seats: dict[str, int], told: Callable[[State, Any, State], str] | None
) -> dict[str, Any]:
    event: dict[str, Any] = {"turn": line.turn, "seat": seats[line.player]}
    if line.output:
        event["output"] = clean(line.output, LONGEST, keep="\n\t")
    if isinstance(line, KickLine):
        verdict = line.verdict
        where = place(line.turn, verdict.method)
        why = [text.removeprefix("  ") for text in islice(explained(verdict), _MOST_LINES)]
        return event | {
            "words": clean(f"is kicked {where}: {verdict}", _MOST_WORDS),
            "verdict": {"ending": str(verdict.ending), "where": clean(where), "why": why},
        }
    action = msgspec.json.encode(line.action).decode()
    words = told(call.before, line.action, call.state) if told is not None else f"{line.method} {action}"
    return event | {"words": clean(words, _MOST_WORDS), "cpu": line.cpu, "wall": line.wall, "memory": line.memory}


def _eliminations(players: Iterable[str], outs: list[set[str]], end: State) -> dict[str, int]:
    """The step after which a player is out for good; not the last one of a game, when that is true of everybody."""
    found: dict[str, int] = {}
    for player in players:
        inside = [step for step, out in enumerate(outs) if player not in out]
        last = inside[-1] if inside else 0
        if last + 1 < len(outs) - end.is_over and player not in end.kicked:
            found[player] = last + 1
    return found
