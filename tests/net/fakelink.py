"""The two ends of a link in memory, which behave as asyncio's do over TLS.

Nothing happens in a call: bytes arrive, an end is heard and ``connection_lost`` is
called when the loop comes round. There is no half-closed link. In one thing they
differ: a closing end waits for its reader without end, where TLS gives up after
``SHUTDOWN_SECONDS``. tests/contracts holds them together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

HIGH: Final = 64 * 1024
"""Unsent bytes from which on a writer has to pause, unless it says otherwise."""


class FakeTransport(asyncio.Transport):
    """One end; what is written to it waits for ever as long as it has no ``far``."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self.far: FakeTransport | None = None
        """The other end."""
        self.written = 0
        """How many bytes were taken to be sent."""
        self._protocol = protocol
        self._unsent = bytearray()
        self._high, self._low = HIGH, HIGH // 4
        self._paused = False
        self._reading = True
        self._closing = False
        self._lost = False
        self._far_is_gone = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Bytes for the other end; none are taken any more once it is closing."""
        if self._closing:
            return
        self.written += len(data)
        self._unsent += data
        if len(self._unsent) > self._high and not self._paused:
            self._paused = True
            self._protocol.pause_writing()
        self._soon(self._move)

    def close(self) -> None:
        """Send what is unsent, then let go."""
        if not self._closing:
            self._closing = True
            self._soon(self._move)

    def abort(self) -> None:
        """Let go at once, whatever is unsent."""
        self._closing = True
        self._unsent.clear()
        self._soon(self._lose)

    def is_closing(self) -> bool:
        """Whether either was asked, by us or by the other end."""
        return self._closing

    def can_write_eof(self) -> bool:
        """TLS has no half-closed links."""
        return False

    def set_write_buffer_limits(
        self, high: int | None = None, low: int | None = None
    ) -> None:
        """When the protocol has to pause writing, and when it may go on."""
        self._high = HIGH if high is None else high
        self._low = self._high // 4 if low is None else low

    def get_write_buffer_size(self) -> int:
        """How much is unsent."""
        return len(self._unsent)

    def pause_reading(self) -> None:
        """Take nothing more from the other end."""
        self._reading = False

    def resume_reading(self) -> None:
        """Take it again."""
        self._reading = True
        if self.far is not None:
            self._soon(self.far._move)
        if self._far_is_gone:
            self._soon(self._hear_end)

    def _soon(self, call: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(call)

    def _move(self) -> None:
        """Carry what is unsent to the other end, and the end of it."""
        far = self.far
        if far is None or self._lost or not far._reading:
            return
        data, self._unsent = bytes(self._unsent), bytearray()
        if data and not far._closing:
            far._protocol.data_received(data)
        if self._paused:
            self._paused = False
            self._protocol.resume_writing()
        if self._closing and not self._unsent:
            self._lose()

    def _lose(self) -> None:
        if self._lost:
            return
        self._lost = self._closing = True
        if self.far is not None:
            self._soon(self.far._hear_end)
        self._protocol.connection_lost(None)

    def _hear_end(self) -> None:
        """The other end is gone; this one goes by itself, once it reads that."""
        self._far_is_gone = True
        if self._reading and not self._lost:
            if not self._closing:
                self._protocol.eof_received()
            self._unsent.clear()
            self._lose()


def linked(left: asyncio.Protocol, right: asyncio.Protocol) -> None:
    """Join two protocols."""
    ends = FakeTransport(left), FakeTransport(right)
    for end, far, protocol in zip(ends, reversed(ends), (left, right), strict=True):
        end.far = far
        protocol.connection_made(end)
