"""Answer with an integer that takes minutes to show, with the limit on that taken off."""

import sys


def attack():
    sys.set_int_max_str_digits(0)
    return 1 << 100_000_000
