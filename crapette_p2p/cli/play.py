"""``crapette play``: apply actions to a position and print what follows."""

from __future__ import annotations

import argparse
from typing import Final, cast

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.positions import (
    Answer,
    add_position_flags,
    chosen_rules,
    give,
    read_positions,
    teller,
)
from crapette_p2p.cli.speaking import words, words_in_force

NAME = "play"
_TWO_WORDS: Final = ("stop", "resign", "offer-draw", "accept-draw", "decline-draw")
"""Actions of two words, which may come as two arguments."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    add_position_flags(parser)
    parser.add_argument(
        "moves",
        nargs="*",
        metavar="MOVE",
        help="R-F, D-3, 5-OW, turn, discard, pass, 'stop 5-F', grant, 'resign A'; "
        "an array of positions brings its own moves",
    )


def run(args: argparse.Namespace) -> int:
    """Answer for one position and MOVEs, or for an array of both."""
    from crapette_p2p.engine.queries import play_json

    value = read_positions(args)
    moves = joined(args.moves)
    if moves and isinstance(value, list):
        raise CommandFailed(
            "play: an array of positions brings its own moves, so no MOVE can follow",
            hint='Each item is {"position": ..., "moves": [...]}',
        )
    return give(
        args,
        play_json(value, moves, rules=chosen_rules(args), tell=teller(args)),
        _lines,
    )


def joined(words: list[str]) -> list[str]:
    """The moves, those put together again that came as two arguments."""
    moves: list[str] = []
    for word in words:
        if moves and moves[-1].rpartition(":")[2].lower() in _TWO_WORDS:
            moves[-1] += " " + word
        else:
            moves.append(word)
    return moves


def _lines(answer: Answer) -> list[str]:
    from crapette_p2p.engine.layout import SEAT_NAMES, Seat
    from crapette_p2p.engine.position_json import parse_position
    from crapette_p2p.ui.lines import (
        Speech,
        fan_lines,
        foundation_line,
        other_line,
    )

    position = parse_position(answer["position"])
    speech = Speech(seat=Seat(1), names=SEAT_NAMES, words=words_in_force())
    own = Speech(seat=Seat(0), names=SEAT_NAMES, words=words_in_force())
    lines = [
        words("{who} to move", who=SEAT_NAMES[position.active]),
        other_line(position, speech),
        other_line(position, own),
        *fan_lines(position, speech),
        foundation_line(position, speech),
    ]
    if answer["penalty"] is not None:
        lines.append(words("undone, an offence: {code}", code=answer["penalty"]))
    result = cast("Answer | None", answer["result"])
    if result is not None:
        lines.append(_result_line(result))
    return lines


def _result_line(result: Answer) -> str:
    winner = words("a draw")
    if result["winner"]:
        winner = words("{name} wins", name=result["winner"])
    a, b = cast("list[int]", result["score"])
    until = words(", until it is granted") if result["provisional"] else ""
    return words(
        "over: {winner} ({reason}), {a}:{b}{until}",
        winner=winner,
        reason=result["reason"],
        a=a,
        b=b,
        until=until,
    )
