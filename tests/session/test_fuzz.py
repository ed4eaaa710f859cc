"""Any bytes are accepted or end in one BYE; how they are cut changes nothing."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crapette_p2p.session import messages as wire
from crapette_p2p.session.effects import Close, Effect, Send
from crapette_p2p.session.session import Session
from crapette_p2p.session.states import ENDED_STATES, State
from tests.helpers.pair import CERT, Pair, Player, make_player, terms


def listener() -> Player:
    """A listener that needs nobody: it knows its peer and proposes by itself."""
    player = make_player("Ala")
    player.options["known"] = lambda _key: "sas"
    player.options["terms"] = terms("russian-bank")
    return player


@cache
def recorded() -> bytes:
    """What a listener hears from HELLO until the cards lie."""

    class Recording(Pair):
        heard = b""

        def deliver(self, side: int, size: int | None = None) -> bool:
            if side == 0 and self.wire is not None:
                self.heard += bytes(self.wire.flight[0])
            return super().deliver(side, size)

    pair = Recording(listener(), make_player("Olek"))
    pair.connect()
    assert pair.players[0].live.state is State.PLAY
    return pair.heard


def hear(pieces: list[bytes]) -> tuple[list[Effect], Session]:
    """A fresh listener hears these bytes; everything it did about them."""
    session = Session(listener().config())
    effects = session.connected(0.0, CERT, dialler=False)
    for piece in pieces:
        effects += session.receive(0.0, piece)
    return effects, session


def by_byte(data: bytes) -> list[bytes]:
    """One byte at a time."""
    return [data[i : i + 1] for i in range(len(data))]


def require_one_farewell(effects: list[Effect], session: Session) -> None:
    """Nothing at all, or exactly one BYE and then one Close, at the end."""
    closes = [e for e in effects if isinstance(e, Close)]
    byes = [
        e
        for e in effects
        if isinstance(e, Send) and isinstance(wire.decode_message(e.data[4:]), wire.Bye)
    ]
    if session.state in ENDED_STATES:
        assert len(closes) == 1
        assert isinstance(effects[-1], Close)
        assert len(byes) <= 1
    else:
        assert not closes
        assert not byes


@pytest.mark.slow
def test_the_recorded_login_and_deal_are_the_same_cut_in_any_way() -> None:
    """All at once and byte by byte: the same effects in the same order."""
    whole, session = hear([recorded()])
    assert session.state is State.PLAY
    assert hear(by_byte(recorded()))[0] == whole


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_flipped_bit_has_one_defined_end(data: st.DataObject) -> None:
    """W15: anywhere in the stream; cut in any way it ends the same."""
    stream = bytearray(recorded())
    bit = data.draw(st.integers(0, 8 * len(stream) - 1))
    stream[bit // 8] ^= 1 << bit % 8
    whole, session = hear([bytes(stream)])
    require_one_farewell(whole, session)
    pieces, _ = hear(by_byte(bytes(stream)))
    assert pieces == whole


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 40))
def test_noise_at_any_moment_has_one_defined_end(noise: bytes, messages: int) -> None:
    """W14: random bytes after so many good frames."""
    stream, at = recorded(), 0
    for _ in range(messages):
        if at >= len(stream):
            break
        at += 4 + int.from_bytes(stream[at : at + 4], "big")
    whole, session = hear([stream[:at] + noise])
    require_one_farewell(whole, session)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.data())
def test_a_frame_left_out_or_sent_twice_has_one_defined_end(
    number: int, data: st.DataObject
) -> None:
    """A stream with a hole or a repetition never confuses the listener."""
    stream, frames, at = recorded(), list[bytes](), 0
    while at < len(stream):
        end = at + 4 + int.from_bytes(stream[at : at + 4], "big")
        frames.append(stream[at:end])
        at = end
    number %= len(frames)
    times = data.draw(st.sampled_from([0, 2]))
    changed = frames[:number] + frames[number : number + 1] * times
    changed += frames[number + 1 :]
    effects, session = hear([b"".join(changed)])
    require_one_farewell(effects, session)
