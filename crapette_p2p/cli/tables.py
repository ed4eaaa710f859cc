"""Play at a table: on the screen, or in line mode where there is none.

The commands that open, join or resume a table say how; what is shown and typed
there is decided here, once. The screen and line mode are loaded apart: neither
waits for the other's modules.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from crapette_p2p.cli.context import (
    config_path_of,
    has_terminal,
    log_file_of,
    paths_of,
)
from crapette_p2p.cli.errors import NO_TERMINAL, CommandFailed
from crapette_p2p.cli.looping import run_async

if TYPE_CHECKING:  # brings the session, and the screen's toolkit
    from crapette_p2p.net.hosting import HostOptions
    from crapette_p2p.net.table import Table
    from crapette_p2p.ui.plain_commands import PlainOptions
    from crapette_p2p.ui.runs import Seating
    from crapette_p2p.ui.settings import Settings


def is_plain(args: argparse.Namespace, settings: Settings) -> bool:
    """Whether this run is line mode: asked for, or no screen to draw on.

    Exit 3 where a screen is wanted, there is none, and nothing may be asked.
    """
    if settings.plain or getattr(args, "json", False):
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
    opening: Callable[[], AbstractAsyncContextManager[Table]],
    options: PlainOptions | None = None,
    *,
    bot: bool = False,
) -> int:
    """Play at the table that ``opening``'s context manager gives; the exit code."""
    if is_plain(args, settings):
        from crapette_p2p.cli.plain_tables import plain_seat

        return run_async(plain_seat(args, settings, opening(), options, bot=bot))
    from crapette_p2p.ui.runs import run_seat

    return run_seat(opening, seating_of(args, settings), bot=bot)


def play_host(
    args: argparse.Namespace,
    settings: Settings,
    door: HostOptions,
    options: PlainOptions | None = None,
) -> int:
    """Open a table and play with whoever sits down; the exit code."""
    if is_plain(args, settings):
        from crapette_p2p.cli.plain_tables import plain_host

        return run_async(plain_host(args, settings, door, options))
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
