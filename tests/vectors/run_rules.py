"""Runs the vectors of cards, positions and rules against the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crapette_p2p import canonical
from crapette_p2p.cards import UNKNOWN, format_card, parse_card
from crapette_p2p.engine import (
    AnswerDraw,
    Move,
    Position,
    Stop,
    duties,
    legal_with_offences,
    offence_of,
    parse_action,
    parse_position,
    perft,
    play,
    position_to_json,
    rules_from_array,
    start,
)
from crapette_p2p.engine.actions import Action, Discard, Pass, Turn
from crapette_p2p.engine.layout import SEAT_NAMES
from crapette_p2p.engine.notation import format_action
from crapette_p2p.engine.ruleset import parse_rules, rules_to_array
from crapette_p2p.errors import DecodeError, IllegalMove, NotationError
from crapette_p2p.gamelog.genesis import rules_hash
from tests.vectors.values import Json, Refused


def card(given: Json, _common: Json) -> object:
    """A card's text, read and written."""
    try:
        face = parse_card(given["text"])
    except NotationError as error:
        raise Refused("notation") from error
    return {"card": face, "text": format_card(face)}


def move(given: Json, common: Json) -> object:
    """An action's text in a position: whose it is and which piles it names."""
    try:
        seat, action = parse_action(given["text"], parse_position(common["position"]))
    except NotationError as error:
        raise Refused("notation") from error
    written = format_action(action, seat=seat)
    return {"seat": SEAT_NAMES[seat], "action": _spelt(action), "text": written}


def _spelt(action: Action) -> list[object]:
    name = {"OfferDraw": "offer-draw"}.get(type(action).__name__)
    match action:
        case Move(source, target):
            return ["move", source, target]
        case Stop(source, target):
            return ["stop", source, target]
        case AnswerDraw(accept):
            return ["answer-draw", accept]
        case _:
            return [name or type(action).__name__.lower()]


def position(given: Json, _common: Json) -> object:
    """A position read and written in full."""
    try:
        return position_to_json(parse_position(given["position"]))
    except NotationError as error:
        raise Refused("notation", {"field": error.field}) from error


def ruleset(given: Json, _common: Json) -> object:
    """A rule set from JSON or from canonical bytes, with its array and hash."""
    try:
        if "bytes" in given:
            rules = rules_from_array(canonical.decode(bytes.fromhex(given["bytes"])))
        else:
            rules = parse_rules(given["rules"])
    except (DecodeError, NotationError) as error:
        raise Refused(300) from error
    data = canonical.encode(rules_to_array(rules))
    return {
        "array": rules_to_array(rules),
        "bytes": data.hex(),
        "hash": rules_hash(data).hex(),
    }


def starter(given: Json, _common: Json) -> object:
    """Who starts, from the ten cards of the lay-out and the lot."""
    rules = parse_rules(given["rules"])
    faces = bytearray([UNKNOWN]) * 104
    for deck, name in enumerate("AB"):
        shown = [given[name]["reserve"], *given[name]["columns"]]
        for place, text in enumerate(shown, rules.reserve_size - 1):
            faces[52 * deck + place] = UNKNOWN if text == "??" else parse_card(text)
    try:
        laid_out = start(rules, bytes(faces), lot=given["lot"])
    except NotationError as error:
        raise Refused("notation") from error
    return {"starts": SEAT_NAMES[laid_out.active]}


def duty(given: Json, _common: Json) -> object:
    """What may and what has to be played, or whether one action is an offence."""
    table = parse_position(given["position"])
    if "action" not in given:
        listed = [
            [format_action(action), offence.text if offence else None]
            for action, offence in legal_with_offences(table)
        ]
        return {"legal": sorted(listed), "duties": list(duties(table))}
    seat, action = parse_action(given["action"], table)
    _played(table, given["action"])
    assert isinstance(action, Move | Turn | Discard | Pass), "no table action"
    assert seat == table.active
    offence = offence_of(table, action)
    return {"offence": offence.text if offence else None}


def _played(table: Position, text: str, *, seq: int = 0) -> Position:
    try:
        seat, action = parse_action(text, table)
        after = play(table, seat, action, seq=seq)
    except IllegalMove as error:
        raise Refused(error.refusal) from error
    if after.unopened() is not None:
        raise Refused("unknown-card")
    return after


def ruling(given: Json, _common: Json) -> object:
    """A line of play: the offence of its last table action, what follows, the end.

    ``look`` names the fields of the position that follows to be compared.
    """
    table = parse_position(given["position"])
    offence = None
    for number, text in enumerate(given["moves"]):
        seat, action = parse_action(text, table)
        if isinstance(action, Move | Turn | Discard | Pass) and seat == table.active:
            found = offence_of(table, action)
            offence = found.text if found else None
        seq = given.get("seq", number)
        table = _played(table, text, seq=seq)
    written = position_to_json(table)
    return {
        "offence": offence,
        "after": {name: field(written, name) for name in given.get("look", ())},
        "result": _result(table),
    }


def field(value: object, name: str) -> object:
    """``A.reserve`` or ``tableau.0`` of a JSON value."""
    for part in name.split("."):
        if isinstance(value, list):
            value = value[int(part)]
        else:
            assert isinstance(value, dict)
            value = value[part]
    return value


def _result(table: Position) -> object:
    end = table.end
    if end is None:
        return None
    return {
        "winner": None if end.winner is None else SEAT_NAMES[end.winner],
        "reason": "limit" if end.at_limit else end.reason.name.lower(),
        "provisional": end.provisional_by is not None,
        "points": end.points,
    }


def count(given: Json, _common: Json) -> object:
    """Perft, for each depth up to the one given."""
    table, depths = parse_position(given["position"]), range(1, given["depth"] + 1)
    try:
        return {"nodes": [perft(table, depth) for depth in depths]}
    except IllegalMove as error:
        raise Refused(error.refusal) from error


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {
    "cards": card,
    "duties": duty,
    "moves": move,
    "perft": count,
    "positions": position,
    "rulesets": ruleset,
    "rulings": ruling,
    "starters": starter,
}
