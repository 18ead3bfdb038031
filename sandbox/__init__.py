"""One stranger's Python file in one locked process: asked over a pipe, measured and judged from outside.

    with Zygote(preload=["numpy"]) as zygote:
        worker = zygote.spawn(Path("bot.py"), limits=Limits(memory=256 * MiB))
        answer = worker.call("take_turn", view, budget=Budget(cpu=1.0, wall=3.0), reply=Action)
        worker.usage        # cpu, wall, peak memory, output: all measured from outside
        worker.kill()       # returns when nothing of it is left

This package knows nothing of games.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.channel import Plain
    from sandbox.errors import BoxError, MissingLayers, ZygoteDied
    from sandbox.layers import ALL_LAYERS, Layer
    from sandbox.layers.report import LayerReport, LayerState
    from sandbox.limits import Budget, GiB, KiB, Limits, MiB, Usage
    from sandbox.submission import Submission, SubmissionError
    from sandbox.verdicts import Ending, Frame, Misconduct, Verdict, clean
    from sandbox.worker import Worker
    from sandbox.zygote import Zygote

# Loaded when first used: the zygote's own interpreter imports this package too, and needs a part of it only.
_HOMES = {
    "Plain": "sandbox.channel",
    "BoxError": "sandbox.errors",
    "MissingLayers": "sandbox.errors",
    "ZygoteDied": "sandbox.errors",
    "ALL_LAYERS": "sandbox.layers",
    "Layer": "sandbox.layers",
    "LayerReport": "sandbox.layers.report",
    "LayerState": "sandbox.layers.report",
    "Budget": "sandbox.limits",
    "GiB": "sandbox.limits",
    "KiB": "sandbox.limits",
    "Limits": "sandbox.limits",
    "MiB": "sandbox.limits",
    "Usage": "sandbox.limits",
    "Submission": "sandbox.submission",
    "SubmissionError": "sandbox.submission",
    "Ending": "sandbox.verdicts",
    "Frame": "sandbox.verdicts",
    "Misconduct": "sandbox.verdicts",
    "Verdict": "sandbox.verdicts",
    "clean": "sandbox.verdicts",
    "Worker": "sandbox.worker",
    "Zygote": "sandbox.zygote",
}

__all__ = [
    "ALL_LAYERS",
    "BoxError",
    "Budget",
    "Ending",
    "Frame",
    "GiB",
    "KiB",
    "Layer",
    "LayerReport",
    "LayerState",
    "Limits",
    "MiB",
    "Misconduct",
    "MissingLayers",
    "Plain",
    "Submission",
    "SubmissionError",
    "Usage",
    "Verdict",
    "Worker",
    "Zygote",
    "ZygoteDied",
    "clean",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sandbox' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
