"""Has itself kept waiting by its own threads in every turn but the last, and then sleeps for as long as it waited."""

import hashlib
import threading
import time

THREADS = 8
TURNS = 2
BURST = 0.9  # seconds of CPU a turn
turns = 0


def crowd(until):
    while time.process_time() < until:
        hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 20_000)


def attack():
    global turns
    turns += 1
    if turns > TURNS:
        time.sleep(3600)
    until = time.process_time() + BURST
    for _ in range(THREADS):
        threading.Thread(target=crowd, args=(until,), daemon=True).start()
    crowd(until)
