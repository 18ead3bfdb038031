"""Not a rogue: starts ten threads while a rival has all that it may, and must be let."""

import threading

THREADS = 10


def attack():
    done = threading.Event()
    try:
        for _ in range(THREADS):
            threading.Thread(target=done.wait, daemon=True).start()
    except RuntimeError as refused:
        return f"was refused a thread because of a rival's: {refused}"
    finally:
        done.set()
    return None
