"""Print more than is kept, and then answer: the flood must neither hold up the answer nor be kept."""

import sys


def attack():
    for stream in (sys.stdout, sys.stderr):
        for _ in range(20):
            stream.write("x" * 50_000 + "\n")
