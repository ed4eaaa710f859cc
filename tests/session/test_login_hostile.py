"""The login against somebody who does not keep to it (threats.md 3, A)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from crapette_p2p.session import messages as wire
from crapette_p2p.session.handshake import (
    commitment,
    first_transcript,
    listener_message,
)
from crapette_p2p.session.keys import SMALL_ORDER
from crapette_p2p.session.notices import (
    CardsToCompare,
)
from crapette_p2p.session.states import State
from tests.helpers.keys import key_of
from tests.helpers.pair import Pair, make_player
from tests.helpers.stranger import Dialler, code_of, nobody


def test_a_relay_with_its_own_certificate_is_found_out() -> None:
    """A2: HOST signed for another certificate is 201."""
    pair = Pair(make_player("Ala"), make_player("Olek"))
    pair.join()
    session = pair.players[1].live
    assert session.state is State.HOST
    other = Pair(make_player("Ala"), make_player("Olek"))
    other.join()
    # The same HELLO reaches the real listener, whose certificate differs.
    listener = other.players[0].live
    hello = wire.encode_message(pair.players[1].sent[0])
    effects = listener.receive(0.0, len(hello).to_bytes(4, "big") + hello)
    data = b"".join(getattr(e, "data", b"") for e in effects)
    host = wire.decode_message(data[4:])
    assert isinstance(host, wire.Host)
    th1 = first_transcript(
        cert_digest=b"\xee" * 32,
        hello_payload=hello,
        version=1,
        caps=0,
        nonce_l=host.nonce,
        idpub_l=host.idpub,
    )
    relayed = replace(host, sig=key_of("Ala").sign(listener_message(th1)))
    pair.inject(1, relayed)
    pair.deliver(1)
    assert code_of(pair.players[1]) == 201


def test_messages_of_an_earlier_login_are_refused() -> None:
    """A3: a recorded HOST or AUTH does not fit a new HELLO or nonce."""
    first = Pair()
    first.connect()
    old_host = next(m for m in first.players[0].sent if isinstance(m, wire.Host))
    old_auth = next(m for m in first.players[1].sent if isinstance(m, wire.Auth))
    second = Pair(make_player("Ala", seed=1), make_player("Olek", seed=1))
    second.join()
    second.inject(1, old_host)
    assert second.wire is not None
    second.wire.flight[0].clear()
    second.deliver(1)
    assert code_of(second.players[1]) == 201
    stranger = Dialler(make_player("Ala", seed=2))
    stranger.greet()
    stranger.say(old_auth)
    assert code_of(stranger.listener) == 201


def test_a_listener_signature_is_no_dialler_signature() -> None:
    """A4: the two signatures carry different tags."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    auth = stranger.auth()
    th1 = stranger.th1
    stranger.say(replace(auth, sig=stranger.key.sign(listener_message(th1))))
    assert code_of(stranger.listener) == 201


def test_the_own_key_is_refused_on_both_sides() -> None:
    """A5: a reflected key is 203."""
    pair = Pair(make_player("Ala"), make_player("Olek", key=key_of("Ala")))
    pair.connect()
    assert code_of(pair.players[1]) == 203
    stranger = Dialler(make_player("Ala"), key=key_of("Ala"))
    stranger.greet()
    stranger.say(stranger.auth())
    assert code_of(stranger.listener) == 203


WEAK = [
    *sorted(SMALL_ORDER),
    (2**255 - 1).to_bytes(32, "little"),
    b"\xf0" + b"\xff" * 31,
]


@pytest.mark.parametrize("weak", WEAK)
def test_a_weak_key_is_refused_on_both_sides(weak: bytes) -> None:
    """A6, P19: 204 before any signature is looked at."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet(wire.Hello("crapette", 1, 1, commitment(stranger.nonce, weak), 0))
    stranger.say(replace(stranger.auth(), idpub=weak))
    assert code_of(stranger.listener) == 204
    pair = Pair()
    pair.join()
    pair.inject(1, wire.Host("crapette", 1, 0, bytes(32), weak, bytes(64)))
    pair.deliver(1)
    assert code_of(pair.players[1]) == 204


@pytest.mark.parametrize("field", ["nonce", "idpub"])
def test_auth_has_to_open_the_commitment_of_hello(field: str) -> None:
    """A7: another nonce or key than HELLO bound is 201."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    other = {"nonce": b"\x09" * 32, "idpub": key_of("Eve").public}
    stranger.say(replace(stranger.auth(), **{field: other[field]}))  # type: ignore[arg-type] # fields by name
    assert code_of(stranger.listener) == 201


