"""Matches a pattern that takes time exponential in the text."""

import re


def attack():
    re.match(r"(a+)+$", "a" * 60 + "b")
