"""Leave a FIFO in scratch: whoever opens it to clean up or to copy waits for ever."""

import os
import stat


def attack():
    ways = (lambda: os.mkfifo("fifo"), lambda: os.mknod("fifo2", stat.S_IFIFO | 0o666))
    for way in ways:
        try:
            way()
        except OSError:
            continue
        return "made a FIFO"
