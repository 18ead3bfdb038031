"""Read a file of the referee's that anybody on the machine may read, by its exact path."""

import importlib.machinery
import os
import runpy
import sqlite3

target = []


def attack():
    for path in target:
        folder, name = os.path.split(path)
        ways = {
            "open": lambda: open(path).read(60),
            "listing": lambda: ", ".join(os.listdir(folder)),
            "a relative path": lambda: open(os.path.relpath(path)).read(60),
            "a directory's descriptor": lambda: open(os.open(name, os.O_RDONLY, dir_fd=os.open(folder, os.O_RDONLY))).read(),
            "running it": lambda: sorted(runpy.run_path(path))[0],
            "the import system": lambda: importlib.machinery.SourceFileLoader("rival", path).get_data(path)[:60],
            "sqlite": lambda: sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("select 1 from sqlite_master"),
        }
        for by, way in ways.items():
            try:
                return f"read {path} by {by}: {way()}"
            except (OSError, sqlite3.Error):
                continue
