"""The bar over the table and the sentence that says what can be done now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crapette_p2p.engine import Position, Seat
from crapette_p2p.engine.duties import opens_with_turn
from crapette_p2p.engine.layout import DRAWN, STOCK, WASTE, other
from crapette_p2p.gamelog.times import clock_text
from crapette_p2p.ui.input.calling import may_call
from crapette_p2p.ui.input.keymap import Binding
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.render.cells import cut
from crapette_p2p.ui.view import BarPiece, Text

_NAME_WIDTH = 14
_COUNTED_DOWN = 4
"""From so many turns on the end of a deal without progress is in sight."""
Calls = Sequence[Sequence[int]]
"""By seat: right calls, wrong calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BarState:
    """What the bar speaks of."""

    position: Position
    """The table on the screen."""
    seat: int
    """Ours."""
    names: tuple[str, str]
    """Nicks by seat."""
    verified: bool
    """Whether the opponent's key is vouched for."""
    turn: int
    """Number of the turn."""
    link: str
    """The state of the connection, in a word or two."""
    link_style: str = ""
    """Its style."""
    calls: Calls = ((0, 0), (0, 0))
    """Right and wrong Stop! calls of each seat."""
    dealing: bool = False
    """Whether the cards are still being laid out, for the eye."""
    clocks: tuple[int | None, int | None] | None = None
    """Seconds of the game and of this turn, where they are known."""


def bar_pieces(state: BarState, words: Words) -> tuple[BarPiece, ...]:
    """The bar; whose turn it is changes place as well as words."""
    own, theirs = state.names[state.seat], state.names[other(state.seat)]
    tick = " ✓" if state.verified else ""
    names = f"{cut(own, _NAME_WIDTH)} – {cut(theirs, _NAME_WIDTH)}{tick}"
    turn = words("turn {n}", n=state.turn)
    rest = (
        BarPiece(calls_text(state.calls, state.seat, words), 4),
        BarPiece(_countdown(state.position, words), 6, "alarm"),
        *_clock_pieces(state.clocks, words),
        BarPiece(state.link, 6 if state.link_style else 2, state.link_style),
    )
    head = (BarPiece("Crapette", 1), BarPiece(names, 7))
    whose = _whose(state, cut(theirs, _NAME_WIDTH), words)
    if whose.style == "turn":
        return (*head, BarPiece(turn, 5), whose, *rest)
    return (*head, BarPiece(turn, 5), *rest, whose)


def _whose(state: BarState, name: str, words: Words) -> BarPiece:
    end = state.position.end
    if state.dealing:
        return BarPiece(words("dealing …"), 9)
    if end is not None:
        text = words("ended?") if end.provisional_by is not None else words("the end")
        return BarPiece(text, 9)
    if state.position.active == state.seat:
        return BarPiece(words("► YOUR MOVE"), 9, "turn")
    return BarPiece(words("{name} plays …", name=name), 9)


def _countdown(position: Position, words: Words) -> str:
    """How many turns without progress are left before the deal is blocked."""
    left = position.counters.limit - position.counters.idle
    if left > _COUNTED_DOWN or position.end is not None:
        return ""
    return words.count("blocked in {n} turn", "blocked in {n} turns", max(left, 0))


def _clock_pieces(
    clocks: tuple[int | None, int | None] | None, words: Words
) -> tuple[BarPiece, ...]:
    if clocks is None:
        return ()
    game, turn = (None if known is None else clock_text(known) for known in clocks)
    return (
        BarPiece(words("game {time}", time=game) if game else "", 0),
        BarPiece(words("this turn {time}", time=turn) if turn else "", 3),
    )


def calls_text(calls: Calls, seat: int, words: Words) -> str:
    """Right and wrong calls, ours first, once there were any."""
    if not any(map(any, calls)):
        return ""
    (right, wrong), (theirs, amiss) = calls[seat], calls[other(seat)]
    text = "Stop! {right}✓{wrong}✗ : {theirs}✓{amiss}✗"
    return words(text, right=right, wrong=wrong, theirs=theirs, amiss=amiss)


def usual_message(
    position: Position, seat: int, name: str, words: Words, *, laid_by: bool = False
) -> tuple[Text, Text]:
    """What can be done now, in full and short; never which play is due.

    A drawn card that was *laid by* is in hand, but not picked.
    """
    if position.end is not None or position.active != seat:
        only = _waiting_message(position, seat, name, words)
        return only, only
    face = position.top(DRAWN + seat)
    if face >= 0:
        text = " in hand – press a pile, Esc: another card first, d: end your turn"
        brief = " in hand – press a pile, or d to end your turn"
        if laid_by:
            text = " in hand – Space picks it again, d discards it and ends your turn"
            brief = " in hand – Space picks it, d ends your turn"
        return (face, words(text)), (face, words(brief))
    if opens_with_turn(position):
        text = brief = "Your move: Space turns the card that begins the turn"
        if may_call(position, Seat(seat)):
            text = "Your move: Space turns a card; until then ! calls Stop!"
        return (words(text),), (words(brief),)
    if position.piles[STOCK + seat] or position.piles[WASTE + seat]:
        text = "Your move: pile keys, from where then where to, or Space to draw"
        brief = "Your move: two pile keys, or Space to draw"
        if may_call(position, Seat(seat)):
            text = (
                "Your move: two pile keys, or Space to draw; until then ! calls Stop!"
            )
        return (words(text),), (words(brief),)
    only = (words("Your move. Nothing is left to turn: d passes"),)
    return only, only


def over_message(
    keys: Sequence[Binding], words: Words, *, match: bool
) -> tuple[Text, Text]:
    """What can be done after the deal (the whole *match*), in full and short."""
    over = words("The match is over.") if match else words("The deal is over.")
    offers = ", ".join(f"{row.key}: {words(row.label)}" for row in keys)
    return (f"{over} {offers}",), (over,)


def _waiting_message(position: Position, seat: int, name: str, words: Words) -> Text:
    """What is waited for while there is nothing to play."""
    end = position.end
    if end is not None:
        if end.provisional_by == other(seat):
            return (words("The deal ends here? g grants it, ! calls Stop!"),)
        if end.provisional_by is not None:
            return (words("Waiting for {name} to grant the end …", name=name),)
        return (words("The deal is over."),)
    if position.rules.has_calls:
        text = "{name} plays. ! calls Stop! if a play was missed"
        return (words(text, name=name),)
    return (words("{name} plays.", name=name),)


def picked_message(position: Position, picked: int, key: str, words: Words) -> Text:
    """A card is picked and waits for its destination."""
    return (f"{key}… ", position.top(picked), words(" – where to? (Esc puts it back)"))
