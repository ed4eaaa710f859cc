"""Standard input that never ends."""

from __future__ import annotations

import io


class Endless(io.StringIO):
    """Goes on with the same text for ever; whoever reads without a bound fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self.taken = 0
        """Characters that were read."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override] # as StringIO does
        """A line, or as much of it as is wanted."""
        has_end = self._text.endswith("\n")
        if not (has_end or size >= 0):
            raise AssertionError("this line is read for ever")
        line = self._text if has_end else self._text * size
        self.taken += len(line)
        return line
