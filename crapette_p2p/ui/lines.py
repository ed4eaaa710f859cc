"""**Pure**: positions and events → the sentences of the line mode.

Append-only text for screen readers, pipes and scripts: one thing a line, no
drawing, no colour, no control character. Cards are written as in files (``7H``)
or, spoken, in words. Nothing here tells of a duty or an offence before a call:
a faulty move reads like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.cards import SUIT_ORDER_TEXT, SUITS, format_card
from crapette_p2p.engine.actions import (
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Resign,
    Stop,
    Turn,
)
from crapette_p2p.engine.layout import (
    FOUNDATIONS,
    Seat,
    drawn,
    is_column,
    is_foundation,
    other,
    reserve,
    stock,
    waste,
)
from crapette_p2p.engine.position import End, EndReason, Position
from crapette_p2p.engine.stop import judge
from crapette_p2p.ui.faces import card_name
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.taken_back import NAMED, Undone

_SUIT_NAMES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_SHORT_FAN: Final = 2
"""Fans up to this long are read out card by card."""

_OFFENCES: Final = {
    "reserve-first": "that was an offence: the reserve's card goes first.",
    "missed-foundation": "that was an offence: a card had to go to a foundation.",
    "unfilled-space": "that was an offence: a space had to be filled first.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """How things are said, and to whom."""

    seat: Seat
    """Who reads."""
    names: tuple[str, str]
    """Nicks by seat."""
    words: Words = ENGLISH
    """Language."""
    spoken: bool = False
    """Cards in words."""

    def card(self, face: int) -> str:
        """``7H``, or ``seven of hearts``."""
        return card_name(face, self.words) if self.spoken else format_card(face)

    def who(self, seat: int) -> str:
        """``you``, or the other's nick."""
        return self.words("you") if seat == self.seat else self.names[seat]

    def cards(self, faces: Iterable[int]) -> str:
        """Several cards; words would run into each other without commas."""
        return (", " if self.spoken else " ").join(map(self.card, faces))

    def pile(self, pile: int, actor: int) -> str:
        """A pile as ``actor`` would call it."""
        if is_column(pile):
            return self.words("fan {n}", n=pile + 1)
        if is_foundation(pile):
            return self.words("foundation")
        for name, owned in (("reserve", reserve), ("waste", waste), ("stock", stock)):
            if pile == owned(actor):
                return self.words(name)
            if pile == owned(other(actor)):
                return self._of_the_other(name, other(actor))
        return self.words("drawn card")

    def _of_the_other(self, name: str, owner: Seat) -> str:
        if owner == self.seat:
            return self.words("your {pile}", pile=self.words(name))
        return self.words(
            "{who}'s {pile}", who=self.names[owner], pile=self.words(name)
        )


# The table ---------------------------------------------------------------------


def table_lines(position: Position, speech: Speech, *, turn: int) -> list[str]:
    """The whole table in four lines."""
    return [
        f"{turn_line(position, speech, turn=turn)} "
        f"{own_line(position, speech)} {other_line(position, speech)}",
        *fan_lines(position, speech),
        foundation_line(position, speech),
    ]


def turn_line(position: Position, speech: Speech, *, turn: int) -> str:
    """Whose turn it is."""
    return speech.words("turn {n}, {who}.", n=turn, who=speech.who(position.active))


def own_line(position: Position, speech: Speech) -> str:
    """The reader's own piles."""
    return _personal_line(position, speech, speech.seat)


def other_line(position: Position, speech: Speech) -> str:
    """The opponent's piles, with his name."""
    seat = other(speech.seat)
    return f"{speech.names[seat]}: {_personal_line(position, speech, seat)}"


def _personal_line(position: Position, speech: Speech, seat: Seat) -> str:
    words = speech.words
    parts = [_pile_phrase(position, speech, reserve(seat), words("reserve"))]
    if position.piles[drawn(seat)]:
        card = speech.card(position.top(drawn(seat)))
        parts.append(words("in hand {card}", card=card))
    count = len(position.piles[stock(seat)])
    parts.append(words("stock {n}", n=count) if count else words("stock empty"))
    parts.append(_pile_phrase(position, speech, waste(seat), words("waste")))
    return ". ".join(parts) + "."


