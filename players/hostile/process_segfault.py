"""Reads memory that is not there."""

import ctypes


def attack():
    ctypes.string_at(0)
