"""Frames out of a byte stream."""

from __future__ import annotations

import pytest

from crapette_p2p.errors import RemoteProtocolError
from crapette_p2p.session.framing import (
    FRAME_MAX,
    FRAME_MAX_LOGIN,
    FrameReader,
    frame,
)

PAYLOADS = [b"a", b"bc" * 300, bytes(1024), b"\0"]


def _read(pieces: list[bytes], limit: int = FRAME_MAX) -> list[bytes]:
    reader, found = FrameReader(), []
    for piece in pieces:
        reader.feed(piece)
        while (payload := reader.next_payload(limit)) is not None:
            found.append(payload)
    return found


def test_any_cutting_gives_the_same_payloads() -> None:
    """All at once, byte by byte and in odd pieces the payloads are the same."""
    stream = b"".join(frame(payload) for payload in PAYLOADS)
    assert _read([stream]) == PAYLOADS
    assert _read([stream[i : i + 1] for i in range(len(stream))]) == PAYLOADS
    assert _read([stream[i : i + 37] for i in range(0, len(stream), 37)]) == PAYLOADS


@pytest.mark.parametrize(
    ("length", "limit"),
    [
        (0, FRAME_MAX_LOGIN),
        (FRAME_MAX_LOGIN + 1, FRAME_MAX_LOGIN),
        (0, FRAME_MAX),
        (FRAME_MAX + 1, FRAME_MAX),
        (2**32 - 1, FRAME_MAX),
    ],
)
def test_a_bad_length_is_refused_before_its_payload_comes(
    length: int, limit: int
) -> None:
    """W1-W4: the length alone is enough for code 100."""
    reader = FrameReader()
    reader.feed(length.to_bytes(4, "big"))
    with pytest.raises(RemoteProtocolError) as caught:
        reader.next_payload(limit)
    assert caught.value.code == 100


def test_the_largest_frame_of_each_stage_passes() -> None:
    """The limits themselves are lawful."""
    for limit in (FRAME_MAX_LOGIN, FRAME_MAX):
        assert _read([frame(bytes(limit))], limit) == [bytes(limit)]


def test_a_torn_frame_is_simply_awaited() -> None:
    """W5: half a frame is nothing yet."""
    assert _read([frame(b"abcdef")[:-1]]) == []
