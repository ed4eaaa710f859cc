"""Open a table, wait at the door, play whoever sits down.

Theory of operation. ``DoorFlow`` owns the terminal while nobody sits there. A knock
interrupts whatever is on the screen (the open table, the editor of its rules, a
game against a bot) and gives it back when it is answered. Once somebody sits down
the game against the bot is left, saved. A guest who goes before a deal begins
leaves the table as it was: the door has never been closed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from crapette_p2p.errors import CrapetteError
from crapette_p2p.net.failures import NetError, StorageError
from crapette_p2p.net.hosting import Hosting, HostOptions, host
from crapette_p2p.net.news import (
    Announced,
    DoorNotice,
    InviteChanged,
    Knocked,
    TurnedAway,
)
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Confirm, Terms
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.aside import Aside
from crapette_p2p.ui.screens.hosting import BOT, CLOSE, EDIT, HostScreen, OpenTable
from crapette_p2p.ui.screens.meeting import ONCE, PLAY, Cards
from crapette_p2p.ui.screens.rules_editor import RulesEditor, terms_text
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.waiting import Waiting
from crapette_p2p.ui.surface import Surface
from crapette_p2p.ui.table_flow import TableFlow
from crapette_p2p.ui.table_like import FlowOptions
from crapette_p2p.ui.wording import explain

DONE: Final = 0
Meanwhile = Callable[[Surface, Terms], Awaitable[int]]
"""A game against a bot by these terms, on that surface."""


async def host_flow(
    shell: Shell,
    options: HostOptions,
    flow_options: FlowOptions | None = None,
    meanwhile: Meanwhile | None = None,
) -> int:
    """A table from opening the door to leaving; raises NetError without a port."""
    flow_options = replace(flow_options or FlowOptions(), stays_open=True)
    async with host(options) as hosting:
        door = DoorFlow(shell, hosting, meanwhile)
        while True:
            table = await door.seated()
            if table is None:
                return DONE
            flow = TableFlow(shell, table, flow_options, door.waiting_room())
            flow.cards, door.cards = door.cards, ()
            code = await flow.run()
            if not flow.reopens:
                return code
            await table.aclose()
            door.free_again(flow.why)


class DoorFlow:
    """Waits at the door of one table."""

    def __init__(
        self, shell: Shell, hosting: Hosting, meanwhile: Meanwhile | None = None
    ) -> None:
        self._shell = shell
        self._hosting = hosting
        self._meanwhile = meanwhile
        self._screen = HostScreen(
            shell.desk, _open_table(shell, hosting, bot=bool(meanwhile)), shell.now
        )
        self._waiting: Screen = self._screen
        """What a knock interrupts: the open table, or the editor of its rules."""
        self._aside: Aside | None = None
        """The game against a bot that is played meanwhile."""
        self._asked: Knocked | None = None
        self._bot_saved = False
        self.cards: tuple[int, ...] = ()
        """The four cards that were taken as equal last."""

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
                if self._aside is not None:
                    self._look_aside(self._aside)
                if self._is_aside_shown():
                    continue  # its flow hears what its screen came to
                if shell.screen.done is not None and self._answered() == CLOSE:
                    # What is typed while the door closes is for what comes next.
                    shell.screen.done = CLOSE
                    return None
            return seat.result()
        finally:
            for task in (seat, door):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await door
            await self._end_aside()

    def waiting_room(self) -> Waiting:
        """What is shown while whoever sat down reads the rules."""
        shell, words = self._shell, self._shell.desk.words
        room = Waiting(shell.desk, words("The table"))
        if self._bot_saved:
            room.step(words("the game against the bot is saved: Resume, or b here"))
            shell.desk.ring()
        room.step(words("waiting for the other player"))
        self._bot_saved, self._asked = False, None
        shell.put(room)
        return room

    def free_again(self, why: str) -> None:
        """Whoever sat there has gone before a deal began."""
        self._waiting = self._screen
        if why:
            self._screen.knocked(why, self._shell.now)

    # A game against a bot -------------------------------------------------------

    def _is_aside_shown(self) -> bool:
        return self._aside is not None and self._aside.shown

    def _look_aside(self, aside: Aside) -> None:
        """Tell the flow beside us of a change, or put it away once it is over."""
        if not aside.over:
            aside.notice()
            return
        self._aside = None
        try:
            aside.result()
        except (NetError, StorageError) as error:
            told = explain(
                error.failure.code, error.failure.facts, self._shell.desk.words
            )
            self._screen.say(told.sentence)
        except (CrapetteError, OSError) as error:
            self._screen.say(str(error))
        if self._asked is None:
            self._back()

    def _play_meanwhile(self) -> None:
        terms = self._hosting.options.terms
        meanwhile = self._meanwhile
        if meanwhile is not None and terms is not None:
            self._aside = Aside(self._shell, lambda place: meanwhile(place, terms))

    async def _end_aside(self) -> None:
        """Leave the game against the bot; it can be gone on with."""
        aside, self._aside = self._aside, None
        if aside is not None:
            self._bot_saved = True
            await aside.end()
            self._shell.desk.entitle("Crapette")

    def _back(self) -> None:
        """What a knock has interrupted."""
        if self._aside is not None:
            self._aside.lay_open()
        else:
            self._shell.desk.entitle("Crapette")
            self._shell.put(self._waiting)

    # The door -------------------------------------------------------------------

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
                self._look_at_door()
            case TurnedAway(address, failure):
                told = explain(failure.code, failure.facts, words)
                self._screen.knocked(f"{address} … {told.sentence}", shell.now)
                self._look_at_door()
            case InviteChanged(invite):
                shown = replace(self._screen.table, invite=str(invite))
                self._screen.table = shown
            case Announced(problem):
                self._screen.unseen = ""
                if problem is not None:
                    told = explain(problem.code, problem.facts, words)
                    self._screen.unseen = told.sentence

    def _look_at_door(self) -> None:
        """Ask about whoever waits longest; leave a question whose asker has gone."""
        shell, waiting = self._shell, self._hosting.waiting
        if self._asked is not None and self._asked not in waiting:
            self._asked = None
            if not waiting:
                self._back()
        if self._asked is None and waiting:
            self._asked = knock = waiting[0]
            shell.desk.ring()
            if self._aside is not None:
                self._aside.lay_aside()
            cards = Cards(shell.desk, knock.question, knock.address, shell.now)
            cards.others = lambda: len(self._hosting.waiting) - 1
            shell.put(cards)

    def _answered(self) -> object:
        """What the screen came to; a knock is answered at once."""
        screen = self._shell.screen
        done, screen.done = screen.done, None
        if self._asked is not None and isinstance(screen, Cards):
            asked, self._asked = self._asked, None
            same = done in {PLAY, ONCE}
            self.cards = tuple(asked.question.cards) if same else ()
            answer = Confirm(same=same, remember=done == PLAY)
            self._hosting.answer(asked, answer)
            self._look_at_door()
            if self._asked is None:
                self._back()
        elif done == EDIT:
            self._edit()
        elif done == BOT:
            self._play_meanwhile()
        elif isinstance(done, Terms):
            self._propose(done)
        return done

    def _edit(self) -> None:
        terms = self._hosting.options.terms
        if terms is not None:
            self._waiting = RulesEditor(self._shell.desk, terms)
            self._shell.put(self._waiting)

    def _propose(self, terms: Terms) -> None:
        """What was edited is what the next guest is asked."""
        self._hosting.offer(terms)
        text = terms_text(terms, self._shell.desk)
        self._screen.table = replace(self._screen.table, terms=text)
        self._waiting = self._screen
        self._shell.put(self._screen)


def _open_table(shell: Shell, hosting: Hosting, *, bot: bool) -> OpenTable:
    terms = hosting.options.terms
    text = "" if terms is None else terms_text(terms, shell.desk)
    return OpenTable(
        addresses=hosting.addresses,
        port=hosting.port,
        invite=str(hosting.invite),
        terms=text,
        moved_from=hosting.moved_from,
        bot=bot,
        visible=hosting.announcer.visible,
        invited=hosting.options.invite_only,
        expects=hosting.options.expected is not None,
        show=lambda visible: hosting.announcer.show(visible=visible),
    )
