"""Close the pipe that answers go through, and live on."""

import os
import time


def attack():
    os.close(4)
    while True:
        time.sleep(60)
