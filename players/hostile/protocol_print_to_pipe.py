"""Lead stdout into the pipe that answers go through."""

import os


def attack():
    os.dup2(4, 1)
    os.dup2(4, 2)
    print("an answer of a kind")
