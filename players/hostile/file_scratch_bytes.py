"""Fill scratch with more bytes than it may hold, in many files."""

import os

ALLOWED = 16 * 1024 * 1024


def attack():
    piece, written = bytes(1024 * 1024), 0
    made = []
    try:
        for number in range(64):
            made.append(f"fill{number}")
            with open(made[-1], "wb", buffering=0) as file:
                while written <= 2 * ALLOWED:
                    count = file.write(piece)
                    written += count
                    if count < len(piece) or written % ALLOWED == 0:
                        break
    except OSError:
        pass
    if written > ALLOWED:
        return f"wrote {written:,} bytes where {ALLOWED:,} are allowed"
    try:
        os.unlink(made[0])  # scratch still works afterwards
    except FileNotFoundError:
        pass
