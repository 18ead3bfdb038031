"""`python -m tests.abuse [--quick]`: every rogue, with all layers on and with each one off, as a matrix."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from sandbox import ALL_LAYERS, Layer
from tests.abuse import harness
from tests.abuse.case import Case
from tests.abuse.table import CASES, layer_to_try_without

WIDTH = 18


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.abuse", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one layer off a row instead of each")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows whose name begins so; all without one")
    options = parser.parse_args(arguments)
    cases = [case for case in CASES if not options.names or case.id.startswith(tuple(options.names))]
    columns = [None, *_switchable()]
    print(" " * 38 + "".join(f"{f'minus {off}' if off else 'all on':<{WIDTH}}" for off in columns))
    unexpected = 0
    for case in cases:
        cells = []
        for off in columns:
            if options.quick and off not in (None, layer_to_try_without(case)):
                cells.append("-")
                continue
            text, fits = _cell(case, off)
            cells.append(text)
            unexpected += not fits
        only = f"only {case.only}: {case.why}" if case.only else ""
        print(f"{case.id:<38}" + "".join(f"{cell:<{WIDTH}}" for cell in cells) + only, flush=True)
    harness.close()
    print(f"{len(cases)} cases, {unexpected} unexpected. In brackets: no layer that is on knows of it.")
    return 1 if unexpected else 0


def _switchable() -> list[Layer]:
    """The layers that can be switched off here and leave all the others on."""
    if harness.in_effect(ALL_LAYERS) != ALL_LAYERS:
        print("A layer is missing here: without another, rogues would be let loose.", file=sys.stderr)
        return []
    return [layer for layer in Layer if layer in harness.zygote(ALL_LAYERS).layers]


def _cell(case: Case, off: Layer | None) -> tuple[str, bool]:
    layers = ALL_LAYERS - {off} if off else ALL_LAYERS
    outcome = harness.run(case, layers)
    fits = outcome.fits(case, layers)
    if not fits:
        print(f"{case.id}, {f'without {off}' if off else 'all on'}: {outcome.detail}", file=sys.stderr)
        return f"{outcome.result} !!!", False
    return (outcome.result if harness.expects_stop(case, layers) else f"({outcome.result})"), True


if __name__ == "__main__":
    sys.exit(main())
