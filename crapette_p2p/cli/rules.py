"""``crapette rules``: the rules of a preset, or of a file of house rules, in words."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.output import (
    excerpt,
    room_for_prose,
    versioned,
    write_json,
    write_prose,
)
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.engine.ruleset import RuleSet
    from crapette_p2p.ui.house_rules import TableRules

NAME = "rules"
WIDTH = 78


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "rules",
        nargs="?",
        metavar="FILE|NAME",
        help="a preset (without it: a list of them), or a TOML file of house rules",
    )
    parser.add_argument("--json", action="store_true", help="every switch as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the text, the switches, or the list of presets."""
    from crapette_p2p.engine.ruleset import DEFAULT_PRESET

    if args.rules is None and not args.json:
        _list_presets()
        return 0
    table = read_table_rules(DEFAULT_PRESET if args.rules is None else args.rules)
    if args.json:
        write_json(versioned(_switches(table.label, table.rules)))
    else:
        _print_text(table.label, table.rules)
    return 0


def read_table_rules(name: str) -> TableRules:
    """The rules a flag names; exit 2 with the line and the switch if they fail."""
    from crapette_p2p.errors import NotationError
    from crapette_p2p.ui.house_rules import find_rules

    hint = "See: crapette rules"
    try:
        return find_rules(name)
    except NotationError as error:
        from crapette_p2p.cli.explaining import sentence_of  # every failure's words

        raise CommandFailed(f"rules: {sentence_of(error)}", hint=hint) from error
    except (OSError, ValueError) as error:
        from crapette_p2p.cli.explaining import system_reason

        message = words(
            "rules: {name} cannot be read: {reason}",
            name=excerpt(name, 200),
            reason=system_reason(error),
        )
        raise CommandFailed(message, hint=hint) from error


def _list_presets() -> None:
    from crapette_p2p.engine.ruleset import DEFAULT_PRESET, PRESETS
    from crapette_p2p.ui.rulebook import ORIGINS

    for name in PRESETS:
        default = words("  (the default)") if name == DEFAULT_PRESET else ""
        write_prose(f"{name:20}{words(ORIGINS[name])}{default}")
    write_prose("")
    write_prose(words("The whole text: crapette rules NAME"))
    write_prose(
        words("House rules: a TOML file with a preset and the switches it changes,")
    )
    write_prose(words("which crapette rules NAME --json lists."))


def _switches(label: str, rules: RuleSet) -> dict[str, object]:
    from crapette_p2p.engine.ruleset import SPACE_BITS, SWITCHES, rules_to_json

    def plain(value: object) -> object:
        if isinstance(value, frozenset):
            return [name for name in SPACE_BITS if name in value]
        return value

    switches = {name: plain(getattr(rules, name)) for name in SWITCHES}
    return {"name": label, "rules": rules_to_json(rules), "switches": switches}


def _print_text(label: str, rules: RuleSet) -> None:
    import textwrap

    from crapette_p2p.ui.rulebook import heading_of, sections
    from crapette_p2p.ui.switches import difference_lines, nearest_preset

    write_prose(f"{heading_of(rules, words_in_force())} ({label})")
    changes = difference_lines(rules, words_in_force())
    if changes:
        write_prose("")
        write_prose(words("Unlike {preset}:", preset=nearest_preset(rules)))
        for change in changes:
            write_prose("  " + change)
    room = room_for_prose(WIDTH) - 2
    for section in sections(rules, words_in_force()):
        write_prose("")
        write_prose(section.heading)
        for sentence in section.sentences:
            for line in textwrap.wrap(sentence, max(room, 1), break_long_words=False):
                write_prose("  " + line)
