"""Talk to the machine's daemons through their sockets, named in a folder or abstractly."""

import socket

target = []  # sockets that listen on the host


def attack():
    for name in (*target, "/run/dbus/system_bus_socket", "/var/run/docker.sock", "\0/tmp/.X11-unix/X0"):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            try:
                with socket.socket(socket.AF_UNIX, kind) as made:
                    made.settimeout(0.3)
                    made.connect(name)
                    return f"connected to {name!r}"
            except OSError:
                continue
