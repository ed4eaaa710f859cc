"""Open a table, wait at the door, play whoever sits down."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from crapette_p2p.net.address import DEFAULT_PORT
from crapette_p2p.net.hosting import Hosting, HostOptions, host
from crapette_p2p.net.news import Announced, DoorNotice, Knocked, TurnedAway
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Confirm
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.screens.hosting import CLOSE, HostScreen, OpenTable
from crapette_p2p.ui.screens.meeting import ONCE, PLAY, Cards
from crapette_p2p.ui.table_flow import TableFlow
from crapette_p2p.ui.table_like import FlowOptions
from crapette_p2p.ui.wording import explain

DONE: Final = 0


async def host_flow(
    shell: Shell, options: HostOptions, flow_options: FlowOptions | None = None
) -> int:
    """A table from opening the door to leaving; raises NetError without a port."""
    async with host(options) as hosting:
        table = await DoorFlow(shell, hosting).seated()
        if table is None:
            return DONE
        return await TableFlow(shell, table, flow_options).run()


class DoorFlow:
    """Waits at the door of one table."""

    def __init__(self, shell: Shell, hosting: Hosting) -> None:
        self._shell = shell
        self._hosting = hosting
        self._screen = HostScreen(shell.desk, _open_table(shell, hosting), shell.now)
        self._asked: Knocked | None = None

    async def seated(self) -> Table | None:
        """The table once somebody sits there; None if the person closes it."""
        loop, shell = asyncio.get_running_loop(), self._shell
        seat = loop.create_task(self._hosting.seated())
        seat.add_done_callback(lambda _: shell.changed())
        door = loop.create_task(self._watch())
        shell.put(self._screen)
        try:
            while not seat.done():
                await shell.next_change()
                if door.done():
                    door.result()
                if shell.screen.done is not None and self._answered() == CLOSE:
                    return None
            return seat.result()
        finally:
            for task in (seat, door):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await door

    async def _watch(self) -> None:
        while True:
            self._hear(await self._hosting.next_notice())
            self._shell.changed()

    def _hear(self, notice: DoorNotice) -> None:
        shell, words = self._shell, self._shell.desk.words
        match notice:
            case Knocked(address, question):
                name = question.peer.nick
                text = words(
                    "{name} is knocking from {address}", name=name, address=address
                )
                self._screen.knocked(text, shell.now)
                if self._asked is None:
                    self._asked = notice
                    shell.desk.ring()
                    shell.put(Cards(shell.desk, question, address, shell.now))
            case TurnedAway(address, failure):
                told = explain(failure.code, failure.facts, words)
                self._screen.knocked(f"{address} … {told.sentence}", shell.now)
                if self._asked is not None and self._asked.address == address:
                    self._asked = None
                    shell.put(self._screen)
            case Announced(problem):
                self._screen.unseen = ""
                if problem is not None:
                    told = explain(problem.code, problem.facts, words)
                    self._screen.unseen = told.sentence

    def _answered(self) -> object:
        """What the screen came to; a knock is answered at once."""
        screen = self._shell.screen
        done, screen.done = screen.done, None
        if self._asked is not None and isinstance(screen, Cards):
            asked, self._asked = self._asked, None
            same = done in {PLAY, ONCE}
            answer = Confirm(same=same, remember=done == PLAY)
            self._hosting.answer(asked, answer)
            self._shell.put(self._screen)
        return done


def _open_table(shell: Shell, hosting: Hosting) -> OpenTable:
    terms, words = hosting.options.terms, shell.desk.words
    text = ""
    if terms is not None:
        length = words("match to {n}", n=terms.target)
        assist = words("on") if terms.assist else words("off")
        text = " · ".join(
            [
                terms.preset,
                words("one deal") if terms.target <= 1 else length,
                words("assist {state}", state=assist),
            ]
        )
    wanted = [*hosting.options.ports][:1]
    moved = wanted == [DEFAULT_PORT] and hosting.port != DEFAULT_PORT
    return OpenTable(
        addresses=hosting.addresses,
        port=hosting.port,
        invite=str(hosting.invite),
        terms=text,
        moved_from=DEFAULT_PORT if moved else None,
        visible=hosting.announcer.visible,
        show=lambda visible: hosting.announcer.show(visible=visible),
    )
