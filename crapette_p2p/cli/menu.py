"""``crapette`` alone: the menu, on the screen or as a list to choose from."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import DONE, NO_TERMINAL, CommandFailed
from crapette_p2p.cli.output import complain, write_prose
from crapette_p2p.cli.speaking import words

if TYPE_CHECKING:  # the menu is drawn before what only its choices need
    from crapette_p2p.net.player import Player
    from crapette_p2p.session.commands import Terms
    from crapette_p2p.ui.settings import Settings

NAME = "menu"
CHOICES: Final = {
    "h": "host a table",
    "j": "join by address",
    "l": "tables on this network",
    "b": "play against this computer",
    "r": "resume a game",
    "p": "the last game again",
    "t": "what was won and lost",
    "?": "rules",
    "k": "keys",
    "s": "all settings",
    "q": "quit",
}
"""Key → what it does."""
_ROOM: Final = 77
"""Columns of a page's text on a screen of 80."""
COMMANDS: Final = {
    "h": ("host",),
    "j": ("join",),
    "l": ("lan",),
    "b": ("bot",),
    "r": ("resume",),
    "p": ("replay",),
    "t": ("stats",),
    "?": ("rules",),
    "k": ("keys",),
    "s": ("config",),
    "q": (),
}
"""Key → the command it stands for."""
_ALONE: Final = {"p": ("last",)}
"""Key → what its command takes where nothing more is typed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the menu is what runs without a command."""
    del parser


def run(args: argparse.Namespace) -> int:
    """Show the menu until something is chosen; the exit code of that."""
    from crapette_p2p.cli.context import has_terminal, settings_of

    settings = settings_of(args)
    if args.no_input:
        raise CommandFailed("no command", hint="See: crapette --help")
    if not settings.plain and not has_terminal():
        raise CommandFailed(
            "the menu needs a terminal",
            exit_code=NO_TERMINAL,
            hint="As a list: crapette --plain; commands: crapette --help",
        )
    if settings.plain:
        return _choose_in_lines(args.argv)
    return _choose_on_screen(args, settings)


def _choose_on_screen(args: argparse.Namespace, settings: Settings) -> int:
    from crapette_p2p.cli.context import name_of, paths_of
    from crapette_p2p.cli.tables import seating_of
    from crapette_p2p.ui.home import Home
    from crapette_p2p.ui.runs import run_menu

    paths = paths_of(args)

    def statistics() -> list[str]:
        from crapette_p2p.cli.stats import (
            note_lines,
            plot_lines,
            summary_at,
            table_lines,
        )

        summary = summary_at(paths)
        if not summary.total.games:
            return []
        plots = plot_lines(summary, ascii_only=settings.ascii)
        return [*table_lines(summary, _ROOM), *note_lines(summary), *plots]

    def player(name: str) -> Player:
        from crapette_p2p.net.player import player_at

        return player_at(paths, name)

    def terms() -> Terms:
        from crapette_p2p.session.commands import Terms
        from crapette_p2p.ui.house_rules import find_rules

        table = find_rules(settings.rules)
        return Terms(preset=table.label, rules=table.rules)

    home = Home(
        paths=paths,
        player=player,
        terms=terms,
        name=name_of(settings),
        statistics=statistics,
    )
    return run_menu(home, seating_of(args, settings))


def _choose_in_lines(flags: list[str]) -> int:
    from crapette_p2p.cli.running import run as run_command
    from crapette_p2p.ui.typed_lines import read_line, words_of

    while True:
        for key, text in CHOICES.items():
            write_prose(f"{key}  {words(text)}")
        write_prose(words("more can follow: b --level novice, j 192.168.1.20"))
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = read_line(sys.stdin)
        if not (line and sys.stdin.isatty()):
            write_prose("")  # nobody has ended the prompt's line
        if not line:
            return DONE
        key, *more = words_of(line) or [""]
        command = COMMANDS.get(key.lower())
        if command is None:
            complain("choose one of these letters")
        elif not command:
            return DONE
        else:
            # Without a command all that was typed are flags of every command.
            more = more or [*_ALONE.get(key.lower(), ())]
            return run_command([*flags, *command, *more])
