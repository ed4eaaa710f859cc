"""Is the deal over, who has won, and what it scores (20-rules.md 7-9)."""

from __future__ import annotations

from crapette_p2p.engine.layout import DRAWN, RESERVE, STOCK, WASTE, Seat, other
from crapette_p2p.engine.position import End, EndReason
from crapette_p2p.engine.ruleset import RuleSet

Piles = tuple[bytes, ...]

WIN_BONUS = 30
"""What a win scores under ``hoyle`` besides the loser's cards."""
MIN_IDLE_LIMIT = 8
"""A deal is never blocked by fewer idle turns."""


def hand_size(piles: Piles, seat: int) -> int:
    """Cards in stock, drawn card and waste of ``seat``."""
    return (
        len(piles[STOCK + seat]) + len(piles[DRAWN + seat]) + len(piles[WASTE + seat])
    )


def personal_total(piles: Piles) -> int:
    """Personal cards of both players."""
    return sum(map(len, piles[RESERVE:]))


def idle_limit(piles: Piles) -> int:
    """Idle turns that block a deal with these piles: 2m + 2, at least 8."""
    return max(MIN_IDLE_LIMIT, 2 * max(hand_size(piles, 0), hand_size(piles, 1)) + 2)


def count(piles: Piles, seat: int) -> int:
    """The count of ``seat``: 1 a stock, drawn or waste card, 2 a reserve card."""
    return hand_size(piles, seat) + 2 * len(piles[RESERVE + seat])


def has_won(rules: RuleSet, piles: Piles, seat: int) -> bool:
    """Whether ``seat`` has got rid of everything the rules ask for.

    Asked after each table action of ``seat``, a pass included: where the tableau
    counts, the columns may have been emptied by the opponent meanwhile.
    """
    if piles[RESERVE + seat] or hand_size(piles, seat):
        return False
    if rules.win_needs_tableau == "own4":
        return not any(piles[4 * seat : 4 * seat + 4])
    if rules.win_needs_tableau == "all8":
        return not any(piles[:8])
    return True


def win_by(
    rules: RuleSet,
    piles: Piles,
    winner: Seat,
    reason: EndReason,
    provisional_by: Seat | None = None,
) -> End:
    """The end in which ``winner`` takes the deal, with its points."""
    points = 1
    if rules.scoring == "hoyle":
        points = WIN_BONUS + count(piles, other(winner))
    return End(winner, reason, provisional_by, points)


def blocked_end(
    rules: RuleSet,
    piles: Piles,
    provisional_by: Seat | None = None,
    *,
    at_limit: bool = False,
) -> End:
    """The end of a deal that is blocked."""
    ours, theirs = count(piles, 0), count(piles, 1)
    winner: Seat | None = None
    points = 0
    if rules.blocked_result == "difference" and ours != theirs:
        winner = Seat(0) if ours < theirs else Seat(1)
        points = abs(ours - theirs) if rules.scoring == "hoyle" else 1
    return End(winner, EndReason.BLOCKED, provisional_by, points, at_limit)
