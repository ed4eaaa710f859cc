"""An independent checker follows the recorded games, byte for byte."""

import ast
import copy
import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.interop.checker_canonical import ProtocolError, Value, decode, encode
from tests.interop.checker_crypto import fingerprint, public_key
from tests.interop.checker_events import state_hash
from tests.interop.checker_log import (
    DamageError,
    Log,
    Records,
    read_record,
    read_records,
    verify,
)
from tests.interop.checker_login import Dialler, Listener, Login
from tests.interop.checker_messages import FRAME_MAX, FrameReader, frame, read_message
from tests.interop.checker_positions import REASONS
from tests.interop.checker_recorded import GAMES, Recorded, load
from tests.interop.checker_replay import Replay, first_difference

every_game = pytest.mark.parametrize("name", GAMES)
CUTS = dict(zip(GAMES, (1, 60, 180, 240, 359, 430, 500, 699), strict=True))
"""How many bytes of each log's end are missing when it is cut."""


def _imports(path: Path) -> set[str]:
    """The modules a source file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def test_the_checker_shares_no_code_with_the_package() -> None:
    """It knows the protocol folder only: nothing of the package, no other tests."""
    for path in Path(__file__).parent.glob("*.py"):
        for name in _imports(path):
            assert name.split(".")[0] != "crapette_p2p", path.name
            assert not name.startswith("tests.") or name.startswith("tests.interop")


@functools.cache
def replay(name: str) -> Replay:
    """A recorded game played again, once for all tests."""
    return Replay(load(name))


@functools.cache
def judged(name: str) -> tuple[Log, Records, tuple[int, str] | None]:
    """The log of a recorded game, verified once for all tests."""
    return verify(load(name).log)


def sent(recorded: Recorded, role: int) -> list[bytes]:
    """The frames of one direction."""
    return [frame(payload) for who, payload in recorded.frames if who == role]


def flip(data: bytes, at: int) -> bytes:
    """Bytes with one bit of one byte the other way."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def fails(act: Callable[[], object]) -> bool:
    """Whether something is refused."""
    try:
        act()
    except (ProtocolError, DamageError):
        return True
    return False


@every_game
@pytest.mark.parametrize("role", [0, 1])
def test_a_side_sends_what_was_recorded(name: str, role: int) -> None:
    """From keys, entropy and decisions each side's bytes follow, all of them."""
    assert not first_difference(replay(name).sides[role].sent, sent(load(name), role))


@every_game
def test_the_log_follows(name: str) -> None:
    """The log of role 0 follows too, and verifies at the highest level."""
    recorded = load(name)
    log, records, damage = judged(name)
    assert replay(name).log() == recorded.log
    assert (damage, records.torn, log.level, log.owed) == (None, False, 5, None)


@every_game
def test_every_state_follows(name: str) -> None:
    """Before each event and after the last the public state is the recorded one."""
    recorded, made = load(name), replay(name).states
    pairs = enumerate(zip(made, recorded.states, strict=True))
    first = next((at for at, (mine, theirs) in pairs if mine != theirs), None)
    assert first is None, f"before event {first}"


@every_game
def test_every_state_hash_follows(name: str) -> None:
    """The hashes of the derived states are those of the index and of the events."""
    recorded = load(name)
    hashes = [state_hash(decode(state)) for state in replay(name).states]
    log = judged(name)[0]
    assert hashes == list(recorded.hashes)
    assert hashes[:-1] == [entry.event.state for entry in log.entries]
    assert hashes[1:] == [entry.after for entry in log.entries]


@every_game
def test_the_index_tells_the_same_game(name: str) -> None:
    """Counts, keys, game id, authors, types and result of the index are right."""
    recorded, game = load(name), replay(name).game
    events = [entry.event for entry in judged(name)[0].entries]
    end = game.play.end if game.play else None
    assert recorded.count == len(recorded.frames)
    assert recorded.game_id == game.genesis.game_id
    for player in recorded.players:
        assert public_key(player.secret) == player.public
    listed = [("AB".index(made.author), made.kind) for made in recorded.events]
    assert listed == [(event.author, event.name) for event in events]
    assert end is not None
    winner = None if end.winner is None else "AB"[end.winner]
    assert recorded.result == (winner, REASONS[end.reason], end.points)
    assert replay(name).waits is None


