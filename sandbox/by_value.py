"""A strategy that is an object in a notebook: its code travels into the box by value. Inward only."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

from sandbox.submission import SubmissionError
from sandbox.verdicts import clean

_registry = threading.Lock()  # cloudpickle's is one for the whole process


def pickled(source: type | Callable[..., Any], importable: Iterable[str]) -> bytes:
    """The pickled class or function, its own module's code included; SubmissionError for what cannot be pickled."""
    import cloudpickle  # only where one is used: it takes a while to import

    if not callable(source):
        raise SubmissionError(f"A strategy is a path, a class or a function, not {type(source).__name__}.")
    home = getattr(source, "__module__", None) or ""
    module, top = sys.modules.get(home), home.partition(".")[0]
    inside = top == "__main__" or top in sys.stdlib_module_names or top in importable
    try:
        with contextlib.nullcontext() if module is None or inside else _carried(module):
            return bytes(cloudpickle.dumps(source))
    except Exception as error:  # whatever its objects raise when they are to be pickled
        name = getattr(source, "__qualname__", type(source).__qualname__)
        raise SubmissionError(
            f"{clean(str(name), 100)} cannot be sent into a box: {type(error).__name__}: {clean(str(error), 300)}. "
            "Files, locks, connections and the like stay outside: open or make them in its methods."
        ) from error


@contextlib.contextmanager
def _carried(module: ModuleType) -> Iterator[None]:
    """While this lasts, what a module defines is pickled by value."""
    import cloudpickle

    with _registry:
        if module.__name__ in cloudpickle.list_registry_pickle_by_value():  # the caller's own wish: let it stand
            yield
            return
        cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            cloudpickle.unregister_pickle_by_value(module)
