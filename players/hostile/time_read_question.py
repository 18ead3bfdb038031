"""Reads its own question pipe, which holds nothing more, and so waits for the referee that waits for it."""

import os


def attack():
    os.read(3, 1)
