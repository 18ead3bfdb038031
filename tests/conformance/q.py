"""The Q harnesses: each takes a pair's inputs and returns its outputs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any

from referee.games.q import Config, course, rules
from referee.games.q.setup import Q
from tests.conformance import q_players
from tests.conformance.table import refereed

OLDER = Config(q_bonus=6, finish_bonus=6)
NEWER = Config(q_bonus=8, finish_bonus=4)

MOST = Q.seats[-1]


class _Solitary(Q):
    """Q, and a saved state of it with one player only: pairs have that, though nobody would start such a game."""

    seats = range(1, MOST + 1)


SOLITARY = _Solitary()


def xmap(given: list[Any]) -> list[Any]:
    map, tile = given
    return [[course.place_json(place) for place in course.map(map).places_for(course.tile(tile))]]


def xlegal(given: list[Any]) -> list[Any]:
    view, placement = course.view(given[0]), course.placement(given[1])
    return [False if view.check(placement) else course.map_json(view.after(placement).map)]


def xscore(given: list[Any]) -> list[Any]:
    map, placement = course.map(given[0]), course.placement(given[1])
    return [rules.points(map, [place for place, _ in placement], OLDER.q_bonus)]


def xstrategy(given: list[Any]) -> list[Any]:
    name, public = given if isinstance(given[0], str) else reversed(given)
    strategy: Any = q_players.in_process(q_players.source(name))
    action = strategy.take_turn(course.view(public))
    if isinstance(action, str):
        return ["replace" if action == rules.EXCHANGE else action]
    return course.placement_json(action[:1])


def game(state: Mapping[str, Any], sources: Mapping[str, str], config: Config) -> list[Any]:
    """One game to its end: [the winners, sorted; the dropouts, in order]."""
    players = {name: seated(text) for name, text in sources.items()}
    end = refereed(SOLITARY, course.state(state, list(players), config), players)
    ranking = end.ranking()
    return [[sorted(ranking[0]) if ranking else [], list(end.kicked)]]


def seated(text: str) -> object:
    """A reference strategy as it is plays in this process; one that was tampered with stays text, for a box."""
    return q_players.in_process(text) if q_players.is_honest(text) else text


def games(config: Config) -> Callable[[list[Any]], list[Any]]:
    def harness(given: list[Any]) -> list[Any]:
        state, actors = given
        sources = {name: q_players.source(*script) for name, *script in actors}
        return game(state, sources, config)

    return harness


def xserver(given: list[Any]) -> list[Any]:
    """Clients sign up in the order they are listed, over no network here."""
    [server], [clients, *_] = given
    return served(server, {name: q_players.source(*script) for name, *script in signed_up(clients)})


def xserver_bonus(given: list[Any]) -> list[Any]:
    """As xserver, with hostile clients; one that never gives a name takes no seat, and is waited for in vain."""
    [server], [clients, *others] = given
    sources = {name: q_players.hostile_source(name, *script) for name, *script in signed_up(clients)}
    seats = [player["name"] for player in server["ref-spec"]["state0"]["players"]]
    if "sendnameloop" in others:
        name = next((seat for seat in seats if seat not in sources), "sendnameloop")
        sources[name] = q_players.source("dag", "setup", 1)
    return served(server, sources)


def signed_up(clients: Mapping[str, Any]) -> list[Any]:
    return [client for client in clients["players"] if re.fullmatch("[a-zA-Z0-9]{1,20}", client[0])]


def served(server: Mapping[str, Any], sources: Mapping[str, str]) -> list[Any]:
    """The game a server runs with the first four to sign up; none if the state is not for so many."""
    spec = server["ref-spec"]
    first = dict(itertools.islice(sources.items(), MOST))
    if len(first) != len(spec["state0"]["players"]):
        return [[[], []]]
    bonuses = spec["config-s"]
    return game(spec["state0"], first, Config(q_bonus=bonuses["qbo"], finish_bonus=bonuses["fbo"]))


HARNESSES = {
    "xmap": xmap,
    "xlegal": xlegal,
    "xscore": xscore,
    "xstrategy": xstrategy,
    "xgames": games(OLDER),
    "xgames-with-observer": games(NEWER),
    "xbaddies": games(NEWER),
    "xserver": xserver,
    "xserver-bonus": xserver_bonus,
}
