"""Play at a table that is open: on the screen, or in line mode."""

from __future__ import annotations

import argparse
import sys

from crapette_p2p.cli.context import has_terminal, log_file_of
from crapette_p2p.cli.errors import DONE
from crapette_p2p.net.news import Closed
from crapette_p2p.net.table import Table
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_app import PlainApp, PlainOptions
from crapette_p2p.ui.settings import Settings


def is_plain(settings: Settings) -> bool:
    """Whether this run is line mode: asked for, or no screen to draw on."""
    return settings.plain or not has_terminal()


async def play_table(
    args: argparse.Namespace,
    settings: Settings,
    table: Table,
    *,
    accept_unverified: bool = False,
    accept_terms: bool = False,
    against_bot: bool = False,
) -> int:
    """Play until somebody leaves; the exit code."""
    if is_plain(settings):
        options = PlainOptions(
            accept_unverified=accept_unverified or against_bot,
            accept_terms=accept_terms or against_bot,
            assist=against_bot,
        )
        console = Console(sys.stdin, sys.stdout, interactive=sys.stdin.isatty())
        narrator = Narrator(spoken=settings.speak)
        return exit_code_of(await PlainApp(table, console, narrator, options).run())
    return await _on_screen(args, settings, table, against_bot=against_bot)


def exit_code_of(closed: Closed) -> int:
    """What a closed table ends the program with; the reason has been said."""
    return DONE if closed.failure is None else int(closed.failure.status)


async def _on_screen(
    args: argparse.Namespace, settings: Settings, table: Table, *, against_bot: bool
) -> int:
    from crapette_p2p.ui.app import Shell
    from crapette_p2p.ui.desk import Desk
    from crapette_p2p.ui.table_flow import TableFlow
    from crapette_p2p.ui.table_like import FlowOptions

    options = FlowOptions(accept_unverified=against_bot, accept_terms=against_bot)
    shell = Shell(Desk(settings=settings), log_file=log_file_of(args))
    return await shell.run(lambda shell: TableFlow(shell, table, options).run())
