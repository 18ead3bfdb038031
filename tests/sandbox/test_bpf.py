"""The assembler of BPF programs: jumps of every length, and the one thing that differs between workers."""

from __future__ import annotations

import pytest

from sandbox.layers.bpf import Answer, Listing
from sandbox.layers.seccomp import assemble
from sandbox.layers.syscall_numbers import NUMBERS
from tests.sandbox import bpf

AUDIT_ARCH_X86_64 = 0xC000003E


def test_only_the_pid_differs_between_workers() -> None:
    filter_ = assemble("x86_64")
    for_2, for_70000 = filter_.for_pid(2), filter_.for_pid(70_000)
    differing = {at // 4 for at in range(len(for_2)) if for_2[at] != for_70000[at]}
    assert differing == {slot // 4 for slot in filter_.pid_slots}
    assert len(filter_.pid_slots) == 4  # kill, tgkill, getpgid, prlimit64
    assert filter_.length * 8 == len(for_2) == len(filter_.code)
    assert all(for_70000[slot : slot + 4] == (70_000).to_bytes(4, "little") for slot in filter_.pid_slots)


@pytest.mark.parametrize("pid", [0, -1, -2, 2**31, 2**32 + 2])
def test_a_pid_that_names_more_than_one_process_is_refused(pid: int) -> None:
    with pytest.raises(ValueError, match="not the pid of one process"):
        assemble("x86_64").for_pid(pid)


def test_a_program_without_its_pid_allows_no_signal_at_all() -> None:
    unpatched = bpf.decode(assemble("x86_64").code)
    for pid in (*range(-5, 5), 2**22):  # PID_MAX_LIMIT
        data = bpf.seccomp_data(NUMBERS["kill"][0], AUDIT_ARCH_X86_64, (pid,))
        assert bpf.run(unpatched, data).answer == Answer.EPERM.value


@pytest.mark.parametrize("distance", [0, 1, 250, 253, 254, 255, 256, 257, 600])
def test_a_jump_reaches_its_label_however_far(distance: int) -> None:
    code = Listing()
    code.load_number()
    code.if_equal(1, then="far", otherwise="farther")
    for _ in range(distance):
        code.keep_bits(0)
    code.answer(Answer.EPERM)
    code.label("far")
    code.if_equal(1, then=Answer.ALLOW)
    code.answer(Answer.DONE)
    code.label("farther")
    code.if_equal(2, then=Answer.ENOMEM, otherwise=Answer.ENOSYS)
    linked = bpf.decode(code.link().code)
    bpf.check(linked)
    answers = [bpf.run(linked, bpf.seccomp_data(number, 0, ())).answer for number in (1, 2, 3)]
    assert answers == [Answer.ALLOW.value, Answer.ENOMEM.value, Answer.ENOSYS.value]
