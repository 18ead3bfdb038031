"""Write noise to the pipe, as much as it takes."""

import os


def attack():
    while True:
        os.write(4, os.urandom(4096))