@every_game
def test_frames_are_the_one_spelling(name: str) -> None:
    """Each payload is a message, and written again gives the same bytes."""
    for _, payload in load(name).frames:
        read_message(payload)
        assert encode(decode(payload)) == payload


@every_game
def test_pieces_do_not_matter(name: str) -> None:
    """A direction cut into odd pieces gives the same payloads."""
    recorded = load(name)
    stream = b"".join(sent(recorded, 0))
    reader, found, at, size = FrameReader(FRAME_MAX), list[bytes](), 0, 1
    while at < len(stream):
        found += reader.feed(stream[at : at + size])
        at, size = at + size, size * 7 % 1009
    assert found == [payload for who, payload in recorded.frames if who == 0]


def log_in(
    recorded: Recorded, change: Callable[[int, bytes], bytes]
) -> tuple[Login, Login]:
    """Let both sides log in over a link that may change what travels.

    Args:
        recorded: The game with keys and nonces.
        change: What becomes of the payload with that number.

    Returns:
        What the listener and the dialler sent and saw.
    """
    logins = [
        Login(player.secret, player.drawn[0], player.nick, recorded.cert_digest)
        for player in recorded.players
    ]
    host, dial = Listener(logins[0]), Dialler(logins[1])
    host.receive(change(0, logins[1].sent[0]))
    dial.receive(change(1, logins[0].sent[0]))
    host.receive(change(2, logins[1].sent[1]))
    dial.receive(logins[0].sent[1])
    return logins[0], logins[1]


@every_game
def test_the_handshake_and_the_four_cards(name: str) -> None:
    """Both sides send the recorded login and show the same four cards."""
    recorded = load(name)
    host, dial = log_in(recorded, lambda _, payload: payload)
    assert host.sent + dial.sent == [
        payload
        for role, count in ((0, 2), (1, 2))
        for payload in [p for who, p in recorded.frames if who == role][:count]
    ]
    assert host.cards == dial.cards == replay(name).cards


@every_game
def test_fingerprints_are_short_names_of_the_keys(name: str) -> None:
    """A fingerprint has four groups of four and differs between the players."""
    found = {fingerprint(player.public) for player in load(name).players}
    assert len(found) == 2
    assert {len(text) for text in found} == {19}


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_changed_byte_of_the_login_is_noticed(number: int) -> None:
    """Whichever third byte of HELLO, HOST or AUTH is changed, nobody is logged in."""
    recorded = load(GAMES[0])
    sizes = [len(payload) for _, payload in recorded.frames[:3]]

    def attempt(at: int) -> None:
        def change(which: int, data: bytes) -> bytes:
            return flip(data, at) if which == number else data

        log_in(recorded, change)

    places = range(number, sizes[number], 3)
    missed = [at for at in places if not fails(functools.partial(attempt, at))]
    assert missed == []


@every_game
@pytest.mark.parametrize("role", [0, 1])
def test_a_changed_byte_is_named(name: str, role: int) -> None:
    """One byte changed in any frame is named as the first that differs."""
    frames, place = sent(load(name), role), 0
    for number, data in enumerate(frames):
        at = 4 + number * 31 % (len(data) - 4)
        other = [*frames[:number], flip(data, at), *frames[number + 1 :]]
        where = first_difference(replay(name).sides[role].sent, other)
        assert where.startswith(f"byte {place + at}: frame {number} (")
        assert where.endswith(f"byte {at}")
        place += len(data)


def unnoticed(log: Log, data: bytes) -> bool:
    """Whether a log takes a record as if nothing were wrong with it."""
    trial = copy.copy(log)
    trial.entries, trial.voids = log.entries.copy(), log.voids.copy()
    trial.game = None if log.game is None else log.game.copy()
    return not fails(lambda: trial.take(read_record(data))) and not trial.fault