def test_the_cards_are_fixed_by_hello_and_host() -> None:
    """A8: nick, pass and signature can vary; the cards do not."""
    shown = set()
    for nick in ("Olek", "Zoë", "x"):
        stranger = Dialler(make_player("Ala"))
        stranger.greet()
        stranger.say(stranger.auth(nick))
        (notice,) = stranger.listener.of(CardsToCompare)
        assert isinstance(notice, CardsToCompare)
        shown.add(notice.cards)
    assert len(shown) == 1


@pytest.mark.parametrize(("vmin", "vmax"), [(2, 3), (2, 1), (0, 0), (65_535, 65_535)])
def test_no_common_version_is_200(vmin: int, vmax: int) -> None:
    """A9: disjoint and inverted ranges."""
    stranger = Dialler(make_player("Ala"))
    stranger.say(replace(stranger.hello, vmin=vmin, vmax=vmax))
    assert code_of(stranger.listener) == 200


def test_a_wide_version_range_and_unknown_caps_are_fine() -> None:
    """A9: an overlapping huge range gives version 1; unknown caps are ignored."""
    stranger = Dialler(make_player("Ala"))
    host = stranger.greet(replace(stranger.hello, vmin=0, vmax=65_535, caps=2**32 - 1))
    assert (host.version, host.caps) == (1, 0)
    stranger.say(stranger.auth())
    assert stranger.listener.live.state is State.WAIT_HUMAN


def test_a_host_of_another_version_is_200() -> None:
    """A HOST outside the dialler's range."""
    pair = Pair()
    pair.join()
    pair.inject(1, wire.Host("crapette", 2, 0, bytes(32), bytes(32), bytes(64)))
    pair.deliver(1)
    assert code_of(pair.players[1]) == 200


Early = Callable[[Dialler], wire.Message]
EARLY: list[Early] = [
    lambda d: wire.Auth(bytes(32), d.key.public, "Olek", bytes(64), None),
    lambda _: wire.EventMessage(b"\x90", bytes(64)),
    lambda _: wire.Ping(1),
    lambda _: wire.Resume(None, 0, None, 0),
    lambda _: wire.Chat("hi"),
]


@pytest.mark.parametrize("early", EARLY)
def test_what_comes_before_its_time_is_104(early: Early) -> None:
    """A10: AUTH before HELLO, EVENT before READY, and the like."""
    stranger = Dialler(make_player("Ala"))
    stranger.say(early(stranger))
    assert code_of(stranger.listener) == 104


def test_a_second_hello_is_104() -> None:
    """A10: HELLO comes once."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    stranger.say(stranger.hello)
    assert code_of(stranger.listener) == 104


HOSTILE_NICKS = [
    "\x1b[2J",
    "a\x9bb",
    "\x1b]52;c;\x07",
    "\u202eevil",
    "zero\u200bwidth",
    "[/",
    "[@click=x]",
    "a" + "\u0301" * 100,
    "../..",
    "",
    "x" * 21,
    "e\u0301",
    " Ala",
    "Ala ",
    "A  la",
    "\u0301a",
    "a\0b",
    "é" * 128,
]


@pytest.mark.parametrize("nick", HOSTILE_NICKS)
def test_a_hostile_nick_is_208_on_both_sides(nick: str) -> None:
    """A15: refused, never repaired, although it is signed correctly."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    if len(nick.encode()) < 256:
        stranger.say(stranger.auth(nick))
    else:
        stranger.say(wire.Auth(stranger.nonce, stranger.key.public, nick, SIG, None))
    assert code_of(stranger.listener) == 208
    pair = Pair()
    pair.join()
    pair.deliver(0)
    pair.deliver(1)
    assert pair.players[1].live.state is State.READY
    pair.inject(1, wire.Ready(nick, 0))
    pair.deliver(1)
    assert code_of(pair.players[1]) == 208


SIG = bytes(64)


def test_ready_comes_at_most_twice() -> None:
    """P20: 1 is followed by 0 or 2, nothing else."""
    for second in (wire.Ready("Ala", 1), wire.Ready("Eve", 0)):
        pair = Pair()
        pair.players[0].person = nobody
        pair.connect()
        pair.inject(1, second)
        pair.deliver(1)
        expected = 104 if second.verdict else 103
        assert code_of(pair.players[1]) == expected


def test_frames_may_be_long_only_after_ready() -> None:
    """W2, P20: 1,025 bytes before READY 0 are 100, after it they pass."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    stranger.pair.inject_raw(0, (1025).to_bytes(4, "big"))
    stranger.pair.deliver(0)
    assert code_of(stranger.listener) == 100
    pair = Pair()
    pair.connect()
    pair.inject_raw(0, (16_384).to_bytes(4, "big"))
    pair.deliver(0)
    assert pair.players[0].closed is None
    pair.inject_raw(1, (16_385).to_bytes(4, "big"))
    pair.deliver(1)
    assert code_of(pair.players[1]) == 100
