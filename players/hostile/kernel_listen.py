"""Open a port and listen on it."""

import socket

held = []


def attack():
    for family in (socket.AF_INET, socket.AF_INET6):
        for port in (0, 8080, 51234):
            try:
                made = socket.socket(family, socket.SOCK_STREAM)
                made.bind(("", port))
                made.listen()
            except OSError:
                continue
            held.append(made)
            return f"listens on {made.getsockname()}"
