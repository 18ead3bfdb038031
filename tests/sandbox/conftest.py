"""One zygote for all tests that only need a worker, and proof that each test left nothing of its own."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from sandbox import Worker, Zygote


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    with Zygote(preload=["tests.sandbox.adapters"]) as made:
        yield made


Spawn = Callable[..., Worker]


@pytest.fixture
def spawn(zygote: Zygote, tmp_path: Path) -> Iterator[Spawn]:
    """Make a worker of source text; killed, with all it started, when the test ends."""
    made: list[Worker] = []

    def make(source: str, **options: Any) -> Worker:
        path = tmp_path / options.pop("file", "bot.py")
        path.write_text(textwrap.dedent(source))
        worker = zygote.spawn(path, **options)
        made.append(worker)
        return worker

    yield make
    for worker in made:
        worker.kill()
        assert not psutil.pid_exists(worker.pid)
