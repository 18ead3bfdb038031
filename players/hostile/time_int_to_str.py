"""Writes out an integer of many millions of digits, with Python's own guard against it taken away."""

import sys


def attack():
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    return str(7 << 40_000_000)[:10]
