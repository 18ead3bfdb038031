"""Makes text much longer than what makes it: by width, by join, by multiplication."""


def attack():
    for make in (lambda: "%*d" % (300_000_000, 1), lambda: f"{1:>300000000}", lambda: "ab" * 150_000_000):
        try:
            return f"held {len(make()):,} characters"
        except MemoryError:
            pass
    raise MemoryError("as it was told")
