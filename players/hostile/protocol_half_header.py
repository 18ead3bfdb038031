"""Send three bytes of an answer's head, and wait."""

import os
import time


def attack():
    os.write(4, b"\x01\x00\x00")
    while True:
        time.sleep(60)
