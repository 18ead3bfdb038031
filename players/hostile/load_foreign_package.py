"""Imports a package that is installed but not allowed."""

import psutil


def take_turn(view):
    return psutil.cpu_count()
