"""What is fuzzed: one function of bytes a door, that raises where it should not.

Each target feeds bytes of anybody to one door of the program and checks the door's
promise: an answer or the one error it is allowed, never anything else; and where
something was accepted, that it says the same when written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from crapette_p2p import canonical
from crapette_p2p.engine.actions import TURN
from crapette_p2p.engine.notation import parse_action
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.position_json import parse_position, position_to_json
from crapette_p2p.errors import (
    DecodeError,
    IllegalMove,
    LogError,
    NotationError,
    RemoteProtocolError,
)
from crapette_p2p.gamelog.dump import dump_text, log_to_json_lines, log_to_text
from crapette_p2p.gamelog.events import EventType, decode_event, encode_event
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.faults import PROVABLE
from crapette_p2p.gamelog.genesis import decode_genesis, encode_genesis
from crapette_p2p.gamelog.records import read_records
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.address import (
    AddressError,
    Invite,
    parse_address,
    parse_invite,
    parse_target,
)
from crapette_p2p.net.announcement import parse_announcement
from crapette_p2p.net.kept import summarise
from crapette_p2p.session.framing import FRAME_MAX, FrameReader, frame
from crapette_p2p.session.messages import decode_message, encode_message
from crapette_p2p.session.notices import SessionFailed
from crapette_p2p.session.session import Session
from crapette_p2p.session.states import ENDED_STATES
from crapette_p2p.ui.house_rules import parse_house_rules
from tests.adversarial.by_hand import ByHand, dealt, started
from tests.adversarial.verdicts import verdict_on
from tests.helpers.boards import board
from tests.helpers.driving import position_of
from tests.helpers.fakegame import verify
from tests.helpers.pair import CERT, make_player, terms

CORPUS = Path(__file__).parent / "corpus"
Target = Callable[[bytes], None]
Refused = type[Exception] | tuple[type[Exception], ...]
T = TypeVar("T")


def fuzz_frames(data: bytes) -> None:
    """However the bytes are cut, the same payloads come out, or the same refusal."""
    assert payloads([data]) == payloads([data[i : i + 1] for i in range(len(data))])


def payloads(pieces: list[bytes]) -> list[bytes | int]:
    """Whole payloads, and at the end the code that refused the next one."""
    reader, found = FrameReader(), list[bytes | int]()
    for piece in pieces:
        reader.feed(piece)
        try:
            while (payload := reader.next_payload(FRAME_MAX)) is not None:
                found.append(payload)
        except RemoteProtocolError as error:
            return [*found, error.code]
    return found


def accepted(
    read: Callable[[], T], refused: Refused, codes: frozenset[int] = frozenset()
) -> T | None:
    """What is read, or None if it is refused as it may be: with words and a code."""
    try:
        return read()
    except refused as error:
        if not str(error) or (codes and getattr(error, "code", 0) not in codes):
            raise AssertionError(f"refused with {error!r}") from error
        return None


def fuzz_codec(data: bytes) -> None:
    """What is accepted is the canonical spelling of itself."""
    try:
        value = canonical.decode(data)
    except DecodeError:
        return
    assert canonical.encode(value) == data


def fuzz_messages(data: bytes) -> None:
    """A message or 101, 102, 103; a message is written as it was read."""
    message = accepted(
        lambda: decode_message(data), DecodeError, frozenset({101, 102, 103})
    )
    assert message is None or encode_message(message) == data


def fuzz_events(data: bytes) -> None:
    """Event and genesis bytes."""
    event = accepted(lambda: decode_event(data), DecodeError, frozenset({101, 103}))
    assert event is None or encode_event(event) == data
    for proposal in (False, True):
        genesis = accepted(
            partial(decode_genesis, data, proposal=proposal),
            DecodeError,
            frozenset({101, 103, 300, 301}),
        )
        if genesis is not None:
            assert encode_genesis(genesis) == data
            assert genesis.label.isprintable()


def fuzz_session(data: bytes) -> None:
    """A listener that hears it: accepted, or one farewell; cutting changes nothing."""
    whole, state = heard([data])
    assert heard([data[i : i + 7] for i in range(0, len(data), 7)]) == (whole, state)


def heard(pieces: list[bytes]) -> tuple[list[object], str]:
    """Everything a fresh listener does about these bytes, and its state after."""
    player = make_player("Ala")
    player.options |= {"known": lambda _key: "sas", "terms": terms("russian-bank")}
    session = Session(player.config())
    effects: list[object] = [*session.connected(0.0, CERT, dialler=False)]
    for piece in pieces:
        effects += session.receive(0.0, piece)
    failures = [
        e for e in effects if isinstance(getattr(e, "notice", None), SessionFailed)
    ]
    assert len(failures) <= 1
    assert bool(failures) <= (session.state in ENDED_STATES)
    return effects, session.state.value


def fuzz_log(data: bytes) -> None:
    """A log file: always a verdict; a replay or a LogError; harmless text."""
    records = read_records(data)
    assert records.end <= len(data)
    verdict = verify_log(data, verify)
    assert 0 <= verdict.level <= 5
    summary = summarise(data, Path("x"), bytes(32), 0.0)
    if summary is not None:
        assert summary.status in ("accepted", "open", "finished", "failed", "damaged")
        assert summary.match_goes_on in (True, False)
        assert isinstance(summary.peer_nick, str)
    try:
        replay = open_replay(data, verify)
    except LogError:
        return
    replay.seek(replay.length)
    for line in (*log_to_text(replay), *dump_text(replay)):
        assert line.isprintable()
    for value in log_to_json_lines(replay):
        json.dumps(value)


def fuzz_evidence(data: bytes) -> None:
    """An evidence file: always a judgement."""
    judged = judge_evidence(data, verify)
    assert judged.proven == (judged.why is None)


@cache
def a_table() -> Position:
    """A table to read actions at."""
    return board()


def fuzz_positions(data: bytes) -> None:
    """A position in JSON: read or refused; written again it is the same."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    position = accepted(lambda: parse_position(value), NotationError)
    if position is not None:
        again = position_to_json(position)
        assert position_to_json(parse_position(again)) == again


