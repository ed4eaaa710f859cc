"""Positions as JSON values, both ways (10-cards-and-notation.md 5).

A JSON position says which cards lie where, not which deck they come from, so
its cards get synthetic slots in the order of the piles; a foundation holds all
cards of its suit up to its height. Everything that is not such a position is
refused with a NotationError that names the field and the offending token.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crapette_p2p.cards import (
    SUIT_ORDER_TEXT,
    SUITS,
    UNKNOWN,
    UNKNOWN_TEXT,
    card,
    format_card,
    parse_card,
    shown,
)
from crapette_p2p.engine.counters_json import counters_to_json, read_counters
from crapette_p2p.engine.layout import (
    DRAWN,
    PILE_COUNT,
    RESERVE,
    SEAT_NAMES,
    SEATS,
    STOCK,
    WASTE,
    Seat,
)
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.ruleset import DEFAULT_PRESET, parse_rules, rules_to_json
from crapette_p2p.errors import NotationError

FORMAT: Final = "crapette-position/1"
MOST_CARDS: Final = 104
COPIES: Final = 2
HIGHEST: Final = 13


class _Reader:
    """Collects the faces of each pile, counting cards and copies as it goes."""

    def __init__(self) -> None:
        self.piles: list[list[int]] = [[] for _ in range(PILE_COUNT)]
        self._cards = 0
        self._copies: dict[int, int] = {}

    def add(self, pile: int, face: int, field: str) -> None:
        self._cards += 1
        if self._cards > MOST_CARDS:
            raise _refused(field, "more than 104 cards", format_card(face))
        if face != UNKNOWN:
            copies = self._copies[face] = self._copies.get(face, 0) + 1
            if copies > COPIES:
                name = format_card(face)
                raise _refused(field, "{token} stands more than twice", name)
        self.piles[pile].append(face)

    def add_tokens(
        self, pile: int, tokens: object, field: str, *, hidden: bool
    ) -> None:
        if not isinstance(tokens, (list, tuple)):
            raise _refused(field, "not a list of cards", shown(tokens))
        for token in tokens:
            self.add(pile, _face(token, field, hidden=hidden), field)

    def slots_and_faces(self) -> tuple[tuple[bytes, ...], bytes]:
        faces = bytearray()
        piles = []
        for pile in self.piles:
            piles.append(bytes(range(len(faces), len(faces) + len(pile))))
            faces += bytes(pile)
        faces += bytes([UNKNOWN]) * (MOST_CARDS - len(faces))
        return tuple(piles), bytes(faces)


def _refused(field: str, why: str, token: str, **values: str) -> NotationError:
    return NotationError(
        "{field}: {why} ({token})", field=field, token=token, why=why, **values
    )


def _face(token: object, field: str, *, hidden: bool) -> int:
    if token == UNKNOWN_TEXT and hidden:
        return UNKNOWN
    if not isinstance(token, str):
        raise _refused(field, "not a card", shown(token))
    return parse_card(token, field=field)


def _member(value: Mapping[object, object], name: str, field: str) -> object:
    if name not in value:
        raise _refused(field, "missing", name)
    return value[name]


def parse_position(obj: object) -> Position:
    """Read a position; raise NotationError for anything that is none."""
    if not isinstance(obj, Mapping):
        raise _refused("position", "not an object", shown(obj))
    form = _member(obj, "format", "format")
    if form != FORMAT:
        raise _refused("format", "not {format}", shown(form), format=FORMAT)
    rules = parse_rules(obj.get("rules", DEFAULT_PRESET))
    to_move = _member(obj, "to_move", "to_move")
    if to_move not in SEAT_NAMES:
        raise _refused("to_move", "not A or B", shown(to_move))
    opened = _member(obj, "turn_opened", "turn_opened")
    if not isinstance(opened, bool):
        raise _refused("turn_opened", "not true or false", shown(opened))
    active = Seat(SEAT_NAMES.index(str(to_move)))
    reader = _Reader()
    _read_tableau(reader, _member(obj, "tableau", "tableau"))
    _read_foundations(reader, _member(obj, "foundations", "foundations"))
    for seat in SEATS:
        name = SEAT_NAMES[seat]
        _read_side(reader, _member(obj, name, name), seat)
    _check_drawn(reader, active, opened=opened)
    piles, faces = reader.slots_and_faces()
    position = Position(rules, piles, faces, active)
    return read_counters(position, obj.get("counters"), opened=opened)


def _read_tableau(reader: _Reader, tableau: object) -> None:
    if not isinstance(tableau, (list, tuple)):
        raise _refused("tableau", "not a list of columns", shown(tableau))
    if len(tableau) != 8:
        raise _refused("tableau", "not exactly 8 columns", str(len(tableau)))
    for number, column in enumerate(tableau):
        reader.add_tokens(number, column, f"tableau.{number}", hidden=False)


def _read_foundations(reader: _Reader, foundations: object) -> None:
    if not isinstance(foundations, Mapping):
        raise _refused("foundations", "not an object", shown(foundations))
    for name in foundations:
        if not isinstance(name, str) or len(name) != 1 or name not in SUITS:
            raise _refused("foundations", "no such suit", shown(name))
    for suit, name in enumerate(SUITS):
        field = f"foundations.{name}"
        heights = _member(foundations, name, field)
        if not isinstance(heights, (list, tuple)) or len(heights) != 2:
            raise _refused(field, "not two heights", shown(heights))
        for which, height in enumerate(heights):
            if type(height) is not int or not 0 <= height <= HIGHEST:
                raise _refused(field, "a height is 0 to 13", shown(height))
            for rank in range(1, height + 1):
                reader.add(8 + 2 * suit + which, card(rank, suit), field)


def _read_side(reader: _Reader, side: object, seat: Seat) -> None:
    name = SEAT_NAMES[seat]
    if not isinstance(side, Mapping):
        raise _refused(name, "not an object", shown(side))
    field = f"{name}.reserve"
    reserve = _member(side, "reserve", field)
    reader.add_tokens(RESERVE + seat, reserve, field, hidden=True)
    field = f"{name}.stock"
    stock = _member(side, "stock", field)
    if type(stock) is int:
        if not 0 <= stock <= MOST_CARDS:
            raise _refused(field, "a count is 0 to 104", shown(stock))
        stock = [UNKNOWN_TEXT] * stock
    reader.add_tokens(STOCK + seat, stock, field, hidden=True)
    field = f"{name}.drawn"
    drawn = side.get("drawn")
    if drawn is not None:
        reader.add(DRAWN + seat, _face(drawn, field, hidden=True), field)
    field = f"{name}.waste"
    waste = _member(side, "waste", field)
    reader.add_tokens(WASTE + seat, waste, field, hidden=False)


def _check_drawn(reader: _Reader, active: Seat, *, opened: bool) -> None:
    for seat in SEATS:
        drawn = reader.piles[DRAWN + seat]
        field = f"{SEAT_NAMES[seat]}.drawn"
        if drawn and seat != active:
            token = format_card(drawn[0])
            raise _refused(field, "drawn by the player not to move", token)
        if drawn and not opened:
            token = format_card(drawn[0])
            raise _refused(field, "drawn in a turn that is not opened", token)


def position_to_json(position: Position) -> dict[str, object]:
    """Write a position so that ``parse_position`` reads it back."""
    piles, faces = position.piles, position.faces

    def names(pile: int) -> list[str]:
        return [format_card(faces[slot]) for slot in piles[pile]]

    def side(seat: Seat) -> dict[str, object]:
        stock: object = names(STOCK + seat)
        hidden = piles[STOCK + seat]
        if hidden and all(faces[slot] == UNKNOWN for slot in hidden):
            stock = len(hidden)
        drawn = names(DRAWN + seat)
        return {
            "reserve": names(RESERVE + seat),
            "stock": stock,
            "drawn": drawn[0] if drawn else None,
            "waste": names(WASTE + seat),
        }

    value: dict[str, object] = {
        "format": FORMAT,
        "rules": rules_to_json(position.rules),
        "to_move": SEAT_NAMES[position.active],
        "turn_opened": position.acts > 0,
        "tableau": [names(column) for column in range(8)],
        "foundations": {
            name: [len(piles[8 + 2 * suit]), len(piles[9 + 2 * suit])]
            for name in SUIT_ORDER_TEXT
            for suit in (SUITS.index(name),)
        },
        "A": side(Seat(0)),
        "B": side(Seat(1)),
    }
    if position.offences and position.callable is not None:
        code = position.offences[0].code.text
        value["offence"] = {"code": code, "by": SEAT_NAMES[position.callable]}
    value["counters"] = counters_to_json(position)
    return value
