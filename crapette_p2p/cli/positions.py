"""What ``legal``, ``perft`` and ``play`` share: a file of positions in, answers out."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import cast

from crapette_p2p.cli.errors import DONE, USAGE, CommandFailed
from crapette_p2p.cli.inputs import read_json, shown
from crapette_p2p.cli.output import complain_as_told, excerpt, write_json, write_line
from crapette_p2p.cli.speaking import words
from crapette_p2p.errors import CrapetteError, IllegalMove

Answer = dict[str, object]


def add_position_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that the three commands share."""
    parser.add_argument(
        "--position",
        required=True,
        metavar="FILE",
        help="a position as JSON, or an array of them; - for standard input",
    )
    parser.add_argument(
        "--rules",
        metavar="FILE|NAME",
        help="play by these rules, whatever the position says",
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON")


def read_positions(args: argparse.Namespace) -> object:
    """The value of ``--position``; under ``--json`` a failure is an answer too."""
    hint = words("See: {command} --help", command=f"crapette {args.command}")
    try:
        return read_json(args.position, hint=hint)
    except CommandFailed as failed:
        if args.json:
            write_json(_refused("bad-file", str(failed)))
        raise


def chosen_rules(args: argparse.Namespace) -> object | None:
    """The rules of ``--rules`` as they stand in a position, or None."""
    if args.rules is None:
        return None
    from crapette_p2p.cli.rules import read_table_rules
    from crapette_p2p.engine.ruleset import rules_to_json

    try:
        return rules_to_json(read_table_rules(args.rules).rules)
    except CommandFailed as failed:
        if args.json:
            write_json(_refused("bad-rules", str(failed)))
        raise


def teller(args: argparse.Namespace) -> Callable[[CrapetteError], str]:
    """How a refusal is worded: for developers in JSON, else for who reads it."""
    if args.json:
        return _in_english
    from crapette_p2p.cli.explaining import sentence_of

    return sentence_of


def _in_english(error: CrapetteError) -> str:
    """What a program is told, whoever runs it."""
    if isinstance(error, IllegalMove) and str(error) == error.refusal:
        from crapette_p2p.ui.language import ENGLISH
        from crapette_p2p.ui.refusals import refusal_sentence

        return refusal_sentence(error.refusal, ENGLISH)
    return str(error)


def give(
    args: argparse.Namespace, answer: object, tell: Callable[[Answer], list[str]]
) -> int:
    """Print an answer or an array of them; 2 for a single refused item."""
    single = not isinstance(answer, list)
    refused = single and "error" in cast("Answer", answer)
    if args.json:
        write_json(answer)
    elif single:
        hint = words("See: {command} --help", command=f"crapette {args.command}")
        _tell_one(cast("Answer", answer), tell, hint, source=args.position)
    else:
        _tell_all(cast("list[Answer]", answer), tell)
    return USAGE if refused else DONE


def _tell_all(answers: list[Answer], tell: Callable[[Answer], list[str]]) -> None:
    for number, item in enumerate(answers):
        if number:
            write_line("")
        write_line(words("position {number}:", number=number))
        if "error" in item:
            write_line(words("refused: {item}", item=_why(item)))
        else:
            _tell_one(item, tell)


def _tell_one(
    answer: Answer,
    tell: Callable[[Answer], list[str]],
    hint: str = "",
    *,
    source: str = "",
) -> None:
    if "error" in answer:
        why, move = _why(answer), cast("Answer", answer["error"]).get("move")
        if move is None:  # it is not what was typed, but the file
            why = words("{source}: {why}", source=shown(source), why=why)
        complain_as_told(why, hint)
        return
    for line in tell(answer):
        write_line(line)


def _why(answer: Answer) -> str:
    error = cast("Answer", answer["error"])
    code, message, move = (error.get(k) for k in ("code", "message", "move"))
    text = str(message) if f"({code})" in str(message) else f"{message} ({code})"
    return excerpt(f"{move}: {text}" if move is not None else text, 300)


def _refused(code: str, message: str) -> Answer:
    return {"v": 1, "error": {"code": code, "message": message, "move": None}}
