"""Ends its process as if all were well."""

import os


def attack():
    os._exit(0)
