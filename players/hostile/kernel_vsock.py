"""Make a socket of the virtual machine's own family, which no namespace holds."""

import socket

ANY, LOCAL = 0xFFFFFFFF, 1  # never the hypervisor


def attack():
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            with socket.socket(socket.AF_VSOCK, kind) as made:
                made.bind((ANY, ANY))
                return f"has the address {made.getsockname()}"
        except OSError:
            continue
