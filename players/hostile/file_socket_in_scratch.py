"""Bind a socket to a name in scratch."""

import socket


def attack():
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(socket.AF_UNIX, kind) as made:
                made.bind("here.sock")
        except OSError:
            continue
        return "bound a socket in scratch"
