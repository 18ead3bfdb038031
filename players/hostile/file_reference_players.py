"""Hand in one of the referee's own players: import it, or read its source."""

import importlib
import importlib.util
import os
import sys

target = []  # files of players, as the referee sees them


def attack():
    for name in ("players.fish.minimax", "players.fish", "players.q.dag", "players.tsuro.second", "players"):
        try:
            return f"imported {importlib.import_module(name)!r}"
        except (ImportError, OSError):
            continue
    guesses = [os.path.join(place, "players", "fish", "minimax.py") for place in sys.path]
    for path in (*target, *guesses):
        try:
            with open(path) as file:
                return f"read {path}: {file.readline()}"
        except OSError:
            pass
        try:
            spec = importlib.util.spec_from_file_location("rival", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return f"ran {path}"
        except (ImportError, OSError):
            continue
