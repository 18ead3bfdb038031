"""Ends its process from another thread, while the first waits."""

import os
import threading
import time


def attack():
    threading.Thread(target=os._exit, args=(0,)).start()
    time.sleep(60)
