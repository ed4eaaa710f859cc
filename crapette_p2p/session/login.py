"""The login of one link: HELLO, HOST, AUTH, READY and the four cards.

Theory of operation. Each side runs the half of its role. Whether a person has
to look at the four cards follows from how the peer's key is known: pinned (an
invite, ``--expect-key``, the peer of the game at hand), remembered, or not at
all. The listener asks its person *before* READY 0; the dialler's person may
still be looking when READY 0 has come: then only agreeing to a deal waits for
the answer, never RESUME (P15). Every failure is a RemoteProtocolError with the
code of protocol.md 4; the listener's person saying no is READY 2 and BYE 206.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.errors import LocalProtocolError, RemoteProtocolError
from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.handshake import (
    NONCE_SIZE,
    commitment,
    common_version,
    dialler_message,
    first_transcript,
    four_cards,
    invite_pass,
    listener_message,
    passes_match,
    second_transcript,
)
from crapette_p2p.session.keys import (
    fingerprint,
    format_fingerprint,
    is_expected,
    is_weak_key,
)
from crapette_p2p.session.messages import (
    MAGIC,
    VERSION,
    Auth,
    Hello,
    Host,
    Ready,
    encode_message,
)
from crapette_p2p.session.notices import (
    CardsToCompare,
    Peer,
    PeerKnown,
    WaitingForPeer,
)
from crapette_p2p.session.outbox import Outbox
from crapette_p2p.session.states import State

ACCEPTED: Final = 0
ASKING: Final = 1
REFUSED: Final = 2
CAPS: Final = 0
"""None are defined; unknown bits of the peer are ignored."""
_NICK_HASHABLE: Final = 255
"""th2 holds the nick's length in one byte."""


