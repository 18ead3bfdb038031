"""Takes all that a generator without an end gives."""


def numbers():
    number = 0
    while True:
        yield number
        number += 1


def attack():
    return str(sum(numbers()))
