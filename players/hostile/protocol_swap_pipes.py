"""Exchange the two pipes."""

import os


def attack():
    spare = os.dup(3)
    os.dup2(4, 3)
    os.dup2(spare, 4)
