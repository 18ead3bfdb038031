"""`python -m tests.conformance FILE.jsonl...`: run files of pairs and count what passed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sandbox import BoxError
from tests.conformance import run

SHOWN = 3  # failures printed in full for each file


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.jsonl")
    failures = [_report(file) for file in parser.parse_args(arguments).files]
    return 1 if any(failures) else 0


def _report(file: Path) -> int:
    """Prints one file's line; returns its number of failures; a file that cannot be run is one."""
    try:
        outcomes = list(run(file))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except BoxError as error:
        print(f"{file}: its misbehaving players need boxes, and none can be made here: {error}", file=sys.stderr)
        return 1
    failed = [outcome for outcome in outcomes if outcome.problem is not None]
    print(f"{file}: {len(outcomes) - len(failed)} passed, {len(failed)} failed", flush=True)
    for outcome in failed[:SHOWN]:
        print(f"{outcome.id}:\n  {outcome.problem}", file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
