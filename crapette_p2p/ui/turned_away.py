"""**Pure**: lines about who was turned away at the door, however many they are.

A stranger can knock as often as the door allows; whoever reads lines, or keeps them
in a file, gets the first of them and then how many there were.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.ui.language import Words

SHOWN: Final = 5
"""How many are told of one by one."""


class TurnedAwayLines:
    """What is said of those who did not get the seat, at one door."""

    def __init__(self) -> None:
        self._count = 0

    def line(self, text: str, words: Words) -> str:
        """The line for one more, of whom ``text`` would tell; empty for none."""
        self._count += 1
        if self._count <= SHOWN:
            return text
        if str(self._count).strip("0") == "1":  # 10, 100, 1,000 …
            return words("turned away so far: {n}", n=self._count)
        return ""
