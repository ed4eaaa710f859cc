"""Both ends of a login, each facing somebody who bends it."""

from __future__ import annotations

from dataclasses import replace

from crapette_p2p.session import messages as wire
from crapette_p2p.session.handshake import first_transcript, listener_message
from tests.adversarial.verdicts import verdict_on
from tests.helpers.keys import key_of
from tests.helpers.pair import CERT, Pair, Player, make_player
from tests.helpers.stranger import Dialler


def listener(**options: object) -> Player:
    """Ala, who has somebody at her door."""
    player = make_player("Ala")
    player.options |= options
    return player


def refused(dialler: Dialler, code: int) -> None:
    """The listener has sent the dialler away with that code and nothing else."""
    verdict_on(dialler.listener, code, proven=False)


def hostile_host(cert: bytes = CERT, **bend: object) -> tuple[Pair, wire.Host]:
    """A dialler whose HELLO has arrived, and the HOST that a cheat makes of it."""
    pair = Pair()
    pair.join()
    hello = wire.encode_message(pair.players[1].sent[0])
    th1 = first_transcript(
        cert_digest=cert,
        hello_payload=hello,
        version=1,
        caps=0,
        nonce_l=bytes(32),
        idpub_l=key_of("Eve").public,
    )
    sig = key_of("Eve").sign(listener_message(th1))
    host = wire.Host("crapette", 1, 0, bytes(32), key_of("Eve").public, sig)
    return pair, replace(host, **bend)  # type: ignore[arg-type] # fields by name


def meets(pair: Pair, host: wire.Host, code: int) -> None:
    """The dialler refuses that HOST, and has shown nothing of himself."""
    pair.inject(1, host)
    pair.deliver(1)
    dialler = pair.players[1]
    verdict_on(dialler, code, proven=False)
    assert {type(m) for m in dialler.sent} == {wire.Hello, wire.Bye}
    said = b"".join(wire.encode_message(m) for m in dialler.sent)
    assert dialler.key.public not in said
    assert dialler.name.encode() not in said
