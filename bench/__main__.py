"""`python -m bench NAME [--json]`: run one benchmark and print its figures."""

from __future__ import annotations

import argparse
import importlib
import json

NAMES = ("sandbox", "rules", "games", "tournament")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    options = parser.parse_args()
    figures = importlib.import_module(f"bench.{options.name}").measure()
    if options.json:
        print(json.dumps(figures))
        return
    _print(figures)


def _print(figures: dict[str, object], indent: str = "") -> None:
    width = max(map(len, figures))
    for name, value in figures.items():
        if isinstance(value, dict):
            print(f"{indent}{name}")
            _print(value, indent + "  ")
        else:
            shown = f"{value:.3f}" if isinstance(value, float) else value
            print(f"{indent}{name:<{width}}  {shown}")


if __name__ == "__main__":
    main()
