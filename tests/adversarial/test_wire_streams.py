"""W: whole streams: flipped bits, two decoders, floods, slow talkers."""

from __future__ import annotations

import random
from functools import cache

import msgpack  # type: ignore[import-untyped] # it ships no types
import pytest
from msgpack import fallback

from crapette_p2p import canonical
from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog.records import MAGIC
from crapette_p2p.session import messages as wire
from crapette_p2p.session.channel import GAME_FAULTS
from crapette_p2p.session.commands import Act, Command, SayChat
from crapette_p2p.session.notices import ChatReceived, LinkLost
from crapette_p2p.session.states import State
from crapette_p2p.session.timers import T_DEAD, T_LOGIN, T_STEP
from tests.adversarial.hostile import SPLITS, Hostile
from tests.adversarial.messages import BROKEN, SAMPLES
from tests.adversarial.stages import at_state, at_table, hostile_pair, in_lobby
from tests.adversarial.verdicts import require_good, verdict_on
from tests.helpers.driving import position_of

EVERY_SPLIT = pytest.mark.parametrize("split", SPLITS)

# W15 ------------------------------------------------------------------------------

Tape = tuple[bytes | Command, ...]


def known_pair() -> Hostile:
    """Two players who know each other, so that nobody is asked anything."""
    hostile = hostile_pair(seed=5)
    for player in hostile.pair.players:
        player.options["known"] = lambda _key: "sas"
    return hostile


@cache
def recorded() -> tuple[Tape, bytes]:
    """What the listener of a short game hears and does, frame by frame; his log."""
    hostile = known_pair()
    pair, tape = hostile.pair, list[bytes | Command]()
    pair.join()
    assert pair.wire is not None
    flight = pair.wire.flight[0]

    def carry() -> None:
        while flight or pair.step():
            if flight:
                size = 4 + int.from_bytes(flight[:4], "big")
                tape.append(bytes(flight[:size]))
                pair.deliver(0, size)

    def does(command: Command) -> None:
        tape.append(command)
        pair.command(0, command)
        carry()

    pair.held[0] = True  # only ``carry`` delivers to the listener
    deliver = pair.deliver

    def deliver_unheld(side: int, size: int | None = None) -> bool:
        pair.held[0] = size is None
        return deliver(side, size)

    pair.deliver = deliver_unheld  # type: ignore[method-assign] # frame by frame
    carry()
    pair.command(1, SayChat("hello there"))
    carry()
    for side in (0, 1):
        if position_of(pair.players[side]).active == side:
            (does if side == 0 else lambda c: pair.command(1, c))(Act(TURN))
            carry()
    pair.command(1, Act(RESIGN))
    carry()
    (log,) = pair.players[0].disk.logs.values()
    assert require_good(log).level == 5
    return tuple(tape), log


def replayed(tape: Tape) -> Hostile:
    """A fresh listener with the same entropy hears the tape."""
    hostile = known_pair()
    hostile.pair.join()
    hostile.pair.wire_clear(0)
    for item in tape:
        if isinstance(item, bytes):
            hostile.raw(item)
        else:
            hostile.pair.attempt(0, item)
        if hostile.honest.closed is not None:
            break
    return hostile


def test_w15_the_tape_plays_the_same_game() -> None:
    """W15: without a flip the recorded bytes give the recorded log."""
    tape, log = recorded()
    (again,) = replayed(tape).honest.disk.logs.values()
    assert again == log


@pytest.mark.slow
def test_w15_a_flipped_bit_is_a_defined_error_or_nothing() -> None:
    """W15: no flip crashes, accuses the other or puts a wrong event into the log."""
    tape, log = recorded()
    rng = random.Random(15)  # noqa: S311 - repeatable flips
    codes = set()
    for place, item in enumerate(tape):
        if not isinstance(item, bytes):
            continue
        for _ in range(6):
            bent = bytearray(item)
            near_front = rng.random() < 0.4
            at = rng.randrange(min(10, len(bent)) if near_front else len(bent))
            bent[at] ^= 1 << rng.randrange(8)
            victim = replayed((*tape[:place], bytes(bent), *tape[place + 1 :]))
            codes.add(judged(victim, log))
    assert {101, 403} <= codes
    assert not codes & GAME_FAULTS


def judged(hostile: Hostile, log: bytes) -> int | None:
    """The code of what a flip led to, None if to nothing; the log stays honest."""
    player = hostile.honest
    kept = next(iter(player.disk.logs.values()), MAGIC)
    whole = kept
    if player.closed is not None:
        verdict_on(player, player.closed, proven=False)
    elif kept != MAGIC:
        require_good(kept)
    assert log.startswith(whole), "something else was recorded"
    return player.closed


# W16 ------------------------------------------------------------------------------


class PureMsgpack:
    """The library's Python half, which it falls back to where C is missing."""

    unpackb = staticmethod(fallback.unpackb)

    @staticmethod
    def packb(value: object) -> bytes:
        """As ``msgpack.packb``."""
        packed: bytes = fallback.Packer().pack(value)
        return packed


def verdict(payload: bytes) -> object:
    """The value, or the code of its refusal."""
    try:
        return canonical.decode(payload)
    except DecodeError as error:
        return error.code


