"""Replace the box's own code in its process, so that everything it sends says that the machine is at fault."""

import sys

FAULT = 5


def attack():
    inside = sys.modules["sandbox.inside"]
    send = inside._send
    inside._send = lambda number, kind, payload: send(number, FAULT, b"\x93\xa7seccomp\x01\xa7missing")
