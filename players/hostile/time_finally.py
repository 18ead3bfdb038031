"""Leaves by an exception, through a finally that never ends."""


def attack():
    try:
        raise SystemExit
    finally:
        while True:
            pass