@every_game
def test_a_changed_byte_of_the_log_is_noticed(name: str) -> None:
    """One byte changed in a record of a log is noticed at that record."""
    data, at, log = load(name).log, 8, Log()
    for number, record in enumerate(read_records(data).found):
        size = int.from_bytes(data[at : at + 4], "big")
        whole = data[at + 4 : at + 4 + size]
        places = {0, number * 131 % size} if number % 6 == 0 else set()
        for place in places:
            assert not unnoticed(log, flip(whole, place)), f"record {number}, {place}"
        log.take(record)
        at += 4 + size
    assert log.level == 5


def test_changed_bytes_of_some_records_are_noticed() -> None:
    """No fifth byte of GENESIS, an EVENT or an ACK can be changed unnoticed."""
    data, at, log = load(GAMES[0]).log, 8, Log()
    for number, record in enumerate(read_records(data).found[:31]):
        size = int.from_bytes(data[at : at + 4], "big")
        whole = data[at + 4 : at + 4 + size]
        if number in (0, 2, 29, 30):
            places = range(number % 5, size, 5)
            missed = [i for i in places if unnoticed(log, flip(whole, i))]
            assert missed == [], f"record {number}"
        log.take(record)
        at += 4 + size


@every_game
def test_a_changed_length_is_noticed(name: str) -> None:
    """A record with another length makes the file damaged or torn there."""
    data, at = load(name).log, 8
    found = read_records(data).found
    for number in range(0, len(found), 97):
        at = 8 + sum(4 + _size(data, i) for i in range(number))
        for place in range(4):
            other = read_records(flip(data, at + place))
            assert other.bad == number or other.torn


@functools.cache
def _sizes(data: bytes) -> list[int]:
    found, at = [], 8
    while at < len(data):
        found.append(int.from_bytes(data[at : at + 4], "big"))
        at += 4 + found[-1]
    return found


def _size(data: bytes, number: int) -> int:
    return _sizes(data)[number]


@every_game
def test_a_log_cut_anywhere_is_no_finished_game(name: str) -> None:
    """A log that lacks its end is torn or waits for somebody, and is not at level 5."""
    data = load(name).log[: -CUTS[name]]
    log, records, damage = verify(data)
    assert damage is None
    assert log.level < 5
    assert log.owed is not None
    assert records.torn == (records.end != len(data))


@every_game
def test_a_changed_byte_of_a_state_is_noticed(name: str) -> None:
    """A state with another byte has another hash, or is no state at all."""
    recorded = load(name)
    for number, state in enumerate(recorded.states):
        other = flip(state, number * 17 % len(state))
        value: Value = None
        try:
            value = decode(other)
        except ProtocolError:
            continue
        assert state_hash(value) != recorded.hashes[number], number


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize("draw", [0, 1, 2, 3, 4, 5])
def test_other_entropy_is_noticed(role: int, draw: int) -> None:
    """With one byte of a player's entropy changed other bytes are sent."""
    recorded = load(GAMES[0])
    drawn = list(recorded.players[role].drawn)
    drawn[draw] = flip(drawn[draw], len(drawn[draw]) // 2)
    players = list(recorded.players)
    players[role] = dataclasses.replace(players[role], drawn=tuple(drawn))
    other = dataclasses.replace(recorded, players=(players[0], players[1]))
    _assert_differs(other)


@pytest.mark.parametrize("role", [0, 1])
def test_another_key_is_noticed(role: int) -> None:
    """With one byte of a player's key changed other bytes are sent."""
    recorded = load(GAMES[0])
    players = list(recorded.players)
    secret = flip(players[role].secret, 11)
    players[role] = dataclasses.replace(players[role], secret=secret)
    _assert_differs(dataclasses.replace(recorded, players=(players[0], players[1])))


def _assert_differs(other: Recorded) -> None:
    try:
        sides = Replay(other).sides
    except ProtocolError:
        return
    assert any(first_difference(s.sent, sent(other, s.player.role)) for s in sides)


@every_game
def test_another_decision_is_noticed(name: str) -> None:
    """With a play left out the game cannot be followed to its end any more."""
    recorded = load(name)
    kinds = [made.kind for made in recorded.events]
    for number in [i for i, kind in enumerate(kinds) if kind == "MOVE"][9::120]:
        events = recorded.events[:number] + recorded.events[number + 1 :]
        _assert_differs(dataclasses.replace(recorded, events=events))
