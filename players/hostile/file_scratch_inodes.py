"""Fill scratch with empty files, directories and nameless files until the kernel has no room for names."""

import os


def attack():
    made = 0
    try:
        for number in range(10_000):
            if number % 2:
                os.mkdir(f"d{number}")
            else:
                os.close(os.open(f"f{number}" + "x" * 200, os.O_CREAT | os.O_WRONLY))
            made += 1
    except OSError:
        pass
    if made > 4096:
        return f"made {made:,} files and directories"
