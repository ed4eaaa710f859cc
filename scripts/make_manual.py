"""Write docs/crapette.1 from the parser, so that no option is forgotten.

What stands around the options (files, environment, exit codes) is written here.
``--check`` changes nothing and fails where the page is stale.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from crapette_p2p import __version__
from crapette_p2p.cli.parser import (
    COMMANDS,
    CommandParser,
    add_global_flags,
    build_parser,
    fill_all,
)
from crapette_p2p.ui.settings import ENVIRONMENT

PAGE = Path(__file__).parent.parent / "docs" / "crapette.1"
EXIT_CODES = (
    ("0", "done; also: the player left"),
    ("1", "a fault of the program; the path of a report is printed"),
    ("2", "wrong usage, or a file that cannot be read"),
    ("3", "no usable terminal, and nothing may be asked"),
    ("4", "no port to listen on"),
    ("5", "the other side cannot be reached, or refused, or is taken"),
    ("6", "another protocol or version"),
    ("7", "cards, key or invite are not the expected ones"),
    ("8", "the other player is lost; the game is saved and can be resumed"),
    ("9", "the other player cheated, or a proof failed"),
    ("10", "a log is invalid"),
    ("129, 130, 143", "ended by a signal; the game is saved"),
)
MORE_VARIABLES = {
    "CRAPETTE_CONFIG": "another config.toml",
    "CRAPETTE_DATA_DIR": "keep all files there",
    "CRAPETTE_INVITE": "the invite that crapette join takes without an argument",
    "CRAPETTE_LOG": "write the program's log there",
    "CRAPETTE_NO_ANIM": "no moving cards",
    "NO_COLOR": "no colours",
}
FILES = (
    ("~/.config/crapette/config.toml", "settings: docs/config.md"),
    ("~/.local/share/crapette/identity.key", "the secret key, readable by you alone"),
    ("~/.local/share/crapette/peers.toml", "the players you know"),
    ("~/.local/share/crapette/games/", "the logs of your games, *.crlog"),
    ("~/.local/state/crapette/", "the program's own log, history, tables to resume"),
)


def escaped(text: str) -> str:
    """Text as roff takes it literally."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    safe = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in safe)
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe


def entries(pairs: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Tagged paragraphs: a term in bold, and what it means."""
    for term, text in pairs:
        yield ".TP"
        yield f".B {escaped(term)}"
        yield escaped(text) or "\\(en"


def described(action: argparse.Action) -> tuple[str, str]:
    """An option or argument as it is typed, and its help."""
    text = action.help or ""
    choices = [*map(str, action.choices)] if action.choices else []
    if not action.option_strings:
        return str(action.metavar or "|".join(choices)), text
    value = "" if action.nargs == 0 else str(action.metavar or "|".join(choices))
    return f"{', '.join(action.option_strings)} {value}".rstrip(), text


def options_of(parser: CommandParser) -> Iterator[tuple[str, str]]:
    """What is a command's own."""
    shared = {*parser._shared}  # noqa: SLF001 - kept nowhere else
    for action in parser._actions:  # noqa: SLF001 - argparse shows them nowhere else
        if action not in shared and action.dest != "help":
            yield described(action)


def page() -> str:
    """The whole page."""
    parser = fill_all(build_parser())
    commands = next(
        action.choices
        for action in parser._actions  # noqa: SLF001 - likewise
        if isinstance(action, argparse._SubParsersAction)  # noqa: SLF001 - likewise
    )
    common = argparse.ArgumentParser(add_help=False)
    shared = [described(action) for action in add_global_flags(common)]
    lines = [
        f'.TH CRAPETTE 1 "" "crapette {__version__}" "Games"',
        ".SH NAME",
        "crapette \\- play Crapette (Russian Bank) across the network",
        ".SH SYNOPSIS",
        ".B crapette",
        "[\\fIoptions\\fR] [\\fIcommand\\fR] ...",
        ".SH DESCRIPTION",
        "Crapette for two, without a server: both programs shuffle together, every",
        "move is signed, and the log of a game can be checked by anybody. Without a",
        "command the menu is shown.",
        ".SH COMMANDS",
    ]
    for name, (_, summary) in COMMANDS.items():
        lines += [
            f".SS crapette {name}",
            escaped(summary[:1].upper() + summary[1:]) + ".",
        ]
        lines += entries(options_of(commands[name]))
    lines += [".SH OPTIONS OF EVERY COMMAND", *entries(iter(shared))]
    own = [("-h, --help", "show the help"), ("--version", "print the version")]
    lines += entries(iter(own))
    lines += [".SH EXIT STATUS", *entries(iter(EXIT_CODES))]
    variables = {name: f"the setting {key}" for name, key in ENVIRONMENT.items()}
    lines += [
        ".SH ENVIRONMENT",
        *entries(iter(sorted((variables | MORE_VARIABLES).items()))),
        ".SH FILES",
        "On Linux; crapette config path and crapette games path print them.",
        *entries(iter(FILES)),
        ".SH SEE ALSO",
        "README.md, docs/playing.md, docs/config.md, SECURITY.md, protocol/README.md",
    ]
    return "\n".join([*lines, ""])


def main() -> int:
    """Write the page, or check it."""
    text = page()
    fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
    if "--check" in sys.argv[1:]:
        if not fresh:
            print("docs/crapette.1 is stale: run scripts/manual")
        return 0 if fresh else 1
    if not fresh:  # else somebody may be reading it
        PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
