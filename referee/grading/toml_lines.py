"""On which line of a TOML file each key and each member of a list stands."""

from __future__ import annotations

import re
import tomllib

Key = str | int


def lines(text: str) -> dict[tuple[Key, ...], int]:
    """The line of everything in TOML that is known to be sound, by the keys that lead to it."""
    return _Scan(text).lines


class _Scan:
    """One pass; nothing is checked, since the parser has done so."""

    _KEY = re.compile(r"""[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_-]+)[ \t]*""")
    _SPACE = re.compile(r"(?:\s|#[^\n]*)*")
    _SCALAR = re.compile(
        r'"""(?:\\.|[^\\])*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:\\.|[^"\\])*"' r"|'[^']*'" r"|[^,\]}#\n]+", re.DOTALL
    )

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._tables: dict[tuple[Key, ...], int] = {}  # how many there are so far of each [[array of tables]]
        self.lines: dict[tuple[Key, ...], int] = {}
        table: tuple[Key, ...] = ()
        self._skip()
        while self._place < len(text):
            if text[self._place] == "[":
                many = text.startswith("[[", self._place)
                start, self._place = self._place, self._place + 1 + many
                table = self._opened(self._names(), many)
                self._note(table, start)
                self._place += 1 + many
            else:
                self._pair(table)
            self._skip()

    def _note(self, keys: tuple[Key, ...], place: int) -> None:
        line = self._text.count("\n", 0, place) + 1
        for length in range(1, len(keys) + 1):
            self.lines.setdefault(keys[:length], line)

    def _skip(self) -> None:
        found = self._SPACE.match(self._text, self._place)
        assert found is not None  # it matches nothing at all, too
        self._place = found.end()

    def _names(self) -> tuple[str, ...]:
        names = []
        while found := self._KEY.match(self._text, self._place):
            names.append(tomllib.loads(f"k = {found[1]}")["k"] if found[1][0] in "\"'" else found[1])
            self._place = found.end()
            if self._text[self._place] != ".":
                break
            self._place += 1
        return tuple(names)

    def _opened(self, names: tuple[str, ...], many: bool) -> tuple[Key, ...]:
        keys: tuple[Key, ...] = ()
        for number, name in enumerate(names, 1):
            keys = (*keys, name)
            if many and number == len(names):
                self._tables[keys] = self._tables.get(keys, 0) + 1
            if keys in self._tables:
                keys = (*keys, self._tables[keys] - 1)
        return keys

    def _pair(self, table: tuple[Key, ...]) -> None:
        start = self._place
        keys = (*table, *self._names())
        self._note(keys, start)
        self._place += 1  # the sign =
        self._value(keys)

    def _value(self, keys: tuple[Key, ...]) -> None:
        self._skip()
        self._note(keys, self._place)
        opening = self._text[self._place]
        if opening not in "[{":
            found = self._SCALAR.match(self._text, self._place)
            assert found is not None  # the text is sound
            self._place = found.end()
            return
        self._place += 1
        self._skip()
        number = 0
        while self._text[self._place] not in "]}":
            if opening == "[":
                self._value((*keys, number))
                number += 1
            else:
                self._pair(keys)
            self._skip()
            if self._text[self._place] == ",":
                self._place += 1
                self._skip()
        self._place += 1
