"""A bot that advises: it sees no more than the player it helps."""

from __future__ import annotations

import random
from typing import Final

from crapette_p2p.bot import choose
from crapette_p2p.engine import Action, Position, Seat

LEVEL: Final = "club"
"""Strength of the advice."""


def advice(position: Position, seat: Seat) -> Action | None:
    """What a bot would do now."""
    rand = random.Random().random  # noqa: S311 - a matter of taste, no secret
    return choose(position, seat, level=LEVEL, rand=rand)
