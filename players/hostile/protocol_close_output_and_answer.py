"""Close stdout and stderr, and play on."""

import os


def attack():
    os.close(1)
    os.close(2)
