"""Burns CPU in many threads at a time, in a call that lets go of the interpreter."""

import hashlib
import threading

THREADS = 8


def burn():
    while True:
        hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 5_000_000)


def attack():
    for _ in range(THREADS):
        threading.Thread(target=burn, daemon=True).start()
    burn()
