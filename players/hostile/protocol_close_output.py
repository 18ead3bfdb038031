"""Close stdout and stderr and stay silent, so that whoever waits for them never sleeps."""

import os
import time


def attack():
    os.close(1)
    os.close(2)
    while True:
        time.sleep(60)
