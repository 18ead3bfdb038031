"""Gives its threads enormous stacks, and uses them."""

import threading

STACK = 100 << 20
THREADS = 4


def attack():
    threading.stack_size(STACK)
    done = threading.Event()
    threads = [threading.Thread(target=done.wait, daemon=True) for _ in range(THREADS)]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:
        return None
    finally:
        done.set()
    return f"has {THREADS} stacks of {STACK >> 20} MiB"
