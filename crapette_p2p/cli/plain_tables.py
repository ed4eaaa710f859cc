"""Play at a table in line mode: by typed commands, or as JSON lines."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial

from crapette_p2p.cli.context import config_path_of
from crapette_p2p.cli.errors import DONE
from crapette_p2p.cli.json_console import JsonConsole
from crapette_p2p.cli.reporting import JsonReporter
from crapette_p2p.engine.layout import Seat
from crapette_p2p.net.hosting import HostOptions, host
from crapette_p2p.net.news import Closed
from crapette_p2p.net.table import Table
from crapette_p2p.ui.catalogues import language_of, words_of
from crapette_p2p.ui.config_file import write_value
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.leftover import clean_up
from crapette_p2p.ui.lines import Speech
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_app import PlainApp
from crapette_p2p.ui.plain_commands import PlainOptions
from crapette_p2p.ui.plain_door import PlainDoor
from crapette_p2p.ui.settings import Settings


async def plain_seat(
    args: argparse.Namespace,
    settings: Settings,
    seat: AbstractAsyncContextManager[Table],
    options: PlainOptions | None = None,
    *,
    bot: bool = False,
) -> int:
    """Play at the table that a context manager gives; the exit code.

    Against a ``bot`` nothing has to be agreed and hints are allowed.
    """
    options = options or PlainOptions(
        accept_unverified=bot, accept_terms=bot, assist=bot
    )
    async with seat as table:
        return await _plain(args, settings, table, _console(args), options)


async def plain_host(
    args: argparse.Namespace,
    settings: Settings,
    door: HostOptions,
    options: PlainOptions | None = None,
) -> int:
    """Open a table and play with whoever sits down; the exit code."""
    console, words = _console(args), _words_for(settings)
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
    options: PlainOptions | None,
) -> int:
    options = options or PlainOptions()
    desk = _desk(args, settings)
    options = replace(
        options,
        desk=desk,
        accept_terms=options.accept_terms or args.yes,
        no_input=args.no_input,
    )
    if _speaks_json(args):
        reporter = JsonReporter()
        hear = partial(reporter.heard, table)
        options = replace(options, on_notice=hear)
    narrator = Narrator(
        words=desk.words, spoken=settings.speak, muted=not settings.chat
    )
    return _exit_code_of(await PlainApp(table, console, narrator, options).run())


def _console(args: argparse.Namespace) -> Console:
    if _speaks_json(args):
        return JsonConsole()
    clean_up()
    return Console(sys.stdin, sys.stdout, interactive=sys.stdin.isatty())


def _desk(args: argparse.Namespace, settings: Settings) -> Desk:
    """The settings that can be changed at the prompt, and where they are kept."""
    lang = language_of(settings.lang, os.environ)
    return Desk(
        settings=replace(settings, lang=lang),
        words_of=words_of,
        keep=partial(write_value, config_path_of(args)),
    )


def _speaks_json(args: argparse.Namespace) -> bool:
    return bool(getattr(args, "json", False))


def _words_for(settings: Settings) -> Words:
    """The words of this run's language."""
    return words_of(language_of(settings.lang, os.environ))


def _exit_code_of(closed: Closed) -> int:
    """What a closed table ends the program with; the reason has been said."""
    return DONE if closed.failure is None else int(closed.failure.status)
