"""What a player can do, as small frozen values (20-rules.md).

The seat is never part of an action: it is passed beside it. ``Move`` and
``Stop`` name exact piles (a foundation by its number, the lower of two that
fit); ``F``, ``OR`` and the like are notation (``engine/notation.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from crapette_p2p.engine.layout import PileId


@dataclass(frozen=True, slots=True)
class Move:
    """Exactly one card from the top of one pile to another pile."""

    source: PileId
    """Own reserve, drawn card, a column (own waste where playable)."""
    target: PileId
    """A foundation, a column, the opponent's reserve or waste."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn up the top of the own stock (recycling the waste if it is empty)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay the drawn card on the own waste; ends the turn."""


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn with nothing left to turn or discard."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The opponent's call; names the missed play."""

    source: PileId
    """Where the missed card lay (the offender's reserve, drawn card or a column)."""
    target: PileId
    """The foundation it would have gone to, or the space to fill."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Accept the provisional end of a deal in a game with calls."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Lose the deal at once."""


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer a draw; at most once a turn."""


@dataclass(frozen=True, slots=True)
class AnswerDraw:
    """Answer the open offer."""

    accept: bool
    """True ends the deal as agreed."""


TableAction = Move | Turn | Discard | Pass
"""What the mover does on the table."""
Action = Move | Turn | Discard | Pass | Stop | Grant | Resign | OfferDraw | AnswerDraw

TURN: Final = Turn()
DISCARD: Final = Discard()
PASS: Final = Pass()
GRANT: Final = Grant()
RESIGN: Final = Resign()
OFFER_DRAW: Final = OfferDraw()
ACCEPT_DRAW: Final = AnswerDraw(accept=True)
DECLINE_DRAW: Final = AnswerDraw(accept=False)
