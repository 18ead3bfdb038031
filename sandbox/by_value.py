"""A strategy that is an object in a notebook: its code travels into the box by value. Inward only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

_registry = threading.Lock()  # cloudpickle's is one for the whole process


def pickled(source: type | Callable[..., Any], importable: Iterable[str]) -> bytes:
    """The pickled class or function, its own module's code included."""
    import cloudpickle  # only where one is used: it takes a while to import

    if not callable(source):
        raise TypeError(f"a submission is a path, a class or a function, not {type(source).__name__}")
    module = sys.modules.get(source.__module__)
    top = source.__module__.partition(".")[0]
    if module is None or top == "__main__" or top in sys.stdlib_module_names or top in importable:
        return bytes(cloudpickle.dumps(source))
    with _registry:
        if module.__name__ in cloudpickle.list_registry_pickle_by_value():  # the caller's own wish: let it stand
            return bytes(cloudpickle.dumps(source))
        cloudpickle.register_pickle_by_value(module)
        try:
            return bytes(cloudpickle.dumps(source))
        finally:
            cloudpickle.unregister_pickle_by_value(module)
