"""A: whoever logs in as somebody else, twice, backwards or with a bad name."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from crapette_p2p.net.crypto import verify as strict_verify
from crapette_p2p.session import messages as wire
from crapette_p2p.session.effects import Effect, Send
from crapette_p2p.session.handshake import (
    commitment,
    dialler_message,
    first_transcript,
    four_cards,
    listener_message,
)
from crapette_p2p.session.keys import SMALL_ORDER, fingerprint
from crapette_p2p.session.notices import CardsToCompare
from crapette_p2p.session.session import Session
from crapette_p2p.session.states import State
from tests.adversarial.hostile import SPLITS
from tests.adversarial.logins import hostile_host, listener, meets, refused
from tests.adversarial.verdicts import verdict_on
from tests.helpers.keys import key_of
from tests.helpers.pair import CERT, Pair, make_player
from tests.helpers.stranger import TOKEN, Dialler, nobody


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("whole", [False, True])
def test_a01_another_key_than_the_pinned_one(split: str, *, whole: bool) -> None:
    """A1: 202 before the dialler reveals its key, pinned whole or by fingerprint."""
    key = key_of("Friend").public
    pair = Pair(split=split)
    pair.players[1].options["expected"] = key if whole else fingerprint(key)
    pair.connect()
    verdict_on(pair.players[1], 202, proven=False)
    said = b"".join(wire.encode_message(m) for m in pair.players[1].sent)
    assert pair.players[1].key.public not in said


def test_a01_the_listener_pins_too() -> None:
    """A1: a table kept for one key."""
    dialler = Dialler(listener(expected=fingerprint(key_of("Friend").public)))
    dialler.greet()
    dialler.say(dialler.auth())
    refused(dialler, 202)


def sent(effects: list[Effect]) -> bytes:
    """The bytes of all Sends."""
    return b"".join(effect.data for effect in effects if isinstance(effect, Send))


def test_a02_a_relay_between_two_honest_players() -> None:
    """A2: own certificates on both legs, every byte passed on: 201, at the dialler."""
    ala, olek = make_player("Ala"), make_player("Olek")
    left, right = Session(ala.config()), Session(olek.config())
    to_left = sent(right.connected(0.0, b"\x0e" * 32, dialler=True))
    left.connected(0.0, b"\x0f" * 32, dialler=False)
    to_right = sent(left.receive(0.0, to_left))
    to_left = sent(right.receive(0.0, to_right))
    assert wire.decode_message(to_left[4:]) == wire.Bye(201, None, "")
    assert right.state is State.CLOSED
    assert left.peer is None


def test_a02_a_host_signed_for_another_certificate() -> None:
    """A2: a good signature of a good key over another link."""
    meets(*hostile_host(cert=b"\xee" * 32), 201)


def test_a03_messages_of_an_earlier_login() -> None:
    """A3: a recorded HOST or AUTH fits neither nonce nor HELLO of a new link."""
    first = Pair()
    first.connect()
    old_host = next(m for m in first.players[0].sent if isinstance(m, wire.Host))
    old_auth = next(m for m in first.players[1].sent if isinstance(m, wire.Auth))
    old_hello = next(m for m in first.players[1].sent if isinstance(m, wire.Hello))
    pair = Pair(make_player("Ala", seed=9), make_player("Olek", seed=9))
    pair.join()
    meets(pair, old_host, 201)
    for hello in (None, old_hello):  # with its own HELLO it opens the commitment
        dialler = Dialler(make_player("Ala", seed=8))
        dialler.greet(hello)
        dialler.say(old_auth)
        refused(dialler, 201)


def test_a04_the_two_login_signatures_are_not_the_same() -> None:
    """A4: a listener's signature as a dialler's, and the other way round."""
    dialler = Dialler(listener())
    dialler.greet()
    good = dialler.auth()
    as_listener = dialler.key.sign(listener_message(dialler.th1))
    dialler.say(replace(good, sig=as_listener))
    refused(dialler, 201)
    pair, host = hostile_host()
    th1 = bytes(32)
    meets(pair, replace(host, sig=key_of("Eve").sign(dialler_message(th1))), 201)
    pair, host = hostile_host()
    th1 = first_transcript(
        cert_digest=CERT,
        hello_payload=wire.encode_message(pair.players[1].sent[0]),
        version=1,
        caps=0,
        nonce_l=bytes(32),
        idpub_l=host.idpub,
    )
    meets(pair, replace(host, sig=key_of("Eve").sign(dialler_message(th1))), 201)


def test_a05_the_own_key_comes_back() -> None:
    """A5: 203 on both sides; a mirror that echoes the own HELLO gets 104."""
    dialler = Dialler(listener(), key=key_of("Ala"))
    dialler.greet()
    dialler.say(dialler.auth("Ala"))
    refused(dialler, 203)
    pair, host = hostile_host(idpub=key_of("Olek").public)
    meets(pair, host, 203)
    pair = Pair()
    pair.join()
    pair.inject(1, pair.players[1].sent[0])
    pair.deliver(1)
    verdict_on(pair.players[1], 104, proven=False)


P = 2**255 - 19
SECOND_NAMES = [
    (y | sign << 255).to_bytes(32, "little")
    for y in range(P, 2**255)
    for sign in (0, 1)
]


@pytest.mark.parametrize("weak", sorted({*SMALL_ORDER, *SECOND_NAMES}))
def test_a06_a_weak_key(weak: bytes) -> None:
    """A6, P19: 204 before any signature is looked at, on both sides."""
    dialler = Dialler(listener())
    dialler.greet(wire.Hello("crapette", 1, 1, commitment(dialler.nonce, weak), 0))
    dialler.say(replace(dialler.auth(), idpub=weak))
    refused(dialler, 204)
    pair, host = hostile_host(idpub=weak)
    meets(pair, host, 204)


def test_a06_no_signature_is_good_under_a_weak_key() -> None:
    """A6: S = 0 with a small-order R fits many messages in a lax library."""
    rng = random.Random(6)  # noqa: S311 - repeatable messages
    assert len(SMALL_ORDER) == 14
    for weak in SMALL_ORDER:
        for point in SMALL_ORDER:
            assert not strict_verify(weak, point + bytes(32), rng.randbytes(20))


@pytest.mark.parametrize("field", ["nonce", "key"])
@pytest.mark.parametrize("signed", [False, True])
def test_a07_auth_that_hello_did_not_bind(field: str, *, signed: bool) -> None:
    """A7: another nonce or key than the committed one is 201, signed well or not."""
    dialler = Dialler(listener())
    dialler.greet()
    good = dialler.auth()
    if signed:  # as if HELLO had never been: only the commitment tells
        if field == "nonce":
            dialler.nonce = b"\x09" * 32
        else:
            dialler.key = key_of("Eve")
        dialler.say(dialler.auth())
    elif field == "nonce":
        dialler.say(replace(good, nonce=b"\x09" * 32))
    else:
        dialler.say(replace(good, idpub=key_of("Eve").public))
    refused(dialler, 201)


def cards_after(bend: Callable[[Dialler], wire.Auth]) -> tuple[object, ...]:
    """The four cards a listener shows after an AUTH."""
    dialler = Dialler(listener(invite=TOKEN, verify=lambda *_: True))
    dialler.listener.person = nobody
    dialler.greet()
    dialler.say(bend(dialler))
    (shown,) = dialler.listener.of(CardsToCompare)
    assert isinstance(shown, CardsToCompare)
    return shown.cards


def test_a08_nothing_chosen_last_steers_the_cards() -> None:
    """A8: nick, pass and signature are free after HOST; the cards do not move."""
    bends: list[Callable[[Dialler], wire.Auth]] = [
        lambda d: d.auth(),
        lambda d: d.auth("Zoë"),
        lambda d: d.auth("x", token=b"other token"),
        # A signer may have many good signatures; here whatever he sends is one.
        *(partial(signed_otherwise, number=number) for number in range(50)),
    ]
    assert len({cards_after(bend) for bend in bends}) == 1


def signed_otherwise(dialler: Dialler, number: int) -> wire.Auth:
    """An AUTH with other signature bytes."""
    return replace(dialler.auth(), sig=bytes([number]) * 64)


def test_a08_the_cards_depend_on_all_that_was_committed() -> None:
    """A8: certificate, HELLO, both nonces and both keys: each changes the cards."""
    fields: dict[str, bytes] = {
        name: bytes([number]) * 32
        for number, name in enumerate(("cert_digest", "hello_payload", "nonce_l"))
    } | {"idpub_l": bytes(32), "nonce_d": bytes(32), "idpub_d": bytes(32)}

    def cards(**changes: bytes) -> tuple[object, ...]:
        values = fields | changes
        th1 = first_transcript(
            cert_digest=values["cert_digest"],
            hello_payload=values["hello_payload"],
            version=1,
            caps=0,
            nonce_l=values["nonce_l"],
            idpub_l=values["idpub_l"],
        )
        return four_cards(th1, values["nonce_d"], values["idpub_d"])

    shown = {cards(), *(cards(**{name: b"\x77" * 32}) for name in fields)}
    assert len(shown) == 1 + len(fields)


def test_a08_whoever_answers_the_dialler_chooses_blindly() -> None:
    """A8: on the other leg the dialler's nonce and key are still sealed in HELLO."""
    pair = Pair()
    pair.join()
    (hello,) = pair.players[1].sent
    assert isinstance(hello, wire.Hello)
    auths = []
    pair.pump()
    auths = [m for m in pair.players[1].sent if isinstance(m, wire.Auth)]
    assert hello.commit == commitment(auths[0].nonce, auths[0].idpub)
    payload = wire.encode_message(hello)
    assert auths[0].nonce not in payload
    assert auths[0].idpub not in payload


def test_a08_each_link_has_nonces_of_its_own() -> None:
    """A8: a thousand dropped links give a thousand HOSTs, none of use for the next."""
    ala = listener()
    nonces = set()
    shown = set()
    for _ in range(1000):
        dialler = Dialler(ala)
        nonces.add(dialler.greet().nonce)
        shown.add(four_cards(dialler.th1, dialler.nonce, dialler.key.public))
        dialler.pair.cut()
    assert len(nonces) == 1000
    assert len(shown) > 990  # and the same HELLO gives other cards each time
