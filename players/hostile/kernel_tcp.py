"""Reach a server on this machine over TCP."""

import ctypes
import os
import socket

SOCKET, CONNECT = {"x86_64": (41, 42), "aarch64": (198, 203)}[os.uname().machine]
target = [9]  # the port of a server that listens on the host


def attack():
    port = target[0]
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as made:
                made.settimeout(0.3)
                made.connect((host, port))
                return f"connected to {host}, port {port}"
        except OSError:
            continue
    libc = ctypes.CDLL(None, use_errno=True)
    made = libc.syscall(ctypes.c_long(SOCKET), socket.AF_INET, socket.SOCK_STREAM, 0)
    address = socket.AF_INET.to_bytes(2, "little") + port.to_bytes(2, "big") + bytes((127, 0, 0, 1)) + bytes(8)
    if made >= 0 and libc.syscall(ctypes.c_long(CONNECT), made, address, len(address)) == 0:
        return f"connected to port {port}"