def _pile_phrase(position: Position, speech: Speech, pile: int, name: str) -> str:
    count = len(position.piles[pile])
    if not count:
        return speech.words("{pile} empty", pile=name)
    card = speech.card(position.top(pile))
    return f"{name} {card}, " + speech.words.count("{n} card", "{n} cards", count)


def fan_lines(position: Position, speech: Speech) -> list[str]:
    """The eight fans, four a line."""
    lines = []
    for first in (0, 4):
        fans = [_fan_phrase(position, speech, fan) for fan in range(first, first + 4)]
        lines.append(speech.words("fans:") + " " + " ".join(fans))
    return lines


def _fan_phrase(position: Position, speech: Speech, fan: int) -> str:
    cards = [position.faces[slot] for slot in position.piles[fan]]
    number = fan + 1
    if not cards:
        return speech.words("{n} empty.", n=number)
    if len(cards) <= _SHORT_FAN:
        between = ", " if speech.spoken else " "
        return f"{number} {between.join(speech.card(card) for card in cards)}."
    ends = speech.words(
        "{n} {first} to {last}",
        n=number,
        first=speech.card(cards[0]),
        last=speech.card(cards[-1]),
    )
    return f"{ends}, {speech.words.count('{n} card', '{n} cards', len(cards))}."


def fan_line(position: Position, speech: Speech, fan: int) -> str:
    """One fan, card by card, the playable one last."""
    cards = [speech.card(position.faces[slot]) for slot in position.piles[fan]]
    name = speech.words("fan {n}", n=fan + 1)
    if not cards:
        return speech.words("{pile} empty", pile=name) + "."
    count = speech.words.count("{n} card", "{n} cards", len(cards))
    return f"{name}: {', '.join(cards)}. {count}."


def foundation_line(position: Position, speech: Speech) -> str:
    """How high each foundation stands, two a suit."""
    parts = []
    for suit in SUIT_ORDER_TEXT:
        first = FOUNDATIONS[2 * SUITS.index(suit)]
        low, high = (len(position.piles[first + i]) for i in (0, 1))
        parts.append(f"{speech.words(_SUIT_NAMES[suit])} {low}, {high}.")
    return speech.words("foundations:") + " " + " ".join(parts)


# What happened -----------------------------------------------------------------


def action_lines(
    action: Action, author: int, *, before: Position, after: Position, speech: Speech
) -> Iterator[str]:
    """What an action did; a turned card is said when it is open."""
    who = speech.who(author)
    words = speech.words
    match action:
        case Move(source, target):
            yield _move_line(before, author, source, target, speech)
        case Turn():
            yield from _turned_lines(before, after, author, speech)
        case Discard():
            card = speech.card(before.top(drawn(author)))
            yield words("{who}: discard {card}.", who=who, card=card)
        case Pass():
            yield words("{who}: pass.", who=who)
        case Stop(source, target):
            yield from _stop_lines(before, after, author, (source, target), speech)
        case Grant():
            yield words("{who}: granted.", who=who)
        case Resign():
            yield words("{who}: resign.", who=who)
        case OfferDraw():
            yield words("{who}: a draw is offered.", who=who)
        case AnswerDraw(accept=True):
            yield words("{who}: the draw is accepted.", who=who)
        case AnswerDraw():
            yield words("{who}: the draw is declined.", who=who)
    if after.penalty is not None:
        yield words(_OFFENCES[after.penalty.text])
        yield words("it is undone and the turn is lost.")


def opened_line(position: Position, pile: int, speech: Speech) -> str:
    """The card that has just been turned up on a stock or a reserve."""
    owner = Seat(pile & 1)
    card = speech.card(position.top(pile))
    if pile == reserve(owner):
        count = len(position.piles[pile])
        cards = speech.words.count("{n} card", "{n} cards", count)
        return speech.words(
            "{who}: the reserve shows {card}, {cards}.",
            who=speech.who(owner),
            card=card,
            cards=cards,
        )
    if owner == speech.seat:
        return speech.words(
            "drew {card}. name a pile, or d to discard and end your turn.", card=card
        )
    return speech.words("{who}: turn {card}.", who=speech.who(owner), card=card)


