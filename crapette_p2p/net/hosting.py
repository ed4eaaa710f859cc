"""Open a table and wait: the door, the invite, and who gets the seat.

Theory of operation. ``Hosting`` holds the listening sockets and one ``Table`` at a
time. Everybody who comes through the door is a candidate of that table; the first
whose key is settled gets the seat: known, invited, pinned, or accepted by the
person here, who is asked by ``Knocked`` and answers with ``answer``. From then on
only the same key gets past the login (205 for all others), so the door can stay
open for the friend whose link broke. When the table is closed, ``seated`` opens a
fresh one.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.net.accept import Door
from crapette_p2p.net.address import MAX_INVITE_ADDRESSES, Address, Invite
from crapette_p2p.net.addresses import OwnAddress, chosen_addresses, own_addresses
from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.discovery import Announcer, announced
from crapette_p2p.net.ending import BUSY, GAME_OVER, turned_away
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.hints import Hint
from crapette_p2p.net.knocks import Knocks
from crapette_p2p.net.listening import DEFAULT_PORTS, Opened, Ports, open_sockets
from crapette_p2p.net.news import (
    Announced,
    DoorNotice,
    InviteChanged,
    Knocked,
    TurnedAway,
)
from crapette_p2p.net.player import Player
from crapette_p2p.net.policy import RECONNECT_SECONDS, Policy
from crapette_p2p.net.pump import Pump
from crapette_p2p.net.table import Table
from crapette_p2p.net.tls import make_server_tls
from crapette_p2p.session.commands import (
    AcceptPlayer,
    Command,
    RefusePlayer,
    Terms,
)
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.session.notices import (
    CardsToCompare,
    LinkLost,
    Notice,
    PeerLeft,
    SessionFailed,
)

INVITE_SECONDS: Final = 30 * 60.0
TOKEN_BYTES: Final = 10
_MAX_UNREAD: Final = 64
"""News of strangers that are kept for whoever reads them."""
_SHOWN_IN_INVITE: Final = 3
"""An invite is read out or pasted: the best addresses only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions:
    """How to open a table."""

    player: Player
    """Who hosts."""
    terms: Terms | None = None
    """What is proposed to whoever sits down."""
    ports: Ports = DEFAULT_PORTS
    """Ports to try in this order; 0 for any."""
    binds: Sequence[str] = ()
    """Addresses to listen on; all where empty."""
    public: bool = False
    """Whether addresses of the internet are answered."""
    invite_only: bool = False
    """Whether nobody sits down without the invite."""
    expected: bytes | None = None
    """The only key wanted: fingerprint or key."""
    accept_unverified: bool = False
    """Seat strangers without comparing cards (tests, bots on loopback)."""
    answers_knocks: bool = True
    """Whether somebody reads ``Knocked``; else strangers are refused."""
    wait: float = RECONNECT_SECONDS
    """How long to look for a lost peer before giving up."""
    announce: bool = False
    """Whether the table is shown in ``crapette lan`` on this network."""


