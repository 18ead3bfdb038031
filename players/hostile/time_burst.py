"""Crowds its core with threads of its own, so that the one that should answer always waits for its turn to run."""

import hashlib
import threading

THREADS = 8


def crowd():
    while True:
        hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 20_000)


def attack():
    for _ in range(THREADS):
        threading.Thread(target=crowd, daemon=True).start()
    while True:
        hashlib.sha256(bytes(1 << 20))  # lets go of the interpreter each time
