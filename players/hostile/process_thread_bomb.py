"""Starts threads with small stacks until it is refused."""

import threading

MOST = 200


def attack():
    threading.stack_size(32 * 1024)
    done = threading.Event()
    started = 0
    try:
        for _ in range(MOST):
            threading.Thread(target=done.wait, daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    finally:
        done.set()
    return f"ran {started} threads at a time" if started == MOST else None
