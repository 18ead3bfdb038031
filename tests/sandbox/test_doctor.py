"""`referee doctor`: the table, the verdict, the exit code."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from referee.cli import main
from sandbox import doctor
from sandbox.layers import Layer
from sandbox.zygote import Zygote


def test_doctor_draws_a_table_and_closes_with_a_verdict() -> None:
    done = CliRunner().invoke(main, ["doctor"])
    assert done.exit_code == 0, done.output
    for layer in Layer:
        assert layer.value in done.output
    assert "cores" in done.output
    assert done.output.strip().splitlines()[-1].startswith("This machine may run strangers' code")


def test_doctor_for_programs_is_one_json_object() -> None:
    done = CliRunner().invoke(main, ["doctor", "--json"])
    found = json.loads(done.stdout)
    assert found["fit"] is True
    assert {line["layer"] for line in found["layers"]} == {layer.value for layer in Layer}
    assert all(line["purpose"] for line in found["layers"])
    assert found["escapes"] == []


def test_an_unfit_machine_says_why_and_exits_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Zygote.__init__  # on a machine whose kernel has no seccomp filter
    fewer = frozenset(Layer) - {Layer.SECCOMP}
    monkeypatch.setattr(Zygote, "__init__", lambda self, **options: real(self, layers=fewer, **options))
    done = CliRunner().invoke(main, ["doctor"])
    assert done.exit_code == 1
    said = " ".join(done.output.split())
    assert "may not run strangers' code: it lacks seccomp" in said
    assert "--accept-missing-layers" in said
    found = doctor.examine()
    assert not found.fit
    assert "make a socket" in found.escapes
