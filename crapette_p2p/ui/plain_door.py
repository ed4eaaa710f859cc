"""An open table in line mode: where it is, who knocks, and who sits down."""

from __future__ import annotations

import asyncio
import contextlib

from crapette_p2p.net.address import Address
from crapette_p2p.net.failures import Failure
from crapette_p2p.net.hosting import Hosting
from crapette_p2p.net.news import (
    Announced,
    DoorNotice,
    InviteChanged,
    Knocked,
    TurnedAway,
)
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Confirm
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.invitation import join_command, moved_text
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.lines import Speech
from crapette_p2p.ui.plain_commands import ONCE, SAME_CARDS
from crapette_p2p.ui.play.questions import yes_no_keys
from crapette_p2p.ui.turned_away import TurnedAwayLines
from crapette_p2p.ui.wording import explain


class PlainDoor:
    """Waits at the door of one table."""

    def __init__(self, hosting: Hosting, console: Console, speech: Speech) -> None:
        self._hosting = hosting
        self._console = console
        self._speech = speech
        self._knock: Knocked | None = None
        self._turned = TurnedAwayLines()

    @property
    def _words(self) -> Words:
        return self._speech.words

    async def seated(self) -> Table | None:
        """The table once somebody sits at it; None if the person closes it."""
        self._console.say(self._where())
        seat = asyncio.create_task(self._hosting.seated())
        notice = asyncio.create_task(self._hosting.next_notice())
        line: asyncio.Task[str | None] | None = None
        try:
            while not seat.done():
                if self._knock is not None:
                    self._console.ask(self._words(SAME_CARDS))
                if line is None and self._takes_lines():
                    line = asyncio.create_task(self._console.next_line())
                waiting = {task for task in (seat, notice, line) if task is not None}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if notice.done():
                    self._hear(notice.result())
                    notice = asyncio.create_task(self._hosting.next_notice())
                elif line is not None and line.done():
                    typed, line = line.result(), None
                    if self._is_closed_by(typed):
                        return None
            return seat.result()
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):  # the terminal itself may be gone
                self._console.end_line()
            raise
        finally:
            await _ended(seat, notice, line)

    def _takes_lines(self) -> bool:
        """A person may close the table; a pipe speaks only when it is asked."""
        console = self._console
        return not console.ended and (console.interactive or self._knock is not None)

    def _where(self) -> list[str]:
        hosting, words = self._hosting, self._words
        invited = hosting.options.invite_only  # an address leads nowhere there
        shown = [own for own in hosting.addresses if own.shown and not invited]
        moved, port = hosting.moved_from, hosting.port
        command = join_command(hosting.addresses, port, words, invited=invited)
        return [
            *([] if moved is None else [moved_text(moved, port, words)]),
            words("the table is open on port {n}.", n=port),
            *(
                words(
                    "address {a} ({b}).",
                    a=Address(own.address, port).short(),
                    b=own.adapter,
                )
                for own in shown
            ),
            words("invite {invite}", invite=hosting.invite),
            words("your friend types: {command}", command=command),
            words("waiting for a player. leave closes the table."),
        ]

    def _hear(self, notice: DoorNotice) -> None:
        words = self._words
        match notice:
            case Knocked(address, question):
                if self._knock is None:
                    self._ask_next()
                    return
                text = words(
                    "{who} knocks from {address} too.",
                    who=question.peer.nick,
                    address=address,
                )
                self._console.say([text])
            case TurnedAway(address, failure):
                told = explain(failure.code, failure.facts, words)
                line = self._turned.line(f"{address}: {told.sentence}", words)
                self._console.say([line] if line else [])
                if self._knock is not None and self._knock not in self._hosting.waiting:
                    self._ask_next()
            case InviteChanged(invite):
                self._console.say([words("invite {invite}", invite=invite)])
            case Announced(problem):
                self._console.say([self._visibility(problem)])

    def _ask_next(self) -> None:
        """Ask about whoever waits longest, if somebody does."""
        waiting, words = self._hosting.waiting, self._words
        self._knock = waiting[0] if waiting else None
        if self._knock is None:
            return
        question = self._knock.question
        text = words(
            "{who} knocks from {address}. cards: {cards}.",
            who=question.peer.nick,
            address=self._knock.address,
            cards=self._speech.cards(question.cards),
        )
        self._console.say([text])
        if len(waiting) > 1:
            more = len(waiting) - 1
            text = words.count("{n} more is waiting", "{n} more are waiting", more)
            self._console.say([f"{text}."])

    def _visibility(self, problem: Failure | None) -> str:
        words = self._words
        if problem is None:
            return words("players on this network can see the table.")
        told = explain(problem.code, problem.facts, words)
        return words("no list shows the table: {why}", why=told.sentence)

    def _is_closed_by(self, typed: str | None) -> bool:
        """Whether a typed line closes the table; answers a knock otherwise."""
        word = "" if typed is None else typed.strip().lower()
        if word in ("leave", "quit") or (typed is None and self._knock is not None):
            return True
        yes, no = yes_no_keys(self._words)
        knock = self._knock
        if knock is not None and (word in yes or word in no or word == ONCE):
            self._knock = None
            answer = Confirm(same=word not in no, remember=word in yes)
            self._hosting.answer(knock, answer)
            self._ask_next()
        elif word:
            self._console.say(
                [
                    self._words("y or n?")
                    if knock
                    else self._words("nobody is here yet. leave closes the table.")
                ]
            )
        return False


async def _ended(*tasks: asyncio.Task[object] | None) -> None:
    """Cancel what still waits, and wait for it to be so."""
    for task in tasks:
        if task is not None and not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
