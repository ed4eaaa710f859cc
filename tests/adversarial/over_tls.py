"""A cheat at the other end of a real link: for ``crapette`` processes as victims.

He runs the honest machinery over a TLS socket, on a key of his own, plays until he
may resign, and does so; a ``Trick`` changes what leaves him on the way.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import (
    Event,
    EventType,
    decode_event,
    event_message,
)
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.net.tls import make_client_context, make_server_tls
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import AcceptPlayer, AcceptTerms, Act, Command
from crapette_p2p.session.effects import Close, Effect, Emit, Send
from crapette_p2p.session.framing import frame
from crapette_p2p.session.notices import CardsToCompare, Notice, TermsProposed
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.session import Session
from crapette_p2p.session.states import State
from tests.helpers.keys import real_key
from tests.helpers.pair import Player, make_player, terms
from tests.helpers.policy import choose

LOOPBACK: Final = "127.0.0.1"
PATIENCE: Final = 60.0

Trick = Callable[["Cheat", SignedEvent], Iterable[SignedEvent]]
"""What leaves instead of an event of his."""


def honest(_cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """No trick at all."""
    return [signed]


@dataclass
class Cheat:
    """One link with a real program; ``run`` plays it to its end."""

    trick: Trick = honest
    plays: bool = False
    """Whether he plays on, instead of resigning as soon as he may."""
    farewell: wire.Bye | None = None
    """What he leaves with as soon as he sits, instead of playing."""
    label: str = "russian-bank"
    """What he calls the rules that he proposes."""
    byes: list[int] = field(default_factory=list)
    """The codes of the victim's farewells."""
    player: Player = field(
        default_factory=lambda: make_player("Olek", key=real_key(b"\x07" * 32))
    )
    _session: Session = field(init=False)
    _link: ssl.SSLSocket = field(init=False)
    _over: bool = False
    _rng: random.Random = field(default_factory=lambda: random.Random(1))  # noqa: S311 - repeatable

    @property
    def game(self) -> OpenGame:
        """The game as he has it."""
        game = self._session.open_game
        assert game is not None
        return game

    # The link -----------------------------------------------------------------

    def dial(self, port: int) -> Cheat:
        """Sit down at a table and play."""
        plain = socket.create_connection((LOOPBACK, port), PATIENCE)
        self._link = make_client_context().wrap_socket(plain)
        der = self._link.getpeercert(binary_form=True)
        assert der is not None
        return self._run(hashlib.sha256(der).digest(), dialler=True)

    def host(self, came: socket.socket) -> Cheat:
        """Take somebody in who came to a listening socket, propose, and play."""
        tls = make_server_tls()
        rules = terms("russian-bank", k=16)
        self.player.options["terms"] = replace(rules, preset=self.label)
        self._link = tls.context.wrap_socket(came, server_side=True)
        return self._run(tls.digest, dialler=False)

    def _run(self, digest: bytes, *, dialler: bool) -> Cheat:
        self._link.settimeout(PATIENCE)
        self._session = Session(self.player.config())
        with self._link:
            self._carry_out(self._session.connected(time.monotonic(), digest, dialler))
            while not self._over:
                self._hear()
                self._act()
        return self

    def _hear(self) -> None:
        try:
            data = self._link.recv(65_536)
        except (ConnectionError, ssl.SSLError):
            data = b""
        self._over = self._over or not data
        if data:
            self._carry_out(self._session.receive(time.monotonic(), data))

    # What he does -------------------------------------------------------------

    def _act(self) -> None:
        session = self._session
        if self.farewell is not None and session.state is State.PLAY:
            self._send(self.farewell)
            self.farewell, self._over = None, True
        elif not self.plays and session.state is State.PLAY and session.may(RESIGN):
            self._command(Act(RESIGN))
        elif self.plays and session.state is State.PLAY:
            action = choose(self.game.state, self.game.seat, self._rng, talk=0)
            if action is not None and session.may(action):
                self._command(Act(action))

    def _command(self, command: Command) -> None:
        self._carry_out(self._session.command(time.monotonic(), command))

    def _carry_out(self, effects: list[Effect]) -> None:
        answers: list[Command] = []
        for effect in effects:
            match effect:
                case Send(data):
                    self._say(wire.decode_message(data[4:]))
                case Emit(notice):
                    answers += self._answer(notice)
                case Close():
                    self._over = True
                case _:
                    self.player.disk.write(effect)
        for answer in answers:
            self._command(answer)

    def _answer(self, notice: Notice) -> list[Command]:
        code = getattr(notice, "code", None)
        if isinstance(code, int):
            self.byes.append(code)
        if isinstance(notice, CardsToCompare):
            return [AcceptPlayer()]
        return [AcceptTerms()] if isinstance(notice, TermsProposed) else []

    def _say(self, message: wire.Message) -> None:
        if not isinstance(message, wire.EventMessage):
            self._send(message)
            return
        signed = SignedEvent.of(decode_event(message.event), message.sig)
        for event in self.trick(self, signed):
            self._send(wire.EventMessage(event.data, event.sig))

    def _send(self, message: wire.Message) -> None:
        # Whoever is gone may have said why: that is still to be heard.
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            self._link.sendall(frame(wire.encode_message(message)))

    # What he signs ------------------------------------------------------------

    def sign(self, event: Event) -> SignedEvent:
        """Any event, signed by him."""
        unsigned = SignedEvent.of(event, b"")
        sig = self.player.key.sign(event_message(unsigned.hash))
        return SignedEvent(event, unsigned.data, unsigned.hash, sig)

    def after(self, signed: SignedEvent, kind: EventType, body: Body) -> SignedEvent:
        """An event that follows one of his own that is not confirmed yet."""
        game = self.game
        return self.sign(
            Event(
                game_id=game.game_id,
                seq=signed.event.seq + 1,
                author=game.seat,
                prev=signed.hash,
                state=state_hash(game.mine_after),
                type=kind,
                body=body,
            )
        )

    def seeds(self) -> tuple[bytes, bytes]:
        """What he would have to show in his AUDIT."""
        game = self.game
        assert game.secrets is not None
        deal = game.state.deal
        one, two = (
            game.secrets.seed(deck, deal.kept(game.seat, deck)) for deck in (0, 1)
        )
        return one, two
