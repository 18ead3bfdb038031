"""Computes for ever and catches whatever would stop it."""


def attack():
    while True:
        try:
            while True:
                pass
        except:
            pass
