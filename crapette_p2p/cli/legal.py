"""``crapette legal``: what may be played, with the duty and offence of each action."""

from __future__ import annotations

import argparse
from typing import cast

from crapette_p2p.cli.positions import (
    Answer,
    add_position_flags,
    chosen_rules,
    give,
    read_positions,
    teller,
)
from crapette_p2p.cli.speaking import words

NAME = "legal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    add_position_flags(parser)


def run(args: argparse.Namespace) -> int:
    """Answer for one position or for an array of them."""
    from crapette_p2p.engine.queries import legal_json

    value = read_positions(args)
    return give(
        args, legal_json(value, rules=chosen_rules(args), tell=teller(args)), _lines
    )


def _lines(answer: Answer) -> list[str]:
    duties = ", ".join(cast("list[str]", answer["duties"])) or words("none")
    who = answer["to_move"]
    lines = [words("{who} to move; duties: {duties}", who=who, duties=duties)]
    for move in cast("list[dict[str, str | None]]", answer["moves"]):
        code = move["offence"]
        offence = words("offence: {code}", code=code) if code else ""
        line = f"{move['move']:8} {move['card'] or '':3} {offence}"
        lines.append(line.rstrip())
    return lines