def _move_line(
    before: Position, author: int, source: int, target: int, speech: Speech
) -> str:
    return speech.words(
        "{who}: {source} to {target}, {card}.",
        who=speech.who(author),
        source=speech.pile(source, author),
        target=speech.pile(target, author),
        card=speech.card(before.top(source)),
    )


def _turned_lines(
    before: Position, after: Position, author: int, speech: Speech
) -> Iterator[str]:
    own = drawn(author)
    if not before.piles[stock(author)]:
        yield speech.words("{who}: the waste is turned over.", who=speech.who(author))
    if after.piles[own] and after.unopened() is None:
        yield opened_line(after, own, speech)


def _stop_lines(
    before: Position,
    after: Position,
    caller: int,
    named: tuple[int, int],
    speech: Speech,
) -> Iterator[str]:
    offender = other(caller)
    yield speech.words(
        "{who}: STOP. missed: {source} to {target}.",
        who=speech.who(caller),
        source=speech.pile(named[0], offender),
        target=speech.pile(named[1], offender),
    )
    if after.calls.wrong[caller] > before.calls.wrong[caller]:
        yield speech.words("wrong: that was not due.")
    else:
        yield speech.words("right: the offence is undone.")


def undone_lines(undone: Sequence[Undone], speech: Speech) -> Iterator[str]:
    """What a right call has taken back, the first of it by name."""
    words = speech.words
    if not undone:
        return
    yield words.count(
        "{n} play is taken back:", "{n} plays are taken back:", len(undone)
    )
    for step in undone[:NAMED]:
        yield from _undone_line(step, speech)
    if len(undone) > NAMED:
        yield words.count("and {n} more.", "and {n} more.", len(undone) - NAMED)


def made_up_line(stop: Stop, before: Position, speech: Speech) -> Iterator[str]:
    """That the missed play is made after all, where a right call does that."""
    offence = judge(before, stop)
    if offence is None or before.rules.missed_card_played_by == "nobody":
        return
    offender = offence.before.active
    yield speech.words(
        "the missed play is made: {source} to {target}, {card}.",
        source=speech.pile(stop.source, offender),
        target=speech.pile(stop.target, offender),
        card=speech.card(offence.before.top(stop.source)),
    )


def _undone_line(step: Undone, speech: Speech) -> Iterator[str]:
    if isinstance(step.action, Turn):  # whose card is in nobody's hand any more
        face = step.after.top(drawn(step.author))
        who, card = speech.who(step.author), speech.card(face)
        yield speech.words("{who}: turn {card}.", who=who, card=card)
    else:
        after = replace(step.after, penalty=None)
        yield from action_lines(
            step.action, step.author, before=step.before, after=after, speech=speech
        )


# The end -------------------------------------------------------------------------


def end_line(end: End, speech: Speech) -> str:
    """How the deal ended, or that it will unless Stop is called."""
    if end.provisional_by is not None:
        if end.provisional_by == speech.seat:
            return speech.words(
                "that ends the deal, if {who} grants it.",
                who=speech.names[other(speech.seat)],
            )
        return speech.words(
            "{who} has ended the deal: grant it, or call stop with the missed play.",
            who=speech.names[end.provisional_by],
        )
    reason = speech.words(_REASONS[end.reason])
    if end.winner is None:
        return speech.words("the deal is drawn: {reason}.", reason=reason)
    points = speech.words.count("{n} point", "{n} points", end.points)
    if end.winner == speech.seat:
        return speech.words(
            "you win: {reason}. {points}.", reason=reason, points=points
        )
    if end.reason == EndReason.RESIGNED:
        reason = speech.words("you resigned")
    return speech.words(
        "{who} wins: {reason}. {points}.",
        who=speech.names[end.winner],
        reason=reason,
        points=points,
    )


_REASONS: Final = {
    EndReason.EMPTY: "all own cards are gone",
    EndReason.BLOCKED: "the game is blocked",
    EndReason.AGREED: "a draw was agreed",
    EndReason.RESIGNED: "the other player resigned",
}
