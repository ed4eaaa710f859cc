"""The table of states against the protocol, and against live sessions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act, Propose
from crapette_p2p.session.messages import MessageType
from crapette_p2p.session.notices import SessionFailed
from crapette_p2p.session.states import ALLOWED, GAME_STATES, State
from tests.helpers.coming_back import played, resuming
from tests.helpers.driving import log_of, position_of, side_of
from tests.helpers.pair import Pair, play_pair, terms
from tests.helpers.stranger import nobody

BIN, SIG = bytes(32), bytes(64)
MESSAGES: dict[MessageType, wire.Message] = {
    MessageType.HELLO: wire.Hello("crapette", 1, 1, BIN, 0),
    MessageType.HOST: wire.Host("crapette", 1, 0, BIN, BIN, SIG),
    MessageType.AUTH: wire.Auth(BIN, BIN, "x", SIG, None),
    MessageType.READY: wire.Ready("x", 1),
    MessageType.PING: wire.Ping(1),
    MessageType.PONG: wire.Pong(1),
    MessageType.CHAT: wire.Chat("x"),
    MessageType.PROPOSE: wire.ProposeMessage(b"\x90"),
    MessageType.ACCEPT: wire.Accept(BIN, SIG),
    MessageType.START: wire.Start(SIG),
    MessageType.RESUME: wire.Resume(None, 0, None, 0),
    MessageType.SYNC: wire.Sync(0, 1),
    MessageType.RECORDS: wire.Records(0, (b"\x90",)),
    MessageType.EVENT: wire.EventMessage(b"\x90", SIG),
    MessageType.ACK: wire.Ack(0, BIN, BIN, SIG),
}


def _at_hello() -> tuple[Pair, int]:
    pair = Pair()
    pair.join()
    pair.wire_clear(0)
    return pair, 0


def _at_host() -> tuple[Pair, int]:
    return _at_hello()[0], 1


def _at_auth() -> tuple[Pair, int]:
    pair = Pair()
    pair.join()
    pair.deliver(0)
    return pair, 0


def _at_ready() -> tuple[Pair, int]:
    pair = _at_auth()[0]
    pair.deliver(1)
    pair.wire_clear(0)
    return pair, 1


def _at_wait_human() -> tuple[Pair, int]:
    pair = Pair()
    pair.players[0].person = nobody
    pair.connect()
    return pair, 0


def _at_resuming() -> tuple[Pair, int]:
    pair = Pair()
    resuming(pair, 0)
    return pair, 0


def _at_syncing_longer() -> tuple[Pair, int]:
    pair = played(length=20)
    log = log_of(pair.players[0])
    resuming(pair, 0)
    pair.inject(0, wire.Resume(log.game_id, 0, log.game_id, 0))
    pair.deliver(0)
    return pair, 0


def _at_syncing_shorter() -> tuple[Pair, int]:
    pair = played(length=20)
    log = log_of(pair.players[0])
    resuming(pair, 0)
    pair.inject(0, wire.Resume(log.game_id, log.length + 1, BIN, 0))
    pair.deliver(0)
    return pair, 0


def _at_lobby_role_0() -> tuple[Pair, int]:
    pair = Pair()
    pair.connect()
    return pair, 0


def _at_lobby_role_1() -> tuple[Pair, int]:
    return _at_lobby_role_0()[0], 1


def _at_proposed_role_0() -> tuple[Pair, int]:
    pair, _ = _at_lobby_role_0()
    pair.players[1].person = nobody
    pair.command(0, Propose(terms()))
    return pair, 0


def _at_play() -> tuple[Pair, int]:
    return play_pair("russian-bank", seed=1), 0


def _at_commit() -> tuple[Pair, int]:
    pair = Pair()
    pair.players[0].options["terms"] = terms()
    pair.join()
    pair.step_until(lambda: pair.players[0].live.state is State.COMMIT)
    pair.wire_clear(0)
    return pair, 0


def _at_opening() -> tuple[Pair, int]:
    pair = play_pair("russian-bank", seed=1)
    mover = side_of(pair, position_of(pair.players[0]).active)
    pair.command(mover, Act(TURN))
    pair.deliver(1 - mover)
    pair.wire_clear(mover)
    return pair, 1 - mover


def _at_audit() -> tuple[Pair, int]:
    pair = play_pair("russian-bank", seed=1)
    pair.command(1, Act(RESIGN))
    pair.deliver(0)
    pair.wire_clear(1)
    return pair, 0


Place = Callable[[], tuple[Pair, int]]
TALK = {MessageType.PING, MessageType.PONG, MessageType.CHAT}
PINGS = {MessageType.PING, MessageType.PONG}
GAME = TALK | {MessageType.EVENT, MessageType.ACK}
# Protocol 12, 4.8, row by row, as it is written there.
ROWS: list[tuple[State, Place, set[MessageType]]] = [
    (State.HELLO, _at_hello, {MessageType.HELLO}),
    (State.HOST, _at_host, {MessageType.HOST}),
    (State.AUTH, _at_auth, {MessageType.AUTH}),
    (State.READY, _at_ready, PINGS | {MessageType.READY}),
    (State.WAIT_HUMAN, _at_wait_human, PINGS),
    (State.RESUMING, _at_resuming, PINGS | {MessageType.RESUME}),
    (State.SYNCING, _at_syncing_longer, TALK | {MessageType.SYNC}),
    (State.SYNCING, _at_syncing_shorter, TALK | {MessageType.RECORDS}),
    (State.LOBBY, _at_lobby_role_0, TALK),
    (State.LOBBY, _at_lobby_role_1, TALK | {MessageType.PROPOSE}),
    (State.PROPOSED, _at_proposed_role_0, TALK | {MessageType.ACCEPT}),
    (State.COMMIT, _at_commit, GAME | {MessageType.START}),
    (State.PLAY, _at_play, GAME),
    (State.OPENING, _at_opening, GAME),
    (State.OVER, _at_audit, GAME),
]


@pytest.mark.parametrize("kind", MESSAGES)
@pytest.mark.parametrize(
    ("state", "place", "allowed"), ROWS, ids=[row[1].__name__[4:] for row in ROWS]
)
def test_what_the_table_does_not_allow_is_104(
    state: State, place: Place, allowed: set[MessageType], kind: MessageType
) -> None:
    """Every message in every state: refused as 104, or judged by what it says."""
    pair, side = place()
    player = pair.players[side]
    assert player.live.state is state
    pair.inject(side, MESSAGES[kind])
    pair.deliver(side)
    codes = [n.code for n in player.notices if isinstance(n, SessionFailed)]
    if kind in allowed:
        assert 104 not in codes
    else:
        assert codes == [104]
        assert player.closed == 104


@pytest.mark.parametrize(
    ("place", "state"), [(row[1], row[0]) for row in ROWS], ids=lambda v: str(v)[:20]
)
def test_bye_may_come_everywhere(place: Place, state: State) -> None:
    """A farewell is always understood, and ends the session."""
    pair, side = place()
    assert pair.players[side].live.state is state
    pair.inject(side, wire.Bye(501, None, "so long"))
    pair.deliver(side)
    assert pair.players[side].closed == 501


def test_after_the_end_nothing_is_read() -> None:
    """FAILED, CLOSED, SUSPENDED: bytes, ticks and commands do nothing."""
    pair, side = _at_play()
    pair.inject_raw(side, bytes(4))
    pair.deliver(side)
    session = pair.players[side].live
    assert session.state is State.SUSPENDED
    assert session.receive(pair.now, b"\0\0\0\1\xc0") == []
    assert session.tick(pair.now + 1000) == []
    assert session.eof(pair.now) == []
    assert session.deadline() is None
    assert not session.may(TURN)


def test_the_table_covers_every_state() -> None:
    """No state is without a row, and the game's states share one."""
    assert set(ALLOWED) == set(State)
    rows = [ALLOWED[state] for state in GAME_STATES]
    assert all(row == rows[0] for row in rows)


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\x00\x00\x00\x00",
        b"\xff" * 2000,
        b"\x00\x00\x00\x05hello",
        b"\x00\x00\x00\x01\xc0",
        b"\x00\x00\x00\x02\x92\x90",
    ],
)
@pytest.mark.parametrize("place", [row[1] for row in ROWS])
def test_garbage_is_one_bye_and_a_close(data: bytes, place: Place) -> None:
    """#82: whatever arrives ends in exactly one BYE with a 1xx code."""
    pair, side = place()
    player = pair.players[side]
    pair.inject_raw(side, data)
    pair.deliver(side)
    byes = [m for m in player.sent if isinstance(m, wire.Bye)]
    assert len(byes) == 1
    assert byes[0].code in (100, 101, 102, 103)
    assert player.closed == byes[0].code
