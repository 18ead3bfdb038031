"""Claims to define every method there could be."""


class Strategy:
    def __getattr__(self, name):
        raise KeyError(f"no, not {name}")