def fuzz_actions(data: bytes) -> None:
    """An action in notation."""
    text = data.decode("utf-8", "replace")
    accepted(lambda: parse_action(text, a_table()), (NotationError, IllegalMove))


def fuzz_addresses(data: bytes) -> None:
    """An address or an invite: what is read is read again from its own text."""
    text = data.decode("utf-8", "replace")
    target = accepted(lambda: parse_target(text), AddressError)
    if isinstance(target, Invite):
        assert parse_invite(str(target)) == target
    elif target is not None:
        assert parse_address(str(target)) == target


def fuzz_announcements(data: bytes) -> None:
    """A TXT record of somebody on the network."""
    said = parse_announcement(data)
    if said is not None:
        assert said.rules.isprintable()
        assert said.nick.isprintable()


def fuzz_rules(data: bytes) -> None:
    """A file of house rules."""
    found = accepted(lambda: parse_house_rules(data, source="file"), NotationError)
    assert found is None or found.label.isprintable()


def fuzz_signed(data: bytes) -> None:
    """An event that the cheat has signed: any type and body, at five points.

    Byte 0 is the point, byte 1 the type; the rest is a canonical body.
    """
    if len(data) < 3:
        return
    try:
        body = canonical.decode(data[2:])
    except DecodeError:
        return
    if type(body) is not tuple:
        return
    cheat = at_point(data[0] % POINTS)
    cheat.say(cheat.event(data[1], body))
    code = cheat.honest.closed
    if code is not None:
        verdict_on(cheat.honest, code, proven=code in PROVABLE)
        assert code in PROVABLE


POINTS = 5


def at_point(number: int) -> ByHand:
    """A game in which the cheat may or has to say something."""
    if number < 2:
        cheat = started()
        cheat.settle_until_owing(EventType.REVEAL if number else EventType.COMMIT)
        return cheat
    cheat = dealt(seed=1)
    if number == 3:
        mover = int(position_of(cheat.honest).active)
        cheat.play(mover, TURN)
    if number == 4:
        cheat.resign(0)
        cheat.settle_until_owing(EventType.AUDIT)
    return cheat


TARGETS: dict[str, Target] = {
    "frames": fuzz_frames,
    "codec": fuzz_codec,
    "messages": fuzz_messages,
    "events": fuzz_events,
    "session": fuzz_session,
    "log": fuzz_log,
    "evidence": fuzz_evidence,
    "positions": fuzz_positions,
    "actions": fuzz_actions,
    "addresses": fuzz_addresses,
    "announcements": fuzz_announcements,
    "rules": fuzz_rules,
    "signed": fuzz_signed,
}
"""Every door but the command line, which has a module of its own."""


def corpus_of(name: str) -> list[bytes]:
    """The inputs kept for a target: good ones, and those that found something."""
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


def framed(*payloads_: bytes) -> bytes:
    """Payloads as frames."""
    return b"".join(map(frame, payloads_))
