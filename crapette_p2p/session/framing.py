"""Length-prefixed frames out of a byte stream, however it is cut (protocol.md 3).

A frame is ``u32be L`` and L bytes of payload. The length is judged before a
byte of payload is waited for, so a peer cannot make this side hold more than one
frame; the limit is given at each look because READY 0 raises it.
"""

from __future__ import annotations

import struct
from typing import Final

from crapette_p2p.errors import RemoteProtocolError

FRAME_MAX_LOGIN: Final = 1_024
"""Largest payload before READY 0: the longest login message is below 200 bytes."""
FRAME_MAX: Final = 16_384
"""Largest payload after it: a REVEAL of 128 candidates needs 11.7 KiB."""
HEADER: Final = 4


def frame(payload: bytes) -> bytes:
    """The payload with its length in front."""
    return struct.pack(">I", len(payload)) + payload


class FrameReader:
    """Collects bytes and hands out whole payloads."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Add what arrived."""
        self._buffer += data

    def next_payload(self, limit: int) -> bytes | None:
        """The next whole payload, or None until more has arrived.

        Raises RemoteProtocolError (100) for a length of 0 or above ``limit``.
        """
        if len(self._buffer) < HEADER:
            return None
        length = int.from_bytes(self._buffer[:HEADER], "big")
        if not 0 < length <= limit:
            raise RemoteProtocolError(f"a frame of {length} bytes", code=100)
        end = HEADER + length
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[HEADER:end])
        del self._buffer[:end]
        return payload

    def clear(self) -> None:
        """Forget what has arrived; the link is over."""
        self._buffer.clear()
