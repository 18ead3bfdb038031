"""Burns CPU in a relay of threads, none of which lives long enough to be seen."""

import threading
import time

LEG = 0.002  # seconds
ENOUGH = 1.0


def burn():
    until = time.thread_time() + LEG
    while time.thread_time() < until:
        pass


def attack():
    for _ in range(int(ENOUGH / LEG)):
        runner = threading.Thread(target=burn)
        runner.start()
        runner.join()
    return f"computed for {ENOUGH} s"
