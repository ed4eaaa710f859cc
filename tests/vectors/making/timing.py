"""Vectors of timers: what a client says by itself while nothing, or little, comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.layout import other
from crapette_p2p.gamelog.events import action_to_body
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.state import Phase, owes
from crapette_p2p.session.messages import Chat, Message, Ping, Sync, encode_message
from tests.helpers.fakegame import FakeGame, file_of
from tests.vectors.making.clients import Client
from tests.vectors.making.received import in_play
from tests.vectors.making.resumes import NONE
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_lobby import RUNNERS
from tests.vectors.values import Refused

MINUTE: Final = 60_000
Frames = list[tuple[int, Message]]
Decision = tuple[int, str, bytes]
"""When a client's player decides what, and the bytes that go with it."""


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    groups = [*_lobby(), _play(), _waiting(), _opening(), _ending(), _behind()]
    yield VectorFile("timers", "timers", "spec/60-session.md#10", groups)


def add(
    group: Group, comment: str, frames: Frames, until: int, *decided: Decision
) -> None:
    """Add what a client says while this comes and its player decides that."""
    coming = [(at, message) for at, message in frames if at <= until]
    listed = [[at, encode_message(message).hex()] for at, message in coming]
    given: Json = {"frames": listed, "until": until}
    if decided:
        given["decided"] = [[at, name, data.hex()] for at, name, data in decided]
    try:
        output = RUNNERS["timers"](given, group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)


def pings(until: int, *, every: int = 4000) -> Frames:
    """Signs of life of the other."""
    return [(at, Ping(at)) for at in range(every, until, every)]


def _lobby() -> Iterator[Group]:
    """No game is open: there is nothing to wait for but signs of life."""
    client = Client(in_play("crapette", 1, after=6), 0)
    group = client.group("resuming")
    add(group, "RESUME does not come", [], MINUTE)
    add(group, "signs of life do not stand for it", pings(9000), MINUTE)
    add(group, "it comes in the last moment", [(9999, NONE)], 14_000)
    yield group
    group = client.group("lobby")
    add(group, "silence", [(0, NONE)], MINUTE)
    add(group, "silence, not for long", [(0, NONE)], 14_999)
    add(group, "a sign of life in time", [(0, NONE), (14_999, Ping(1))], 29_000)
    add(group, "chat is a sign of life", [(0, NONE), (4999, Chat("hm"))], 9_998)
    add(group, "signs of life", [(0, NONE), *pings(MINUTE)], MINUTE)
    yield group


def _play() -> Group:
    """The player to move has all the time there is."""
    game = in_play("crapette", 1, after=6)
    position = game.state.position
    assert position is not None
    client = Client(game, other(position.active))
    group = client.group("the-other-is-to-move", game.data)
    named = client.naming()
    add(group, "he thinks", [(0, named), *pings(5 * MINUTE)], 5 * MINUTE)
    add(group, "he is silent", [(0, named)], MINUTE)
    return group


def _waiting() -> Group:
    """An own event waits for its ACK."""
    game = in_play("crapette", 2, after=9)
    position = game.state.position
    assert position is not None
    me = position.active
    action = next(a for a, _ in legal_with_offences(position))
    mine = game.sign(me, *action_to_body(action))
    client = Client(game, me)
    held = [*game.records, (RecordKind.EVENT, (mine.data, mine.sig))]
    group = client.group("an-event-waits", file_of(held))
    named = client.naming()
    add(group, "no ACK, but signs of life", [(0, named), *pings(MINUTE)], MINUTE)
    add(group, "not for long", [(0, named), *pings(19_999)], 19_999)
    add(group, "silence", [(0, named)], MINUTE)
    return group


def _opening() -> Group:
    """The other owes an opening: that needs no thinking."""
    game = in_play("crapette", 4, want=Phase.OPENING)
    due = owes(game.state)
    assert due is not None
    client = Client(game, other(due.author))
    group = client.group("he-owes-an-opening", game.data)
    named = client.naming()
    add(group, "it does not come", [(0, named), *pings(MINUTE)], MINUTE)
    add(group, "not for long", [(0, named), *pings(9999)], 9_999)
    return group


def _ending() -> Group:
    """The other owes GRANT, and may think about it."""
    game = in_play("crapette", 4, want=Phase.ENDING)
    due = owes(game.state)
    assert due is not None
    client = Client(game, other(due.author))
    group = client.group("he-owes-a-grant", game.data)
    add(group, "he thinks", [(0, client.naming()), *pings(MINUTE)], MINUTE)
    return group


def _behind() -> Group:
    """The other is behind and has to ask."""
    game: FakeGame = in_play("crapette", 1, after=6)
    client = Client(game, 0)
    group = client.group("he-is-behind", game.data)
    size = game.log.length
    named = client.naming(size - 3)
    add(group, "he does not ask", [(0, named), *pings(MINUTE)], MINUTE)
    asked: Frames = [(0, named), (9000, Sync(size - 3, size - 2)), *_late_pings()]
    add(group, "he asks once, late", asked, MINUTE)
    return group


def _late_pings() -> Frames:
    return [(at, Ping(at)) for at in range(13_000, MINUTE, 4000)]
