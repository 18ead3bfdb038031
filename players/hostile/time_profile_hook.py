"""Hooks every call that the worker's own code makes after its answer."""

import sys


def hook(frame, event, argument):
    while frame.f_code.co_name == "_flush":
        pass


def attack():
    sys.setprofile(hook)
    return None
