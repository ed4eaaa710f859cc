"""Answers to ``legal``, ``perft`` and ``play`` as JSON values.

Pure: a value in, a value out. A refused position or move is an answer too, an
object with an ``error`` of a stable code, a text for developers and the move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from crapette_p2p.cards import shown
from crapette_p2p.engine.counters_json import end_reason
from crapette_p2p.engine.duties import duties
from crapette_p2p.engine.layout import SEAT_NAMES
from crapette_p2p.engine.listing import list_actions
from crapette_p2p.engine.notation import format_action, parse_action
from crapette_p2p.engine.perft import perft
from crapette_p2p.engine.play import play
from crapette_p2p.engine.position import End, Position
from crapette_p2p.engine.position_json import parse_position, position_to_json
from crapette_p2p.errors import CrapetteError, IllegalMove, NotationError

VERSION: Final = 1

Answer = dict[str, object]
Teller = Callable[[CrapetteError], str]


def _error(code: str, message: str, move: str | None = None) -> Answer:
    error = {"code": code, "message": message, "move": move}
    return {"v": VERSION, "error": error}


def _told(error: CrapetteError) -> str:
    """The text for developers, where nobody asks for another."""
    return str(error)


def _read(value: object, rules: object | None) -> Position:
    if rules is not None and isinstance(value, dict):
        value = {**value, "rules": rules}
    return parse_position(value)


def _one_legal(value: object, rules: object | None, tell: Teller) -> Answer:
    try:
        position = _read(value, rules)
    except NotationError as error:
        return _error("bad-position", tell(error))
    moves = []
    for action, offence in list_actions(position) if position.end is None else ():
        text, _, named = format_action(action, position).partition(" ")
        entry = {
            "move": text,
            "card": named or None,
            "offence": offence.text if offence else None,
        }
        moves.append((text, entry))
    return {
        "v": VERSION,
        "to_move": SEAT_NAMES[position.active],
        "moves": [entry for _, entry in sorted(moves, key=lambda pair: pair[0])],
        "duties": list(duties(position)),
    }


def legal_json(
    value: object, *, rules: object | None = None, tell: Teller = _told
) -> object:
    """What may be played in a position, or in each of an array of positions.

    ``rules`` (a preset's name or an object) replaces those of the position; ``tell``
    words what is refused, for an answer that a person reads.
    """
    if isinstance(value, list):
        return [_one_legal(item, rules, tell) for item in value]
    return _one_legal(value, rules, tell)


def _one_perft(value: object, depth: int, rules: object | None, tell: Teller) -> Answer:
    try:
        nodes = perft(_read(value, rules), depth)
    except NotationError as error:
        code = "bad-depth" if error.field == "depth" else "bad-position"
        return _error(code, tell(error))
    except IllegalMove as error:
        return _error(error.refusal, tell(error))
    return {"v": VERSION, "depth": depth, "nodes": nodes}


def perft_json(
    value: object,
    depth: int,
    *,
    rules: object | None = None,
    tell: Teller = _told,
) -> object:
    """The perft count of a position, or of each of an array of positions."""
    if isinstance(value, list):
        return [_one_perft(item, depth, rules, tell) for item in value]
    return _one_perft(value, depth, rules, tell)


def result_json(end: End) -> Answer:
    """The result of a deal, as it is written everywhere."""
    score = [0, 0]
    if end.winner is not None:
        score[end.winner] = end.points
    return {
        "winner": None if end.winner is None else SEAT_NAMES[end.winner],
        "reason": end_reason(end),
        "provisional": end.provisional_by is not None,
        "score": score,
    }


def _one_play(
    value: object, moves: Iterable[object], rules: object | None, tell: Teller
) -> Answer:
    try:
        position = _read(value, rules)
    except NotationError as error:
        return _error("bad-position", tell(error))
    for move in moves:
        if position.unopened() is not None:
            found = IllegalMove("unknown-card", "a card that lies open is not given")
            return _error(found.refusal, tell(found))
        try:
            position = _played(position, move)
        except NotationError as error:
            return _error("bad-move", tell(error), shown(move))
        except IllegalMove as error:
            return _error(error.refusal, tell(error), str(move))
    return {
        "v": VERSION,
        "position": position_to_json(position),
        "result": None if position.end is None else result_json(position.end),
        "penalty": position.penalty.text if position.penalty else None,
    }


def _played(position: Position, move: object) -> Position:
    if not isinstance(move, str):
        raise NotationError("move: not a text", field="move")
    seat, action = parse_action(move, position)
    position = play(position, seat, action)
    if position.unopened() is not None:
        raise IllegalMove("unknown-card", "a card has to be turned up")
    return position


def play_json(
    value: object,
    moves: Iterable[object] = (),
    *,
    rules: object | None = None,
    tell: Teller = _told,
) -> object:
    """What follows ``moves``; an array holds ``{"position": …, "moves": […]}``."""
    if not isinstance(value, list):
        return _one_play(value, moves, rules, tell)
    answers: list[object] = []
    for item in value:
        if not isinstance(item, dict) or not isinstance(item.get("moves", []), list):
            found = NotationError("item: no position with moves")
            answers.append(_error("bad-position", tell(found)))
            continue
        moves = item.get("moves", [])
        answers.append(_one_play(item.get("position"), moves, rules, tell))
    return answers
