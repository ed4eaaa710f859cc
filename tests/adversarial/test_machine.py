"""T: clocks that jump, peers that freeze, cables that are pulled, odd addresses."""

from __future__ import annotations

import asyncio
import random
import socket
import statistics
import time
from itertools import cycle
from pathlib import Path

import pytest

from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.engine.position import Position
from crapette_p2p.net import sources
from crapette_p2p.net.address import Address, AddressError, parse_address
from crapette_p2p.net.failures import Exit, NetError
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.listening import open_sockets
from crapette_p2p.net.news import Closed, Connected
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import AckLate, EventFinal, GameResumed, LinkLost
from crapette_p2p.session.states import State
from tests.adversarial.calling import play_carelessly
from tests.adversarial.hostile import Hostile
from tests.adversarial.stages import at_table
from tests.helpers.driving import act, drive, position_of, require_closed, state_of
from tests.helpers.pair import Pair, play_pair
from tests.net.fasttime import fast
from tests.net.proxied import proxied_pair
from tests.net.tables import (
    assert_same_games,
    host_options,
    join_options,
    make_player,
    playing,
    seat_at,
    where,
)

YEARS = 10 * 365 * 86_400


def finish(pair: Pair) -> None:
    """A few more moves, then one resigns; both close."""
    rng = random.Random(5)  # noqa: S311 - a repeatable game
    length = state_of(pair.players[0]).length
    drive(pair, rng, until=lambda state: state.length >= length + 8, talk=0)
    act(pair, 1, RESIGN)
    require_closed(pair)


def test_t01_the_wall_clock_decides_nothing() -> None:
    """T1: ten years forwards and backwards, within one game: no effect."""
    now = 1_796_000_000
    pair = Pair()
    for player in pair.players:
        jumps = cycle((now, now + YEARS, now - YEARS, 0, 2**62))
        player.options["wall"] = jumps.__next__
    pair.players[0].options["terms"] = play_pair().players[0].options["terms"]
    pair.connect()
    pair.cut()
    pair.connect(dialler=0)
    finish(pair)


def test_t01_a_clock_before_1970(monkeypatch: pytest.MonkeyPatch) -> None:
    """T1: a clock that was never set is no time, but no crash either."""
    monkeypatch.setattr(time, "time", lambda: -86_400.5)
    assert sources.wall_clock() == 0


def frozen(pair: Pair, side: int, seconds: float) -> None:
    """One program stops (SIGSTOP): it neither reads nor ticks for that long."""
    pair.held[side] = True
    session, pair.players[side].session = pair.players[side].session, None
    pair.wait(seconds)
    pair.players[side].session = session
    pair.held[side] = False


@pytest.mark.parametrize("side", [0, 1])
def test_t02_a_frozen_peer(side: int) -> None:
    """T2: suspended after T_DEAD although his kernel still answers; then resumed."""
    pair = play_pair("russian-bank", seed=1)
    frozen(pair, side, 14)
    pair.pump()
    assert pair.players[1 - side].closed is None  # it was only a moment
    frozen(pair, side, 16)
    other = pair.players[1 - side]
    assert other.of(LinkLost) == [LinkLost(106)]
    assert other.live.state is State.SUSPENDED
    pair.tick()  # he wakes up
    pair.connect()
    assert other.of(GameResumed)
    finish(pair)


