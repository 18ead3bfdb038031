"""Takes a lock twice."""

import threading


def attack():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
