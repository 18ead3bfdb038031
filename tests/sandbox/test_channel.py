"""Frames, with bytes alone."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.channel import HEADER, PLAIN_TYPE, BrokenFrame, FrameReader, Message, frame


@given(st.binary(max_size=300), st.integers(0, 2**32 - 1), st.integers(0, 255), st.lists(st.integers(1, 50)))
def test_a_frame_is_read_whole_whatever_pieces_it_comes_in(
    payload: bytes, sequence: int, kind: int, pieces: list[int]
) -> None:
    reader = FrameReader(1000)
    data = frame(sequence, kind, payload)
    got = None
    while data:
        assert got is None
        size = pieces.pop() if pieces else len(data)
        got, data = reader.feed(data[:size]), data[size:]
    assert got == Message(sequence, kind, payload)
    assert reader.left == 0


@given(st.lists(st.binary(max_size=40), min_size=2, max_size=5))
def test_several_frames_in_one_piece_come_out_one_by_one(payloads: list[bytes]) -> None:
    reader = FrameReader(1000)
    data = b"".join(frame(i, 0, payload) for i, payload in enumerate(payloads))
    got = [reader.feed(data)] + [reader.feed() for _ in payloads[1:]]
    assert [message.payload for message in got if message] == payloads
    assert reader.feed() is None


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_do_anything_else(data: bytes) -> None:
    reader = FrameReader(50)
    try:
        message = reader.feed(data)
    except BrokenFrame:
        assert len(data) >= HEADER.size
    else:
        assert message is None or len(message.payload) <= 50


def test_a_length_beyond_the_limit_is_refused_from_the_header_alone() -> None:
    with pytest.raises(BrokenFrame, match="2,147,483,647"):
        FrameReader(1 << 20).feed(HEADER.pack(2**31 - 1, 0, 0))


def test_a_megabyte_sent_a_byte_at_a_time_costs_no_more_than_its_bytes() -> None:
    reader = FrameReader(1 << 20)
    data = frame(7, 0, b"x" * 200_000)
    for index in range(len(data) - 1):
        assert reader.feed(data[index : index + 1]) is None
    message = reader.feed(data[-1:])
    assert message is not None
    assert len(message.payload) == 200_000


@pytest.mark.parametrize("value", [{1: 2}, {None: 1}, {"a": {2**61 - 1: 0}}, [[{(1, 2): 3}]], [[[[[[[[[[]]]]]]]]]]])
def test_plain_data_has_text_for_keys_and_is_not_deep(value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=PLAIN_TYPE)


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(plain)
def test_other_plain_data_passes_unchanged(value: object) -> None:
    data = msgspec.msgpack.encode(value)
    try:
        assert msgspec.msgpack.decode(data, type=PLAIN_TYPE) == value
    except msgspec.ValidationError:
        assert str(value).count("[") + str(value).count("{") > 8  # nested deeper than allowed