class Login:
    """One side of a login."""

    def __init__(
        self,
        config: SessionConfig,
        outbox: Outbox,
        *,
        cert_digest: bytes,
        dialler: bool,
    ) -> None:
        self._config = config
        self._outbox = outbox
        self._cert_digest = cert_digest
        self.dialler = dialler
        self.state = State.HOST if dialler else State.HELLO
        self.peer: Peer | None = None
        self.asking = False
        """Whether a person on this side still has to look at the four cards."""
        self._nonce = config.rand(NONCE_SIZE)
        self._hello = b""
        self._commit = b""
        self._th1 = b""
        self._sig_l = b""
        self._peer_key = b""
        self._verified = "none"
        self._cards_of = (b"", b"")
        self._verdict: int | None = None
        if dialler:
            self._send_hello()

    @property
    def ready(self) -> bool:
        """Whether READY 0 was sent or received: frames may be long now."""
        return self._verdict == ACCEPTED

    @property
    def waits_for_person(self) -> bool:
        """Whether the listener asks its person about us."""
        return self._verdict == ASKING

    @property
    def refused(self) -> bool:
        """Whether the listener's person said no; its farewell comes next."""
        return self._verdict == REFUSED

    # The dialler's half -------------------------------------------------------

    def _send_hello(self) -> None:
        commit = commitment(self._nonce, self._config.idpub)
        self._hello = encode_message(Hello(MAGIC, VERSION, VERSION, commit, CAPS))
        self._outbox.send_payload(self._hello)

    def on_host(self, host: Host) -> None:
        """Judge the listener's key before showing anything of this side."""
        config = self._config
        if host.version != VERSION:
            raise RemoteProtocolError("a version we do not speak", code=200)
        self._check_key(host.idpub)
        self._th1 = self._transcript(host.version, host.caps, host.nonce, host.idpub)
        if not config.verify(host.idpub, host.sig, listener_message(self._th1)):
            raise RemoteProtocolError("HOST is not signed for this link", code=201)
        if config.expected and not is_expected(host.idpub, config.expected):
            raise RemoteProtocolError("not our pin", code=202, key=host.idpub)
        if config.game is not None and config.game.peer_key != host.idpub:
            raise RemoteProtocolError("not this game's", code=202, key=host.idpub)
        self._peer_key = host.idpub
        self._sig_l = host.sig
        self._send_auth()

    def _send_auth(self) -> None:
        config = self._config
        th2 = second_transcript(
            th1=self._th1,
            sig_l=self._sig_l,
            nonce_d=self._nonce,
            idpub_d=config.idpub,
            nick=config.nick,
        )
        invite = invite_pass(config.token, th2) if config.token else None
        sig = config.sign(dialler_message(th2))
        self._outbox.send(Auth(self._nonce, config.idpub, config.nick, sig, invite))
        self._cards_of = (self._nonce, config.idpub)
        self._verified = "invite" if config.token and config.expected else "none"
        self.state = State.READY

    def on_ready(self, ready: Ready) -> None:
        """The listener's verdict, at most one ASKING before the final one."""
        if self._verdict is None:
            self._know(ready.nick)
        elif self._verdict != ASKING or ready.verdict == ASKING:
            raise RemoteProtocolError("READY again", code=104)
        elif self.peer is None or ready.nick != self.peer.nick:
            raise RemoteProtocolError("READY with another nick", code=103)
        self._verdict = ready.verdict
        if ready.verdict == ASKING:
            self._outbox.emit(WaitingForPeer("login"))

    # The listener's half ------------------------------------------------------

    def on_hello(self, hello: Hello, payload: bytes) -> None:
        """Show this side's key and prove it over this link."""
        config = self._config
        version = common_version(hello.vmin, hello.vmax)
        if version is None:
            raise RemoteProtocolError("no common version", code=200)
        self._hello = payload
        self._commit = hello.commit
        self._th1 = self._transcript(version, CAPS, self._nonce, config.idpub)
        self._sig_l = config.sign(listener_message(self._th1))
        host = Host(MAGIC, version, CAPS, self._nonce, config.idpub, self._sig_l)
        self._outbox.send(host)
        self.state = State.AUTH

    def on_auth(self, auth: Auth) -> None:
        """Judge the dialler, then seat it, ask the person, or send it away."""
        config = self._config
        self._check_key(auth.idpub)
        if commitment(auth.nonce, auth.idpub) != self._commit:
            raise RemoteProtocolError("AUTH is not what HELLO bound", code=201)
        if len(auth.nick.encode()) > _NICK_HASHABLE:
            raise RemoteProtocolError("the nick is too long", code=208)
        th2 = second_transcript(
            th1=self._th1,
            sig_l=self._sig_l,
            nonce_d=auth.nonce,
            idpub_d=auth.idpub,
            nick=auth.nick,
        )
        if not config.verify(auth.idpub, auth.sig, dialler_message(th2)):
            raise RemoteProtocolError("AUTH is not signed for this link", code=201)
        if config.expected and not is_expected(auth.idpub, config.expected):
            raise RemoteProtocolError("not our pin", code=202, key=auth.idpub)
        self._check_pass(auth, th2)
        self._peer_key = auth.idpub
        self._cards_of = (auth.nonce, auth.idpub)
        self._seat(auth.nick)

    def _check_pass(self, auth: Auth, th2: bytes) -> None:
        config = self._config
        if self._is_game_peer(auth.idpub):
            return
        given = auth.invite_pass
        if given is not None and self._opens_table(given, th2):
            self._verified = "invite"
            return
        if config.invite_only or (given is not None and config.invite_given):
            raise RemoteProtocolError("the invite does not fit", code=207)

    def _opens_table(self, given: bytes, th2: bytes) -> bool:
        token = self._config.invite
        return token is not None and passes_match(given, invite_pass(token, th2))

    def _seat(self, nick: str) -> None:
        config = self._config
        if not is_valid_nick(nick):
            raise RemoteProtocolError("a nick outside the rules", code=208)
        busy = config.admit(self._peer_key)
        if busy is None and config.game is not None:
            busy = None if self._is_game_peer(self._peer_key) else 205
        if busy is not None:
            raise RemoteProtocolError("no seat for this key", code=busy)
        self._know(nick)
        if self.asking:
            self.state = State.WAIT_HUMAN
            self._outbox.send(Ready(config.nick, ASKING))
        else:
            self._outbox.send(Ready(config.nick, ACCEPTED))
            self._verdict = ACCEPTED

    # Both halves --------------------------------------------------------------

    def _transcript(
        self, version: int, caps: int, nonce_l: bytes, idpub_l: bytes
    ) -> bytes:
        return first_transcript(
            cert_digest=self._cert_digest,
            hello_payload=self._hello,
            version=version,
            caps=caps,
            nonce_l=nonce_l,
            idpub_l=idpub_l,
        )

    def _check_key(self, idpub: bytes) -> None:
        if is_weak_key(idpub):
            raise RemoteProtocolError("a weak key", code=204)
        if idpub == self._config.idpub:
            raise RemoteProtocolError("our own key", code=203)

    def _is_game_peer(self, idpub: bytes) -> bool:
        game = self._config.game
        return game is not None and game.peer_key == idpub

    def _know(self, nick: str) -> None:
        """Name the peer; ask the person if nothing vouches for the key."""
        config, key = self._config, self._peer_key
        if not is_valid_nick(nick):
            raise RemoteProtocolError("a nick outside the rules", code=208)
        remembered = config.known(key)
        if self._verified == "none":
            if remembered is not None:
                self._verified = remembered
            elif config.expected:
                self._verified = "pin"
        vouched = self._verified != "none" or remembered is not None
        self.peer = self._make_peer(nick)
        self.asking = not vouched and not self._is_game_peer(key)
        if self.asking:
            cards = four_cards(self._th1, *self._cards_of)
            namesake = config.namesake(nick, key)
            self._outbox.emit(CardsToCompare(cards, self.peer, namesake))
            self._outbox.hold_play()
        else:
            self._outbox.emit(PeerKnown(self.peer, remember=vouched))

    def _make_peer(self, nick: str) -> Peer:
        return Peer(
            idpub=self._peer_key,
            nick=nick,
            fingerprint=format_fingerprint(fingerprint(self._peer_key)),
            verified=self._verified,
        )

    def answer(self, *, verified: bool, remember: bool) -> None:
        """The person is content: seat the peer."""
        self.require_asking()
        self.asking = False
        if verified:
            self._verified = "sas"
        if self.peer is not None:
            self.peer = self._make_peer(self.peer.nick)
            self._outbox.emit(PeerKnown(self.peer, remember=remember))
        if not self.dialler:
            self._outbox.send(Ready(self._config.nick, ACCEPTED))
            self._verdict = ACCEPTED

    def turn_away(self) -> None:
        """The person said no: tell the dialler before the farewell."""
        self.require_asking()
        self.asking = False
        if not self.dialler:
            self._outbox.send(Ready(self._config.nick, REFUSED))

    def require_asking(self) -> None:
        """Raise LocalProtocolError unless a person has to answer."""
        if not self.asking:
            raise LocalProtocolError("nobody is to be compared")
