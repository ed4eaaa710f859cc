"""What the outcomes of an arena add up to: score, interval, lengths, offences.

The score of ``a`` counts a draw as half a win. Each deal is played twice with
seats changed, and the two games share their cards, so the unit of the interval is
the pair: luck that both seatings have in common cancels out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.arena.deals import Outcome

Z95: Final = 1.96
"""Standard errors on either side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of something, with its 95 % interval."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """Rounded to a thousandth: more digits would be noise."""
        return {
            "value": round(self.value, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
        }


@dataclass(frozen=True, slots=True)
class Spread:
    """A few numbers that describe many."""

    mean: float
    median: float
    p90: float
    most: int

    def to_json(self) -> dict[str, float]:
        """As JSON."""
        return {
            "mean": round(self.mean, 1),
            "median": self.median,
            "p90": self.p90,
            "max": self.most,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What one of the two levels did over all games."""

    wins: int
    points: int
    offences: int
    right_calls: int
    wrong_calls: int

    def to_json(self) -> dict[str, int]:
        """As JSON."""
        return {
            "wins": self.wins,
            "points": self.points,
            "offences": self.offences,
            "right_calls": self.right_calls,
            "wrong_calls": self.wrong_calls,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The figures of an arena."""

    deals: int
    games: int
    a: Side
    b: Side
    draws: int
    blocked: int
    at_limit: int
    """Games that reached the limit of events."""
    score: Share
    """Of ``a``: wins plus half the draws."""
    first_player: Share
    """The score of whoever moved first."""
    events: Spread
    turns: Spread
    longest_turn: Spread
    """Table actions of the longest turn of each game."""

    def to_json(self) -> dict[str, object]:
        """As one JSON object."""
        return {
            "deals": self.deals,
            "games": self.games,
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "draws": self.draws,
            "blocked": self.blocked,
            "limit": self.at_limit,
            "score": self.score.to_json(),
            "first_player": self.first_player.to_json(),
            "events": self.events.to_json(),
            "turns": self.turns.to_json(),
            "longest_turn": self.longest_turn.to_json(),
        }


def seat_of_a(outcome: Outcome) -> int:
    """The seat ``a`` had."""
    return int(outcome.swapped)


def score_for(outcome: Outcome, seat: int) -> float:
    """1 for a win of ``seat``, 0.5 for a draw."""
    if outcome.winner is None:
        return 0.5
    return float(outcome.winner == seat)


def report_on(outcomes: Sequence[Outcome]) -> Report:
    """Add the outcomes up; there has to be at least one."""
    by_deal: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        by_deal.setdefault(outcome.number, []).append(outcome)
    pairs = [
        sum(score_for(o, seat_of_a(o)) for o in both) / len(both)
        for both in by_deal.values()
    ]
    return Report(
        deals=len(by_deal),
        games=len(outcomes),
        a=_side(outcomes, swapped_seat=0),
        b=_side(outcomes, swapped_seat=1),
        draws=sum(o.winner is None for o in outcomes),
        blocked=sum(o.reason == "blocked" for o in outcomes),
        at_limit=sum(o.reason == "limit" for o in outcomes),
        score=share_of(pairs),
        first_player=share_of([score_for(o, o.starter) for o in outcomes]),
        events=_spread(o.events for o in outcomes),
        turns=_spread(o.turns for o in outcomes),
        longest_turn=_spread(o.longest_turn for o in outcomes),
    )


def _side(outcomes: Sequence[Outcome], *, swapped_seat: int) -> Side:
    """``a`` sits at 0 unless seats are swapped, ``b`` at 1."""
    seats = [(o, seat_of_a(o) ^ swapped_seat) for o in outcomes]
    return Side(
        wins=sum(o.winner == seat for o, seat in seats),
        points=sum(o.points for o, seat in seats if o.winner == seat),
        offences=sum(o.offences[seat] for o, seat in seats),
        right_calls=sum(o.right_calls[seat] for o, seat in seats),
        wrong_calls=sum(o.wrong_calls[seat] for o, seat in seats),
    )


def share_of(values: Sequence[float]) -> Share:
    """The mean of values between 0 and 1, with its interval.

    Where all values are alike their spread says nothing; then it is Wilson's
    interval, which stays honest at 0 and at 1.
    """
    count = len(values)
    mean = math.fsum(values) / count
    squares = math.fsum((value - mean) ** 2 for value in values)
    if squares == 0 or count < 2:
        return _wilson(mean, count)
    reach = Z95 * math.sqrt(squares / (count - 1) / count)
    return Share(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def _wilson(mean: float, count: int) -> Share:
    square = Z95 * Z95 / count
    middle = (mean + square / 2) / (1 + square)
    spread = mean * (1 - mean) / count + square / (4 * count)
    reach = Z95 * math.sqrt(spread) / (1 + square)
    low = 0.0 if mean == 0 else middle - reach
    return Share(mean, low, 1.0 if mean == 1 else middle + reach)


def _spread(numbers: Iterable[int]) -> Spread:
    ordered = sorted(numbers)
    count = len(ordered)
    return Spread(
        mean=sum(ordered) / count,
        median=ordered[count // 2],
        p90=ordered[min(count - 1, count * 9 // 10)],
        most=ordered[-1],
    )
