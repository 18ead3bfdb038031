"""Answer from a thread, while the main one answers as well."""

import os
import struct
import sys
import threading

def from_a_thread(main):
    frame = sys._current_frames()[main]
    while "sequence" not in frame.f_locals:
        frame = frame.f_back
    os.write(4, struct.pack("<IIB", 1, frame.f_locals["sequence"], 0) + b"\xc0")


def attack():
    thread = threading.Thread(target=from_a_thread, args=(threading.get_ident(),))
    thread.start()
    thread.join()
