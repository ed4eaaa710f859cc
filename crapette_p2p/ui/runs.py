"""The ways into the full screen, for the command line: each runs to an exit code.

The toolkit is imported by this module, so a command that needs no screen must not
import it; what only some ways need (TLS, the menu) is imported by those. Failures
of the network come out as NetError once the terminal is given back.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from crapette_p2p.ui.app import Flow, Shell
from crapette_p2p.ui.catalogues import language_of, words_of
from crapette_p2p.ui.config_file import write_value
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.leftover import clean_up
from crapette_p2p.ui.settings import Settings
from crapette_p2p.ui.terminal import can_write_suits

if TYPE_CHECKING:  # each way imports what it needs; the first frame is awaited
    from crapette_p2p.gamelog.replay import Replay
    from crapette_p2p.gamelog.times import Times
    from crapette_p2p.net.hosting import HostOptions
    from crapette_p2p.net.joining import JoinOptions
    from crapette_p2p.net.paths import Paths
    from crapette_p2p.net.table import Table
    from crapette_p2p.ui.home import Home
    from crapette_p2p.ui.join_flow import Target
    from crapette_p2p.ui.replay_app import ReplayScreen
    from crapette_p2p.ui.table_like import TableLike

    SeatFlow = Callable[..., Coroutine[object, object, int]]

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """What every run on the screen begins with."""

    settings: Settings
    """As settled by flags, environment and config."""
    log_file: Path | None = None
    """Where stderr goes meanwhile."""
    config_file: Path | None = None
    """Where settings changed on the screen are kept."""


class Opened(NamedTuple):
    """A log as it is to be watched."""

    replay: Replay
    flip: bool
    """Whether B sits at the bottom."""
    times: Times | None = None
    """When its events were recorded, if that is known."""


def run_table(table: TableLike, seating: Seating, *, bot: bool = False) -> int:
    """Play at a table that exists already; against a ``bot`` hints are allowed."""
    from crapette_p2p.ui.seats import table_flow

    return run_screen(lambda shell: table_flow(shell, table, bot=bot), seating)


def run_host(options: HostOptions, paths: Paths, seating: Seating) -> int:
    """Open a table and play with whoever comes; raises NetError without a port.

    Below ``paths`` a bot lives that can be played meanwhile.
    """
    from crapette_p2p.ui.bot_flow import bot_meanwhile
    from crapette_p2p.ui.host_flow import host_flow
    from crapette_p2p.ui.seats import flow_options

    def flow(shell: Shell) -> Awaitable[int]:
        return host_flow(
            shell,
            options,
            flow_options(shell),
            lambda surface, terms: bot_meanwhile(surface, options.player, paths, terms),
        )

    return run_screen(flow, seating)


def run_join(target: Target, options: JoinOptions, seating: Seating) -> int:
    """Join a table and play; raises NetError if it is not reached."""
    from crapette_p2p.ui.join_flow import join_flow
    from crapette_p2p.ui.seats import flow_options

    return run_screen(
        lambda shell: join_flow(shell, target, options, flow_options(shell)), seating
    )


def run_seat(
    opening: Callable[[], AbstractAsyncContextManager[Table]],
    seating: Seating,
    *,
    bot: bool = False,
) -> int:
    """Play at the table that a context manager gives: resumed, or a bot's.

    ``opening`` makes it once there is something to be seen. Against a ``bot`` the
    terms are one's own and hints are allowed. Raises what either raises.
    """

    def opened() -> tuple[SeatFlow, AbstractAsyncContextManager[Table]]:
        from crapette_p2p.ui.seats import seat_flow

        return seat_flow, opening()

    async def flow(shell: Shell) -> int:
        words = shell.desk.words
        step = words("waiting for the other player")
        found = await _behind(shell, words("The table"), step, opened)
        if found is None:
            return 0
        seat_flow, seat = found
        return await seat_flow(shell, seat, bot=bot)

    return run_screen(flow, seating)


async def _behind(
    shell: Shell, title: str, step: str, work: Callable[[], Result]
) -> Result | None:
    """Do what takes its time behind a page that says so; None if that was left."""
    from crapette_p2p.ui.screens.waiting import Opening

    page = Opening(shell.desk, title)
    page.step(step)
    shell.put(page)
    await shell.seen()
    result = await asyncio.to_thread(work)
    shell.type_ahead(page.typed)
    return result if page.done is None else None


def run_menu(home: Home, seating: Seating) -> int:
    """The menu, and everything that begins from it."""
    from crapette_p2p.ui.menu_flow import MenuFlow

    return run_screen(lambda shell: MenuFlow(shell, home).run(), seating)


def run_replay(
    opening: Callable[[], Opened],
    seating: Seating,
    *,
    name: str = "",
    at: str = "",
    speed: float = 1.0,
    as_played: bool = False,
    hidden: bool = False,
) -> int:
    """Watch a log; ``opening`` reads it.

    ``at`` is ``turn:N`` or ``move:N`` (ValueError for anything else). Raises what
    ``opening`` raises.
    """

    def opened() -> tuple[ModuleType, Opened]:
        return importlib.import_module("crapette_p2p.ui.replay_app"), opening()

    async def flow(shell: Shell) -> int:
        words = shell.desk.words
        step = words("checking proofs: {name}", name=name)
        found = await _behind(shell, words("Replays"), step, opened)
        if found is None:
            return 0
        viewer, (replay, flip, times) = found
        screen: ReplayScreen = viewer.ReplayScreen(
            shell.desk, replay, name=name, seat=int(flip), times=times
        )
        screen.place = viewer.place_of(at, screen.reel) if at else 0
        screen.pace.speed = speed
        if hidden:
            screen.board_key("x", shell.now)
        if as_played:
            screen.play_as_played(shell.now)
        await shell.show(screen)
        return 0

    return run_screen(flow, seating)


def run_screen(flow: Flow, seating: Seating) -> int:
    """Run a flow on the terminal of this process, in a loop of its own."""
    return asyncio.run(on_screen(flow, seating))


async def on_screen(flow: Flow, seating: Seating) -> int:
    """Run a flow on the terminal of this process, in the loop that runs."""
    clean_up()
    settings = seating.settings
    drawable = can_write_suits()
    desk = make_desk(seating, os.environ, ascii_only=not drawable)
    shell = Shell(
        desk,
        log_file=seating.log_file,
        asks_width=drawable
        and settings.suits == "symbols"
        and not settings.ascii
        and sys.platform != "win32",
    )
    code = await shell.run(flow)
    if desk.afterword:
        name = sys.stdout.encoding or "utf-8"
        text = desk.afterword.encode(name, "backslashreplace").decode(name)
        with contextlib.suppress(OSError):  # the terminal itself may be gone
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
    return code


def make_desk(
    seating: Seating, environ: Mapping[str, str], *, ascii_only: bool = False
) -> Desk:
    """The desk of one run."""
    settings = seating.settings
    lang = language_of(settings.lang, environ)
    config = seating.config_file

    def keep(key: str, value: object) -> None:
        if config is not None:
            write_value(config, key, value)

    return Desk(
        settings=replace(settings, lang=lang),
        words_of=words_of,
        ascii_only=ascii_only,
        keep=keep,
    )
