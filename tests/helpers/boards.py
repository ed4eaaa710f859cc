"""Positions written in a few words, and actions played in notation.

Columns are eight words, cards of one column joined by commas, ``.`` for a space.
A side is ``reserve / stock / drawn / waste``, bottom card first.
"""

from __future__ import annotations

from collections.abc import Mapping

from crapette_p2p.engine import (
    Position,
    format_action,
    legal_with_offences,
    parse_action,
    parse_position,
    play,
    position_to_json,
)

COLUMNS = "KS KH KD KC QS QH QD QC"
"""Eight tops among which nothing fits but queens on kings of the other colour."""
SIDE_A = "7S 8S / 9S 9C / /"
SIDE_B = "7C 8C / 4S 4C / /"


def side_json(text: str) -> dict[str, object]:
    """One side of a position as JSON."""
    reserve, stock, drawn, waste = (part.split() for part in text.split("/"))
    counted = len(stock) == 1 and stock[0].isdigit()
    return {
        "reserve": reserve,
        "stock": int(stock[0]) if counted else stock,
        "drawn": drawn[0] if drawn else None,
        "waste": waste,
    }


def board_json(
    rules: object = "crapette",
    *,
    columns: str = COLUMNS,
    up: Mapping[str, list[int]] | None = None,
    a: str = SIDE_A,
    b: str = SIDE_B,
    to_move: str = "A",
    opened: bool = True,
    counters: object = None,
) -> dict[str, object]:
    """A position as JSON; ``up`` gives the foundations' heights by suit."""
    value: dict[str, object] = {
        "format": "crapette-position/1",
        "rules": rules,
        "to_move": to_move,
        "turn_opened": opened,
        "tableau": [
            [] if column == "." else column.split(",") for column in columns.split()
        ],
        "foundations": {s: [0, 0] for s in "SHDC"} | dict(up or {}),
        "A": side_json(a),
        "B": side_json(b),
    }
    if counters is not None:
        value["counters"] = counters
    return value


def board(
    rules: object = "crapette",
    *,
    columns: str = COLUMNS,
    up: Mapping[str, list[int]] | None = None,
    a: str = SIDE_A,
    b: str = SIDE_B,
    to_move: str = "A",
    opened: bool = True,
    counters: object = None,
) -> Position:
    """The position that ``board_json`` describes."""
    return parse_position(
        board_json(
            rules,
            columns=columns,
            up=up,
            a=a,
            b=b,
            to_move=to_move,
            opened=opened,
            counters=counters,
        )
    )


def played(position: Position, *texts: str) -> Position:
    """The position after actions in notation; raises what ``play`` raises."""
    for text in texts:
        seat, action = parse_action(text, position)
        position = play(position, seat, action)
    return position


def listed(position: Position) -> dict[str, str | None]:
    """Every action the mover can make, in notation, with its offence."""
    return {
        format_action(action): offence.text if offence else None
        for action, offence in legal_with_offences(position)
    }


def at(position: Position, path: str) -> object:
    """A field of the position's JSON, as ``A.waste`` or ``tableau.3``."""
    value: object = position_to_json(position)
    for key in path.split("."):
        if isinstance(value, list):
            value = value[int(key)]
        elif isinstance(value, dict):
            value = value[key]
    return value


def result(position: Position) -> str | None:
    """``A``, ``B`` or ``draw``, with ``?`` while it awaits a grant; None in play."""
    end = position.end
    if end is None:
        return None
    winner = "draw" if end.winner is None else "AB"[end.winner]
    return winner + ("?" if end.provisional_by is not None else "")
