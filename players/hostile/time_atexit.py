"""Registers an exit handler and a thread that never end, then exits."""

import atexit
import sys
import threading
import time


def spin():
    while True:
        pass


def attack():
    atexit.register(spin)
    threading.Thread(target=time.sleep, args=(3600,)).start()  # which Python would wait for
    sys.exit(0)
