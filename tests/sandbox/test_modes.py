"""The box on machines that give it less: an ordinary user, no user namespaces, fewer layers, not Linux."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import ALL_LAYERS, Layer, LayerState, MissingLayers, Zygote
from sandbox.layers.report import explain_missing, possible, shortfall

ROOT = Path(__file__).parents[2]


def run_in_mode(mode: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.sandbox.modes", mode, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )


def doctor_in_mode(mode: str) -> dict[str, object]:
    done = run_in_mode(mode, "-m", "referee", "doctor", "--json")
    found: dict[str, object] = json.loads(done.stdout)
    assert found["fit"] is (done.returncode == 0), done.stderr
    return found


def states(found: dict[str, object]) -> dict[str, str]:
    layers = found["layers"]
    assert isinstance(layers, list)
    return {line["layer"]: line["state"] for line in layers}


def test_an_ordinary_user_has_every_layer_that_is_for_it() -> None:
    found = doctor_in_mode("user")
    assert found["fit"], found
    assert states(found) == {
        "uid": "not needed",
        "namespaces": "active",
        "rlimits": "active",
        "landlock": "active",
        "seccomp": "active",
    }


@pytest.mark.parametrize("mode", ["user,no-namespaces", "no-namespaces"])
def test_without_user_namespaces_the_rest_still_holds(mode: str) -> None:
    found = doctor_in_mode(mode)
    assert found["fit"], found
    assert found["escapes"] == []
    assert states(found)["namespaces"] == "refused"
    assert states(found)["landlock"] == states(found)["seccomp"] == "active"


@pytest.mark.parametrize("mode", ["user", "user,no-namespaces", "no-namespaces"])
def test_workers_are_judged_alike_in_every_mode(mode: str) -> None:
    files = ["tests/sandbox/test_worker.py", "tests/sandbox/test_zygote.py"]
    quick = ["-k", "not two_thousand and not whole_standard_library"]
    done = run_in_mode(mode, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, *quick)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.parametrize("layer", sorted(ALL_LAYERS))
def test_each_layer_can_be_switched_off_alone(layer: Layer, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def f(view): return view + 1\n")
    with Zygote(layers=ALL_LAYERS - {layer}, accept_missing_layers=True) as zygote:
        assert layer not in zygote.layers
        with zygote.spawn(tmp_path / "bot.py") as worker:
            assert worker.call("f", 1) == 2


def test_below_the_minimum_strangers_are_refused_with_a_way_to_proceed() -> None:
    with pytest.raises(MissingLayers) as caught:
        Zygote(layers=ALL_LAYERS - {Layer.SECCOMP})
    assert "seccomp" in str(caught.value)
    assert "--accept-missing-layers" in str(caught.value)
    assert "referee doctor" in str(caught.value)


@pytest.mark.parametrize(
    ("off", "root", "lacking"),
    [
        ([], True, ""),
        ([Layer.NAMESPACES], True, ""),
        ([Layer.LANDLOCK], True, ""),
        ([Layer.UID], False, ""),
        ([Layer.UID], True, "uid"),
        ([Layer.RLIMITS], False, "rlimits"),
        ([Layer.SECCOMP], False, "seccomp"),
        ([Layer.NAMESPACES, Layer.LANDLOCK], False, "namespaces or landlock"),
    ],
)
def test_the_minimum(off: list[Layer], root: bool, lacking: str) -> None:
    assert shortfall(ALL_LAYERS - set(off), root=root) == lacking


def test_another_system_is_told_what_it_lacks() -> None:
    lines = possible(ALL_LAYERS, "darwin", root=False)
    missing = {layer for layer, line in lines.items() if line.state is LayerState.MISSING}
    assert missing == {Layer.NAMESPACES, Layer.LANDLOCK, Layer.SECCOMP}
    left = ALL_LAYERS - missing
    assert shortfall(left, root=False)
    assert "darwin has no such thing" in explain_missing(shortfall(left, root=False), lines.values())


def test_windows_is_sent_to_wsl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.zygote.os.name", "nt")
    with pytest.raises(MissingLayers, match="WSL"):
        Zygote()
