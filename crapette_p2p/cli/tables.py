"""Play at a table: on the screen, or in line mode where there is none.

The commands that open, join or resume a table say how; what is shown and typed
there is decided here, once.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from crapette_p2p.cli.context import (
    config_path_of,
    has_terminal,
    log_file_of,
    paths_of,
)
from crapette_p2p.cli.errors import DONE, NO_TERMINAL, CommandFailed
from crapette_p2p.cli.json_console import JsonConsole
from crapette_p2p.cli.looping import run_async
from crapette_p2p.cli.reporting import JsonReporter
from crapette_p2p.engine.layout import Seat
from crapette_p2p.net.hosting import HostOptions, host
from crapette_p2p.net.news import Closed
from crapette_p2p.net.table import Table
from crapette_p2p.ui.catalogues import language_of, words_of
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.lines import Speech
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_app import PlainApp, PlainOptions
from crapette_p2p.ui.plain_door import PlainDoor
from crapette_p2p.ui.settings import Settings

if TYPE_CHECKING:  # brings the screen's toolkit with it
    from crapette_p2p.ui.runs import Seating


def is_plain(args: argparse.Namespace, settings: Settings) -> bool:
    """Whether this run is line mode: asked for, or no screen to draw on.

    Exit 3 where a screen is wanted, there is none, and nothing may be asked.
    """
    if settings.plain or _speaks_json(args):
        return True
    if has_terminal():
        return False
    if args.no_input:
        raise CommandFailed(
            "there is no terminal to draw a table on",
            exit_code=NO_TERMINAL,
            hint="In lines: crapette --plain; without a player: --auto LEVEL",
        )
    return True


def play_seat(
    args: argparse.Namespace,
    settings: Settings,
    seat: AbstractAsyncContextManager[Table],
    options: PlainOptions | None = None,
    *,
    bot: bool = False,
) -> int:
    """Play at the table that a context manager gives; the exit code."""
    if is_plain(args, settings):
        options = options or PlainOptions()
        return run_async(_plain_seat(args, settings, seat, options))
    from crapette_p2p.ui.runs import run_seat

    return run_seat(seat, seating_of(args, settings), bot=bot)


def play_host(
    args: argparse.Namespace,
    settings: Settings,
    door: HostOptions,
    options: PlainOptions | None = None,
) -> int:
    """Open a table and play with whoever sits down; the exit code."""
    if is_plain(args, settings):
        options = options or PlainOptions()
        return run_async(_plain_host(args, settings, door, options))
    from crapette_p2p.ui.runs import run_host

    return run_host(door, paths_of(args), seating_of(args, settings))


def seating_of(args: argparse.Namespace, settings: Settings) -> Seating:
    """What a run on the screen begins with."""
    from crapette_p2p.ui.runs import Seating

    return Seating(
        settings=settings,
        log_file=log_file_of(args),
        config_file=config_path_of(args),
    )


def words_for(settings: Settings) -> Words:
    """The words of this run's language."""
    return words_of(language_of(settings.lang, os.environ))


def exit_code_of(closed: Closed) -> int:
    """What a closed table ends the program with; the reason has been said."""
    return DONE if closed.failure is None else int(closed.failure.status)


async def _plain_seat(
    args: argparse.Namespace,
    settings: Settings,
    seat: AbstractAsyncContextManager[Table],
    options: PlainOptions,
) -> int:
    async with seat as table:
        return await _plain(args, settings, table, _console(args), options)


async def _plain_host(
    args: argparse.Namespace,
    settings: Settings,
    door: HostOptions,
    options: PlainOptions,
) -> int:
    console, words = _console(args), words_for(settings)
    speech = Speech(seat=Seat(0), names=("", ""), words=words, spoken=settings.speak)
    async with host(door) as hosting:
        if _speaks_json(args):
            JsonReporter().listening(hosting)
        table = await PlainDoor(hosting, console, speech).seated()
        if table is None:
            return DONE
        return await _plain(args, settings, table, console, options)


async def _plain(
    args: argparse.Namespace,
    settings: Settings,
    table: Table,
    console: Console,
    options: PlainOptions,
) -> int:
    options = replace(
        options,
        accept_terms=options.accept_terms or args.yes,
        no_input=args.no_input,
    )
    if _speaks_json(args):
        reporter = JsonReporter()
        hear = partial(reporter.heard, table)
        options = replace(options, on_notice=hear)
    narrator = Narrator(
        words=words_for(settings), spoken=settings.speak, muted=not settings.chat
    )
    return exit_code_of(await PlainApp(table, console, narrator, options).run())


def _console(args: argparse.Namespace) -> Console:
    if _speaks_json(args):
        return JsonConsole()
    return Console(sys.stdin, sys.stdout, interactive=sys.stdin.isatty())


def _speaks_json(args: argparse.Namespace) -> bool:
    return bool(getattr(args, "json", False))
