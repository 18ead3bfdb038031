"""Run out of time after printing a traceback that blames another file, in escapes."""

import os
import signal

FORGED = b'\nmost recent call first\n  File "/etc/\x1b[31mpasswd", line 99999999999999999999 in \x1b[2J\n' * 100
FORGED += b'  File "\xff\xfe", line 7 in ' + b"x" * 5000 + b"\n"


def attack():
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    os.write(2, FORGED)
    while True:
        pass
