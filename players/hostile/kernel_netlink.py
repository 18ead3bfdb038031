"""Ask the kernel for the machine's network interfaces, routes and events."""

import os
import socket
import struct

RTM_GETLINK, NLM_F_REQUEST_DUMP, NLMSG_DONE, IFLA_IFNAME = 18, 0x301, 3, b"\x03\x00"
KINDS = {"routes": 0, "sockets": 4, "audit": 9, "events": 15}


def attack():
    try:
        names = [name for _, name in socket.if_nameindex() if name != "lo"]
    except OSError:
        names = []
    if names:
        return f"the machine has {names}"
    for what, protocol in KINDS.items():
        try:
            made = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol)
            made.settimeout(0.1)
            made.bind((0, 0xFFFFFFFF if what == "events" else 0))
            if what == "routes":
                made.send(struct.pack("<IHHIIBxHiII", 32, RTM_GETLINK, NLM_F_REQUEST_DUMP, 1, 0, 0, 0, 0, 0, 0))
                said = made.recv(65536)
                if any(name.encode() in said for name in ("eth", "enp", "wlan", "docker", "veth", "ens")):
                    return f"the kernel lists its interfaces: {len(said)} bytes"
        except OSError:
            continue
