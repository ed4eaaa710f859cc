"""A seat that a bot plays without a screen, from sitting down to leaving."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import dataclass

from crapette_p2p.cli.errors import DONE
from crapette_p2p.cli.output import complain_as_told
from crapette_p2p.cli.reporting import Reporter
from crapette_p2p.cli.speaking import words_in_force
from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.net.autoplay import Autoplayer, bot_chooser, is_slow
from crapette_p2p.net.ending import shown_key
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.matches import has_next_deal
from crapette_p2p.net.news import Closed, GaveUp, TableNotice
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import AcceptPlayer, Command, Leave, RefusePlayer
from crapette_p2p.session.notices import (
    CardsToCompare,
    GameOver,
    GameResumed,
    GameStarted,
)
from crapette_p2p.ui.wording import explain


@dataclass(slots=True, kw_only=True)
class Manner:
    """How a headless seat behaves."""

    level: str
    """Of the bot."""
    seed: int | None = None
    """Makes its choices repeat."""
    think_ms: int | None = None
    """Most milliseconds it thinks about one action."""
    accept_unverified: bool = False
    """Play with a stranger without comparing cards."""


def manner_of(args: argparse.Namespace) -> Manner:
    """As the flags say."""
    return Manner(
        level=args.auto,
        seed=args.seed,
        think_ms=getattr(args, "think", None),
        accept_unverified=getattr(args, "accept_unverified", False),
    )


class HeadlessSeat:
    """Plays one table to its end."""

    def __init__(self, table: Table, manner: Manner, reporter: Reporter) -> None:
        self._table = table
        self._manner = manner
        self._reporter = reporter
        self._status: int | None = None
        self.played = False
        """Whether a game was begun at this table."""
        chooser = bot_chooser(manner.level, seed=manner.seed, think_ms=manner.think_ms)
        self._bot = Autoplayer(table, chooser, slow=is_slow(manner.level))

    async def play(self) -> int:
        """Until the table is closed; the exit status."""
        while True:
            notice = await self._table.next_notice()
            self._reporter.heard(self._table, notice)
            if isinstance(notice, Closed):
                return self._ended(notice)
            if not self._settled(notice):
                await self._bot.react(notice)

    def _settled(self, notice: TableNotice) -> bool:
        """Whether the notice needed an answer that is no play, and got it."""
        table = self._table
        match notice:
            case CardsToCompare():
                self._meet()
            case GameStarted() | GameResumed():
                self.played = True
                return False
            case GameOver():
                game = table.game
                if game is not None and not has_next_deal(game):
                    table.command(Leave(502))
            case GaveUp():
                self._status = _failed(Failure("gave-up", Exit.PEER_LOST))
                table.command(Leave(501))
            case _:
                return False
        return True

    def _meet(self) -> None:
        if self._manner.accept_unverified:
            self._command(AcceptPlayer())
            return
        self._status = _failed(Failure("nobody-compares", Exit.IDENTITY))
        self._command(RefusePlayer())

    def _command(self, command: Command) -> None:
        # The link may be gone since the question came.
        with contextlib.suppress(LocalProtocolError):
            self._table.command(command)

    def _ended(self, closed: Closed) -> int:
        if self._status is not None:
            return self._status
        if closed.failure is None:
            return DONE
        failure = closed.failure
        if failure.code == "refused" and not self.played:
            # A bot there may have had nobody to compare the cards: it can be told.
            facts = {"key": shown_key(self._table.player.identity.public)}
            failure = Failure("guest-refused", failure.status, facts)
        return _failed(failure)


def _failed(failure: Failure) -> int:
    """Say what went wrong; the exit status for it."""
    told = explain(failure.code, failure.facts, words_in_force())
    complain_as_told(told.sentence, told.hint)
    return int(failure.status)
