"""Reads from a pipe that nobody writes to."""

import os


def attack():
    quiet, _keep = os.pipe()
    os.read(quiet, 1)
