"""Actions as text: ``R-F``, ``5-OW``, ``turn``, ``stop 5-F``, ``resign A``.

Text is relative to whoever acts (``R`` is his reserve, ``OW`` the opponent's
waste); in a Stop it is relative to the offender, whose play was missed.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.cards import UNKNOWN, Card, format_card, parse_card, shown
from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
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
from crapette_p2p.engine.fit import EMPTY, FIRST_FOUNDATION, MOVES, foundation_for
from crapette_p2p.engine.layout import (
    DRAWN,
    FOUNDATIONS,
    RESERVE,
    SEAT_NAMES,
    WASTE,
    Seat,
    other,
)
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.stop import resolve_stop
from crapette_p2p.errors import NotationError

_TABLE_WORDS: Final[dict[str, Action]] = {
    "TURN": TURN,
    "DISCARD": DISCARD,
    "PASS": PASS,
}
_SEATED_WORDS: Final[dict[str, Action]] = {
    "RESIGN": RESIGN,
    "OFFER-DRAW": OFFER_DRAW,
    "ACCEPT-DRAW": ACCEPT_DRAW,
    "DECLINE-DRAW": DECLINE_DRAW,
}
_SOURCES: Final = {"R": RESERVE, "D": DRAWN, "W": WASTE}
_LOADS: Final = {"OR": RESERVE, "OW": WASTE}
_COLUMNS: Final = {str(i + 1): i for i in range(8)}
_LONGEST: Final = 40
"""No action needs more characters; a longer text is not even taken apart."""


def parse_action(text: str, position: Position) -> tuple[Seat, Action]:
    """Read one action and whose it is; raise NotationError for anything else.

    A Stop or a grant without a seat is the opponent's of whoever acted last, any
    other action the mover's.
    """
    if len(text) > _LONGEST:
        raise _no_action(text)
    words = text.split()
    if words and not words[0].isascii():
        raise _no_action(text)
    words = [word.upper() for word in words]
    seat: Seat | None = None
    if words and words[0][1:2] == ":" and words[0][0] in SEAT_NAMES:
        seat = Seat(SEAT_NAMES.index(words[0][0]))
        words[0] = words[0][2:]
        words = [word for word in words if word]
    if not words:
        raise _no_action(text)
    word, rest = words[0], words[1:]
    if word in _SEATED_WORDS:
        return _parse_seated(text, word, rest, seat, position)
    if word in ("STOP", "GRANT"):
        last = position.last_actor
        if seat is None:
            seat = other(position.active if last is None else last)
        return seat, _parse_call(text, word, rest, other(seat), position)
    mover = position.active if seat is None else seat
    return mover, _parse_table(text, word, rest, mover, position)


def _parse_seated(
    text: str, word: str, rest: list[str], seat: Seat | None, position: Position
) -> tuple[Seat, Action]:
    if len(rest) > 1 or (rest and rest[0] not in SEAT_NAMES):
        raise _no_action(text)
    named = Seat(SEAT_NAMES.index(rest[0])) if rest else seat
    if seat is not None and named != seat:
        raise _no_action(text)
    return position.active if named is None else named, _SEATED_WORDS[word]


def _parse_call(
    text: str, word: str, rest: list[str], offender: Seat, position: Position
) -> Action:
    if word == "GRANT":
        if rest:
            raise _no_action(text)
        return GRANT
    if len(rest) not in (1, 2):
        raise _no_action(text)
    if len(rest) == 2:
        parse_card(rest[1], field="move")
    source, target = _split(text, rest[0], offender)
    return resolve_stop(position, source, target)


def _parse_table(
    text: str, word: str, rest: list[str], mover: Seat, position: Position
) -> Action:
    if len(rest) > 1:
        raise _no_action(text)
    named = parse_card(rest[0], field="move") if rest else None
    if word in _TABLE_WORDS:
        if word == "DISCARD":
            _check_card(text, position, DRAWN + mover, named)
        return _TABLE_WORDS[word]
    source, target_text = _split(text, word, mover)
    _check_card(text, position, source, named)
    return MOVES[source][_target(text, target_text, source, mover, position)]


def _split(text: str, word: str, mover: Seat) -> tuple[int, str]:
    source_text, dash, target_text = word.partition("-")
    if not word.isascii():
        raise _no_action(text)
    if dash and source_text in _COLUMNS:
        return _COLUMNS[source_text], target_text
    if dash and source_text in _SOURCES:
        return _SOURCES[source_text] + mover, target_text
    raise _no_action(text)


def _target(
    text: str, target_text: str, source: int, mover: Seat, position: Position
) -> int:
    if target_text in _COLUMNS:
        return _COLUMNS[target_text]
    if target_text in _LOADS:
        return _LOADS[target_text] + other(mover)
    if target_text != "F":
        raise _no_action(text)
    slots = position.piles[source]
    face = position.faces[slots[-1]] if slots else EMPTY
    # Where nothing fits any foundation of the suit serves to be refused.
    fitting = foundation_for(position.piles, face) or FIRST_FOUNDATION[face]
    return fitting or FOUNDATIONS[0]


def _check_card(text: str, position: Position, pile: int, named: Card | None) -> None:
    """Refuse a move that names another card than the one that lies there."""
    top = position.top(pile)
    if named is not None and top not in (named, UNKNOWN):
        raise NotationError(
            "move: {token!r} names a card that does not lie there",
            field="move",
            token=text,
        )


def _no_action(text: str) -> NotationError:
    token = shown(text)
    return NotationError("move: no action {token}", field="move", token=token)


def format_pile(pile: int) -> str:
    """A pile as it is written in a move; foundations are ``F``."""
    if pile < 8:
        return str(pile + 1)
    if pile < RESERVE:
        return "F"
    return {RESERVE: "R", DRAWN: "D", WASTE: "W"}.get(pile & ~1, "S")


def _format_move(source: int, target: int) -> str:
    load = "O" if target >= RESERVE else ""
    return f"{format_pile(source)}-{load}{format_pile(target)}"


def format_action(
    action: Action, position: Position | None = None, *, seat: int | None = None
) -> str:
    """Write an action; with the position before it, its card is named too.

    ``seat`` is written where the notation wants it (``resign A``).
    """
    match action:
        case Move(source, target):
            text = _format_move(source, target)
            if position is not None and position.piles[source]:
                text += " " + format_card(position.top(source))
            return text
        case Turn():
            return "turn"
        case Discard():
            if position is None or not position.piles[DRAWN + position.active]:
                return "discard"
            return "discard " + format_card(position.top(DRAWN + position.active))
        case Pass():
            return "pass"
        case Stop(source, target):
            return "stop " + _format_move(source, target)
        case Grant():
            return "grant"
        case Resign():
            word = "resign"
        case OfferDraw():
            word = "offer-draw"
        case AnswerDraw(accept):
            word = "accept-draw" if accept else "decline-draw"
    return word if seat is None else f"{word} {SEAT_NAMES[seat]}"