@pytest.mark.slow
@fast
async def test_t03_a_pulled_cable(tmp_path: Path) -> None:
    """T3: no byte and no end of the stream: both notice, and the game goes on."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with proxied_pair(ala, olek) as (proxy, hosting, guest):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=50)
        async with playing(*seats) as games:
            await seats[1].hears(EventFinal, 25)
            began = asyncio.get_running_loop().time()
            proxy.hold()
            await seats[1].hears(Connected, 2)
            assert asyncio.get_running_loop().time() - began < 25
            assert await asyncio.gather(*games) == [Closed(None), Closed(None)]
    assert_same_games(ala, olek)


@pytest.mark.parametrize("asleep", [(0,), (1,), (0, 1)])
def test_t04_eight_hours_of_sleep(asleep: tuple[int, ...]) -> None:
    """T4: the monotonic clock jumps: the link is dead, the game is not."""
    pair = play_pair("russian-bank", seed=1)
    if asleep == (0, 1):
        pair.now += 8 * 3600
        pair.tick()
    else:
        frozen(pair, asleep[0], 8 * 3600)
        pair.tick()
    for player in pair.players:
        assert player.of(LinkLost)
        assert player.live.state is State.SUSPENDED
    pair.connect()
    finish(pair)


def test_t05_who_answers_but_never_confirms() -> None:
    """T5: PONG is no ACK: a word after 5 s, the link is dropped after 20."""
    hostile = at_table(mover=False)
    hostile.pair.command(hostile.victim, Act(TURN))
    asleep, hostile.cheat.session = hostile.cheat.session, None
    for second in range(30):
        hostile.pair.now += 1.0
        hostile.pair.tick()
        if hostile.honest.closed is not None:
            break
        hostile.say(wire.Ping(second))
        assert bool(hostile.honest.of(AckLate)) == (second + 1 >= 5)
    assert second + 1 == 20
    assert hostile.honest.of(LinkLost) == [LinkLost(106)]
    assert hostile.session.state is State.SUSPENDED
    hostile.cheat.session = asleep
    hostile.pair.connect()
    finish(hostile.pair)


def answer_times(hostile: Hostile, message: wire.EventMessage) -> float:
    """Seconds of work from a move to the flight with its ACK."""
    payload = wire.encode_message(message)
    data = len(payload).to_bytes(4, "big") + payload
    before = time.process_time()
    effects = hostile.session.receive(hostile.pair.now, data)
    spent = time.process_time() - before
    sent = [effect.data for effect in effects if hasattr(effect, "data")]
    kinds = [type(wire.decode_message(frame[4:])) for frame in sent]
    assert kinds[0] is wire.Ack  # at once, in the same call, whatever the move is
    return spent


@pytest.mark.slow
def test_t06_a_wrong_move_is_confirmed_as_fast_as_a_right_one() -> None:
    """T6: the ACK leaves in the very call that brought the move; no hint by time."""
    times: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(12):
        for wrong in (False, True):
            pair = play_carelessly("crapette", lambda s: _has_both(s.position))
            mover = int(position_of(pair.players[0]).active)
            hostile = Hostile(pair, 1 - mover)
            listed = legal_with_offences(position_of(pair.players[0]))
            action = next(a for a, o in listed if (o is not None) == wrong)
            times[wrong].append(answer_times(hostile, hostile.action(action)))
    right, faulty = (statistics.median(times[key]) for key in (False, True))
    assert faulty < 4 * right
    assert right < 4 * faulty


def _has_both(position: Position | None) -> bool:
    if position is None or position.end is not None:
        return False
    if position.unopened() is not None:
        return False
    offences = {offence is None for _, offence in legal_with_offences(position)}
    return offences == {True, False}


@pytest.mark.parametrize(
    ("text", "host_part"),
    [
        ("[::1]:4747", "::1"),
        ("::1", "::1"),
        ("[fe80::1%eth0]:4747", "fe80::1%eth0"),
        ("fe80::1%25eth0", "fe80::1%eth0"),
        ("[::ffff:192.168.1.7]", "::ffff:192.168.1.7"),
        ("::ffff:c0a8:107", "::ffff:c0a8:107"),
        ("olek-pc.local", "olek-pc.local"),
        ("192.168.1.7 4747", "192.168.1.7"),
    ],
)
def test_t08_addresses_of_every_kind(text: str, host_part: str) -> None:
    """T8: IPv6, link-local with its scope, IPv4-mapped, host names."""
    address = parse_address(text)
    assert address.port == 4747
    same = {host_part, str(parse_address(host_part).host)}
    assert address.host in same
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "192.168.1.7:0",
        "192.168.1.7:65536",
        "192.168.1.7:-1",
        "192.168.1.7:4747x",
        "192.168.1.7:٤٧٤٧",
        "[::1]:65536",
        "[::1",
        "::1]:4747",
        "fe80::1%",
        "fe80::1%../etc",
        "256.1.1.1",
        "1.2.3.4.",
        "1.2.3.",
        "1.2.3",
        "a b c",
        "http://x",
        "x\x1b[2J",
        "-rf",
        "x" * 300,
        "",
    ],
)
def test_t08_what_is_no_address(text: str) -> None:
    """T8: port 0 and 65,536, broken brackets and hostile hosts say what is wrong."""
    with pytest.raises(AddressError):
        parse_address(text)


@pytest.mark.parametrize("name", ["::1", "::ffff:127.0.0.1", "localhost", "127.0.0.1"])
@fast
async def test_t08_dialling_them(tmp_path: Path, name: str) -> None:
    """T8: each spelling of this machine reaches a table here."""
    binds = ("::1",) if name == "::1" else ("127.0.0.1",)
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    try:
        socket.getaddrinfo(name, 1, type=socket.SOCK_STREAM)
        socket.create_server((binds[0], 0), family=_family(binds[0])).close()
        probe = socket.socket(_family(name), socket.SOCK_STREAM)
        probe.close()
    except OSError:
        pytest.skip("not on this machine")
    async with (
        host(host_options(ala, binds=binds)) as hosting,
        join(Address(name, hosting.port), join_options(olek)),
    ):
        await hosting.seated()


def _family(name: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in name else socket.AF_INET


@fast
async def test_t09_a_port_that_is_taken(tmp_path: Path) -> None:
    """T9: told with the port and exit status 4; with a range the next one is used."""
    ala = make_player(tmp_path, "Ala")
    async with host(host_options(ala)) as hosting:
        taken = hosting.port
        assert where(hosting).port == taken
        with pytest.raises(NetError) as error:
            open_sockets((taken,), ("127.0.0.1",))
        assert error.value.failure.code == "port-in-use"
        assert error.value.failure.status is Exit.CANNOT_LISTEN
        assert error.value.failure.facts["port"] == str(taken)
        opened = open_sockets((taken, 0), ("127.0.0.1",))
        assert opened.port != taken
        opened.close()
