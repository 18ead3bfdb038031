"""Read and forge packets below TCP."""

import socket

FAMILIES = {"packets": (17, 3), "internet": (2, 255), "icmp": (2, 1), "icmp 6": (10, 58), "express": (44, 0)}


def attack():
    for what, (family, protocol) in FAMILIES.items():
        for kind in (socket.SOCK_RAW, socket.SOCK_DGRAM):
            try:
                made = socket.socket(family, kind, socket.htons(protocol) if family == 17 else protocol)
                if kind == socket.SOCK_RAW:
                    return f"has a raw socket for {what}"
                made.settimeout(0.2)
                made.sendto(b"\x08\0\0\0\0\0\0\0", ("127.0.0.1", 0))
                return f"sent a packet of {what}"
            except (OSError, TypeError):
                continue
