"""``crapette perft``: count the sequences of actions from a position."""

from __future__ import annotations

import argparse

from crapette_p2p.cli.positions import (
    Answer,
    add_position_flags,
    chosen_rules,
    give,
    read_positions,
    teller,
)
from crapette_p2p.cli.speaking import words

NAME = "perft"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    add_position_flags(parser)
    parser.add_argument(
        "--depth", required=True, type=_depth, metavar="N", help="how many actions"
    )


def run(args: argparse.Namespace) -> int:
    """Answer for one position or for an array of them."""
    from crapette_p2p.engine.queries import perft_json

    value = read_positions(args)
    answer = perft_json(value, args.depth, rules=chosen_rules(args), tell=teller(args))
    return give(args, answer, _lines)


def _lines(answer: Answer) -> list[str]:
    return [str(answer["nodes"])]


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 3:
        raise argparse.ArgumentTypeError(
            words("{text!r} is no depth (0, 1, 2, ...)", text=text[:20])
        )
    return int(text)
