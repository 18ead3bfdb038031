"""Learn from the numbers of past questions what the next will be, so that it can be answered before it is asked."""

import random
import sys

STATE = 624  # words of a Mersenne Twister, Python's usual generator
numbers = []


def undo_right(value, shift):
    result = value
    for _ in range(32 // shift + 1):
        result = value ^ result >> shift
    return result


def undo_left(value, shift, mask):
    result = value
    for _ in range(32 // shift + 1):
        result = value ^ (result << shift & mask)
    return result & 0xFFFFFFFF


def word(number):
    """The word of the state that a number was made from."""
    number = undo_right(number, 18)
    number = undo_left(number, 15, 0xEFC60000)
    number = undo_left(number, 7, 0x9D2C5680)
    return undo_right(number, 11)


def attack():
    frame = sys._getframe()
    while "sequence" not in frame.f_locals:
        frame = frame.f_back
    number = frame.f_locals["sequence"]
    if len(numbers) == STATE:
        twin = random.Random()
        twin.setstate((3, (*map(word, numbers), STATE), None))
        if twin.getrandbits(32) == number:
            return "guessed the number of this question"
        if number in (numbers[-1], numbers[-1] + 1):
            return "the numbers follow each other"
        numbers.pop(0)
    numbers.append(number)