class Invitation:
    """A token that opens the table once, for half an hour."""

    def __init__(self, on_expiry: Callable[[], None]) -> None:
        self._token: bytes | None = None
        self._until = 0.0
        self._on_expiry = on_expiry
        self._timer: asyncio.TimerHandle | None = None

    def current(self) -> bytes | None:
        """The token that works now."""
        now = asyncio.get_running_loop().time()
        return self._token if now < self._until else None

    def renew(self) -> bytes:
        """The token that works now, made if there is none."""
        token = self.current()
        if token is None:
            loop = asyncio.get_running_loop()
            token = self._token = secrets.token_bytes(TOKEN_BYTES)
            self._until = loop.time() + INVITE_SECONDS
            self.forget()
            self._timer = loop.call_at(self._until, self._on_expiry)
        return token

    def use_up(self) -> None:
        """Somebody came in with it."""
        self._token = None
        self.forget()

    def forget(self) -> None:
        """Nobody is to be told when it expires."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Hosting:
    """An open table; made by ``host``."""

    def __init__(
        self, options: HostOptions, opened: Opened, table: Table | None = None
    ) -> None:
        try:
            tls = make_server_tls()
        except BaseException:
            opened.close()
            raise
        self.options = options
        self.port = opened.port
        """The port all addresses share."""
        self.addresses: tuple[OwnAddress, ...] = addresses_of_door(options.binds)
        """This computer's addresses, best first."""
        self._invitation = Invitation(self._invite_again)
        self._knocks = Knocks()
        self._notices: asyncio.Queue[DoorNotice] = asyncio.Queue()
        self._resumes = table is not None
        self._table = table or Table(options.player, Policy())
        self._furnish(self._table)
        self._door = Door(
            opened.sockets,
            tls,
            welcome=self._welcome,
            on_knock=self._on_knock,
            public=options.public,
            paced=lambda: not self._table.taken,
        )
        self.announcer = Announcer(
            self._say,
            opened.port,
            binds=chosen_addresses(options.binds),
            visible=options.announce,
            on_change=lambda problem: self._notices.put_nowait(Announced(problem)),
        )
        """Shows the table to others on this network, or hides it."""

    def open(self) -> None:
        """Let people in."""
        self._door.open()

    @property
    def invite(self) -> Invite:
        """Where this table is, with a token that works now."""
        key = self.options.player.identity.public
        shown = [own for own in self.addresses if own.shown] or [*self.addresses]
        count = min(_SHOWN_IN_INVITE, MAX_INVITE_ADDRESSES)
        places = [Address(own.address, self.port) for own in shown[:count]]
        return Invite(tuple(places), fingerprint(key), self._invitation.renew())

    @property
    def moved_from(self) -> int | None:
        """The port that was wanted most, where another program has it."""
        wanted = next(iter(self.options.ports), 0)
        return wanted if wanted not in (0, self.port) else None

    @property
    def table(self) -> Table:
        """The table at hand, taken or not."""
        return self._table

    async def next_notice(self) -> DoorNotice:
        """What happens at the door next."""
        return await self._notices.get()

    @property
    def waiting(self) -> tuple[Knocked, ...]:
        """Who waits for an answer, the longest first."""
        return tuple(self._knocks)

    def answer(self, knock: Knocked, command: Command) -> None:
        """Answer a knock: Confirm, AcceptPlayer or RefusePlayer.

        Nothing happens where the one who knocked has gone meanwhile.
        """
        pump = self._knocks.take(knock)
        if pump is not None and pump.alive:
            pump.command(command)

    async def seated(self) -> Table:
        """The table once somebody sits at it; a closed one is replaced first."""
        if self._table.closed is not None:
            await self._table.aclose()
            self._table = Table(self.options.player, Policy())
            self._furnish(self._table)
            self.announcer.refresh()
            if self._invitation.current() is None:
                self._invite_again()
        await self._table.seated()
        return self._table

    def offer(self, terms: Terms) -> None:
        """Propose other terms to whoever comes next; a taken table keeps its own."""
        self.options = replace(self.options, terms=terms)
        if not self._table.taken:
            self._table.policy.terms = terms
        self.announcer.refresh()

    async def aclose(self) -> None:
        """Close the table and the door."""
        self._invitation.forget()
        try:
            await self._door.aclose()
        finally:
            for pump in self._knocks.clear():
                pump.bid_farewell(GAME_OVER)  # not "taken": nobody plays here
            await self._table.aclose()

    def _furnish(self, table: Table) -> None:
        """Tell a table what kind of table it is, and how to be found again."""
        options, policy = self.options, table.policy
        policy.terms = options.terms
        policy.expected = options.expected
        policy.invite = self._invitation.current
        policy.invite_given = True
        policy.invite_only = options.invite_only
        policy.wait = options.wait
        policy.on_candidate = self._on_candidate
        policy.on_seated = self._on_seated
        table.hint = Hint(
            hosted=True,
            port=self.port,
            binds=tuple(options.binds),
            public=options.public,
        )

    def _invite_again(self) -> None:
        """What was shown opens nothing any more; while the seat is free, renew it."""
        if not self._table.taken:
            self._notices.put_nowait(InviteChanged(self.invite))

    def _say(self) -> Announcement:
        """What others on this network are told of the table."""
        player, terms = self.options.player, self.options.terms
        return Announcement(
            fingerprint=fingerprint(player.identity.public),
            nick=player.nick,
            rules=terms.preset if terms is not None else "",
            is_open=not (self._resumes or self._table.taken),
        )

    def _welcome(self, address: str) -> Pump:
        return self._table.make_pump(address=address, dialler=False)

    def _on_knock(self, address: str, code: str) -> None:
        self._turn_away(address, Failure(code, Exit.CANNOT_REACH))

    def _turn_away(self, address: str, failure: Failure) -> None:
        # While a game runs nobody reads these, and anybody can cause them.
        if self._notices.qsize() < _MAX_UNREAD:
            self._notices.put_nowait(TurnedAway(address, failure))

    def _on_candidate(self, pump: Pump, notice: Notice) -> None:
        match notice:
            case CardsToCompare():
                self._ask(pump, notice)
            case SessionFailed() | PeerLeft() | LinkLost():
                self._knocks.gone(pump)
                if notice is pump.ending:  # one reason is enough
                    self._turn_away(pump.address, turned_away(notice))
            case _:
                pass

    def _ask(self, pump: Pump, question: CardsToCompare) -> None:
        options = self.options
        if options.accept_unverified or not options.answers_knocks:
            answer = AcceptPlayer() if options.accept_unverified else RefusePlayer()
            # Not now: the effects that brought the notice come first.
            asyncio.get_running_loop().call_soon(self._command, pump, answer)
            return
        knock = self._knocks.add(pump, question)
        if knock is not None:
            self._notices.put_nowait(knock)
            return
        asyncio.get_running_loop().call_soon(pump.bid_farewell, BUSY)
        self._on_knock(pump.address, "too-many")

    def _command(self, pump: Pump, command: Command) -> None:
        if not pump.alive:
            return
        if isinstance(command, RefusePlayer) and pump.session.peer is not None:
            # The session tells nothing of what it was told itself.
            facts = {"key": pump.session.peer.fingerprint}
            failure = Failure("door-nobody-compares", Exit.CANNOT_REACH, facts)
            self._turn_away(pump.address, failure)
        pump.command(command)

    def _on_seated(self, pump: Pump) -> None:
        peer = pump.session.peer
        if peer is not None and peer.verified == "invite":
            self._invitation.use_up()
        self.announcer.refresh()
        self._knocks.gone(pump)
        for other in self._knocks.clear():
            asyncio.get_running_loop().call_soon(other.bid_farewell, BUSY)


def addresses_of_door(binds: Sequence[str]) -> tuple[OwnAddress, ...]:
    """Ours, best first; where addresses were chosen, those."""
    found = own_addresses()
    binds = chosen_addresses(binds)
    if not binds:
        return found
    named = {own.address.partition("%")[0]: own for own in found}
    return tuple(
        named.get(bind, OwnAddress(bind, "", "network", shown=True)) for bind in binds
    )


@asynccontextmanager
async def host(options: HostOptions) -> AsyncIterator[Hosting]:
    """An open door; raises NetError where no port can be listened on.

    StorageError where no game can be kept: nobody is let in for nothing.
    """
    options.player.store.check()
    hosting = Hosting(options, open_sockets(options.ports, options.binds))
    async with kept_open(hosting):
        yield hosting


@asynccontextmanager
async def kept_open(hosting: Hosting) -> AsyncIterator[None]:
    """Let people in and, beside that, tell the network, until the body is over."""
    hosting.open()
    try:
        async with announced(hosting.announcer):
            yield
    finally:
        await hosting.aclose()
