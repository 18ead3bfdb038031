"""Send a datagram to a socket on this machine."""

import socket

target = [9]


def attack():
    for kind in (socket.SOCK_DGRAM, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK):
        try:
            with socket.socket(socket.AF_INET, kind) as made:
                made.sendto(b"hello", ("127.0.0.1", target[0]))
                return f"sent a datagram to port {target[0]}"
        except OSError:
            continue
