"""Print without end."""


def attack():
    line = "x" * 8000
    while True:
        print(line)
