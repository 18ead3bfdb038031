"""Close the pipe that questions come through."""

import os


def attack():
    os.close(3)
