"""A dialler that says whatever a test wants, and what a session ended with."""

from __future__ import annotations

from crapette_p2p.session import messages as wire
from crapette_p2p.session.handshake import (
    commitment,
    dialler_message,
    first_transcript,
    invite_pass,
    second_transcript,
)
from crapette_p2p.session.notices import (
    Notice,
    PeerLeft,
    SessionFailed,
)
from tests.helpers.keys import Key, key_of
from tests.helpers.pair import CERT, Pair, Player, make_player

TOKEN = b"0123456789"


def nobody(_notice: Notice) -> None:
    """A person who has not answered yet."""


def code_of(player: Player) -> int:
    """The code a session failed with, found by itself."""
    (failed,) = player.of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    assert not failed.by_peer
    assert player.closed == failed.code
    return failed.code


def said_by_peer(player: Player) -> int:
    """The code the other side said goodbye with."""
    found = [
        n.code
        for n in player.notices
        if isinstance(n, PeerLeft) or (isinstance(n, SessionFailed) and n.by_peer)
    ]
    assert len(found) == 1
    return found[0]


class Dialler:
    """A dialler of our own making, to be bent at every point."""

    def __init__(self, listener: Player, key: Key | None = None) -> None:
        self.pair = Pair(listener, make_player("Nobody"))
        self.key = key or key_of("Olek")
        self.nonce = b"\x07" * 32
        self.pair.join()
        assert self.pair.wire is not None
        self.pair.wire.flight[0].clear()
        self.listener = listener
        self.hello = wire.Hello(
            "crapette", 1, 1, commitment(self.nonce, self.key.public), 0
        )

    def say(self, message: wire.Message) -> None:
        """Send a message to the listener."""
        self.pair.inject(0, message)
        self.pair.deliver(0)

    def greet(self, hello: wire.Hello | None = None) -> wire.Host:
        """HELLO, and the HOST that answers it."""
        self.hello = hello or self.hello
        self.say(self.hello)
        host = self.listener.sent[-1]
        assert isinstance(host, wire.Host)
        self.th1 = first_transcript(
            cert_digest=CERT,
            hello_payload=wire.encode_message(self.hello),
            version=host.version,
            caps=host.caps,
            nonce_l=host.nonce,
            idpub_l=host.idpub,
        )
        self.host = host
        return host

    def auth(self, nick: str = "Olek", token: bytes | None = None) -> wire.Auth:
        """A good AUTH."""
        th2 = second_transcript(
            th1=self.th1,
            sig_l=self.host.sig,
            nonce_d=self.nonce,
            idpub_d=self.key.public,
            nick=nick,
        )
        sig = self.key.sign(dialler_message(th2))
        given = invite_pass(token, th2) if token else None
        return wire.Auth(self.nonce, self.key.public, nick, sig, given)
