"""The playing strengths and the rates at which they err.

A bot that never errs makes Stop! pointless, so the rates are stated and open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """One strength."""

    name: str
    overlooks_duty: float
    """How often, asked for an action, it does not see that a duty stands."""
    notices_offence: float
    """How often it notices an offence of the opponent (and calls Stop)."""
    overlooks_play: float
    """How often, asked for an action, it does not see a play it would like."""
    nodes: int = 0
    """Boards it looks at for one action where nobody says otherwise; 0 = no search."""

    @property
    def searches(self) -> bool:
        """Whether it looks ahead."""
        return self.nodes > 0


LEVELS: Final[Mapping[str, Level]] = {
    "novice": Level("novice", 0.08, 0.30, 0.12),
    "club": Level("club", 0.02, 0.75, 0.0),
    "master": Level("master", 0.0, 1.0, 0.0, 1200),
    "baseline": Level("baseline", 0.0, 0.0, 0.0),
    "random": Level("random", 0.0, 0.0, 0.0),
}
"""By name; ``baseline`` is a fixed plain greedy player to measure others by, and
``random`` does anything at all that is accepted, offences included."""
PLAYED: Final = ("novice", "club", "master")
"""The levels a person can choose."""