def test_w16_both_halves_of_the_codec_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """W16: C and pure Python accept and refuse the same bytes."""
    assert msgpack.Packer is not fallback.Packer, "the C half is missing here"
    rng = random.Random(16)  # noqa: S311 - repeatable noise
    corpus = [canonical.encode(fields) for fields in SAMPLES.values()] + BROKEN
    for _ in range(3000):
        bent = bytearray(rng.choice(corpus)[: rng.choice((20, 20, 200))])
        bent[rng.randrange(min(len(bent), 12))] = rng.randrange(256)
        corpus.append(bytes(bent))
    corpus += [rng.randbytes(rng.randint(1, 12)) for _ in range(3000)]
    corpus += [bytes([byte]) * 40 for byte in range(256)]
    with_c = [verdict(payload) for payload in corpus]
    monkeypatch.setattr(canonical, "msgpack", PureMsgpack)
    assert [verdict(payload) for payload in corpus] == with_c


# W17 ------------------------------------------------------------------------------

BURST = 200


@EVERY_SPLIT
@pytest.mark.parametrize("what", ["PING", "PONG", "CHAT", "ACK", "EVENT"])
def test_w17_a_flood_is_105(what: str, split: str) -> None:
    """W17: 200 frames that bring nothing pass at once, the next is too many."""
    hostile = at_table(split=split)
    events = [m for m in hostile.cheat.sent if isinstance(m, wire.EventMessage)]
    acks = [m for m in hostile.cheat.sent if isinstance(m, wire.Ack)]
    messages: dict[str, wire.Message] = {
        "PING": wire.Ping(7),
        "PONG": wire.Pong(7),
        "CHAT": wire.Chat("x"),
        "ACK": acks[-1],
        "EVENT": events[-1],
    }
    message = messages[what]
    hostile.say(*[message] * BURST)
    hostile.require_unmoved()
    hostile.say(message)
    hostile.require(105, answers=True)


def test_w17_lines_below_the_rate_do_not_bury_the_player() -> None:
    """W17: of 50 lines a second he is shown two, after a burst of twenty."""
    hostile = in_lobby()
    for _ in range(10):
        hostile.pair.now += 1.0
        hostile.say(*[wire.Chat("x" * 256)] * 50)
    assert hostile.honest.closed is None
    assert 20 <= len(hostile.honest.of(ChatReceived)) <= 42


@pytest.mark.parametrize("state", [State.LOBBY, State.READY, State.WAIT_HUMAN])
def test_w17_a_flood_of_pings_is_105_wherever_they_are_allowed(state: State) -> None:
    """W17: from AUTH on."""
    hostile = at_state(state)
    hostile.say(*[wire.Ping(1)] * (BURST + 1))
    hostile.require(105, answers=True)


def test_w17_fifty_a_second_are_no_flood() -> None:
    """W17, P9: the rate holds for ever, and a game's own events never count."""
    hostile = in_lobby()
    for _ in range(20):
        hostile.pair.now += 1.0
        hostile.say(*[wire.Ping(1)] * 50)
    hostile.require_unmoved()


# W19 ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "limit"),
    [
        (State.HELLO, T_LOGIN),
        (State.AUTH, T_LOGIN),
        (State.HOST, T_LOGIN),
        (State.READY, T_LOGIN),
        (State.WAIT_HUMAN, T_DEAD),
        (State.RESUMING, T_STEP),
        (State.LOBBY, T_DEAD),
        (State.PLAY, T_DEAD),
    ],
)
@pytest.mark.parametrize("drips", [True, False])
def test_w19_a_byte_a_second_keeps_no_door_open(
    state: State, limit: float, *, drips: bool
) -> None:
    """W19: in each phase: the same end as for silence, at the same second, 106."""
    hostile = at_state(state)
    hostile.honest.notices.clear()
    hostile.cheat.session = None  # his own machine would hang up by itself
    frame = (200).to_bytes(4, "big") + bytes(200)
    for second in range(1, 60):
        if drips:
            hostile.raw(frame[second - 1 : second])
        hostile.pair.now += 1.0
        hostile.pair.tick()
        if hostile.honest.closed is not None:
            break
    assert hostile.honest.closed == 106
    assert hostile.honest.of(LinkLost) == [LinkLost(106)]
    assert limit - 1 <= second <= limit
    for data in hostile.honest.disk.logs.values():
        require_good(data)


def test_w19_the_whole_login_has_one_limit() -> None:
    """W19: whoever says HELLO in the last moment has that moment left for AUTH."""
    hostile = at_state(State.HELLO)
    hostile.pair.now += 9.0
    hostile.say(wire.Hello("crapette", 1, 1, bytes(32), 0))
    assert hostile.session.state is State.AUTH
    hostile.pair.now += 1.0
    hostile.pair.tick()
    assert hostile.honest.closed == 106


def test_w19_a_slow_frame_in_the_game_is_silence() -> None:
    """W19: only whole frames are a sign of life; the game is kept."""
    hostile = at_table()
    frame = (60).to_bytes(4, "big") + bytes(60)
    for second in range(30):
        hostile.raw(frame[second : second + 1])
        hostile.pair.now += 1.0
        hostile.pair.tick()
    assert hostile.honest.of(LinkLost) == [LinkLost(106)]
    assert hostile.session.state is State.SUSPENDED
    (data,) = hostile.honest.disk.logs.values()
    require_good(data)
