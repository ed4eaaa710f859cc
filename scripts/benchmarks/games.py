"""Games that the benchmarks play, read and look at: random, repeatable ones."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import count
from pathlib import Path

from crapette_p2p.engine import (
    GRANT,
    PRESETS,
    RESIGN,
    Move,
    Position,
    legal_with_offences,
    play,
    start,
)
from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import Seat, is_foundation
from crapette_p2p.gamelog.records import (
    MAGIC,
    RecordKind,
    encode_record,
    read_records,
)
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.net.address import Address
from crapette_p2p.net.autoplay import Autoplayer, Chooser
from crapette_p2p.net.hosting import HostOptions, host
from crapette_p2p.net.joining import JoinOptions, join
from crapette_p2p.net.news import Closed
from crapette_p2p.net.paths import Paths
from crapette_p2p.net.player import Player, player_at
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Leave, Terms
from crapette_p2p.session.notices import EventFinal, GameOver

CANDIDATES = 16
"""Shuffles each commits to for a deck: fewer than in play, to be ready sooner."""
MOST_PLIES = 5_000
"""Of one random game; a game that ends in no such number is a bug."""
LOOPBACK = "127.0.0.1"


def dealt(seed: int, preset: str = "crapette") -> Position:
    """A deal with all cards known, shuffled from the seed."""
    dice = random.Random(seed)
    faces: list[int] = []
    for _ in range(2):
        deck = list(range(52))
        dice.shuffle(deck)
        faces += deck
    return start(PRESETS[preset], bytes(faces), lot=0)


def random_action(position: Position, dice: random.Random) -> Action:
    """A foundation play if there is one, else any action alike."""
    listed = legal_with_offences(position)
    for action, _ in listed:
        if type(action) is Move and is_foundation(action.target):
            return action
    return dice.choice(listed)[0]


Step = tuple[Seat, Action, Position, Position]
"""Who did what, and the positions before and after."""


def played_steps(seed: int) -> list[Step]:
    """One random game, action by action."""
    dice = random.Random(seed)
    position = dealt(seed)
    made: list[Step] = []
    while position.end is None and len(made) + 1 < MOST_PLIES:
        action = random_action(position, dice)
        before, position = position, play(position, position.active, action)
        made.append((before.active, action, before, position))
    return made


def played(seed: int) -> list[Position]:
    """Every position of one random game."""
    game = played_steps(seed)
    return [game[0][2], *(after for *_, after in game)]


@cache
def steps(seed: int) -> tuple[Step, ...]:
    """The same game for whoever only looks at it."""
    return tuple(played_steps(seed))


@cache
def sample() -> tuple[Position, ...]:
    """Positions out of three games, every third one."""
    return tuple(p for seed in range(3) for p in played(seed)[:-1:3])


# Over a real connection ----------------------------------------------------------


def player_in(directory: Path, name: str) -> Player:
    """A player with files and a key of his own."""
    home = directory / name
    return player_at(Paths(home, home, home), name)


def seat_chooser(seed: int, actions: int = MOST_PLIES) -> Chooser:
    """What a seat of a random game does; after so many actions it resigns."""
    dice = random.Random(seed)
    left = actions

    def chosen(position: Position, seat: int) -> Action | None:
        nonlocal left
        if position.end is not None:
            ours = position.end.provisional_by == 1 - seat
            return GRANT if ours else None
        if position.active != seat:
            return None
        left -= 1
        return random_action(position, dice) if left >= 0 else RESIGN

    return chosen


@asynccontextmanager
async def two_seats(directory: Path) -> AsyncIterator[tuple[Table, Table]]:
    """Both seats of a table on the loopback; the deal is proposed."""
    terms = Terms(preset="crapette", rules=PRESETS["crapette"], candidates=CANDIDATES)
    ala, olek = player_in(directory, "Ala"), player_in(directory, "Olek")
    door = HostOptions(
        player=ala,
        terms=terms,
        ports=(0,),
        binds=(LOOPBACK,),
        expected=olek.identity.public,
    )
    options = JoinOptions(player=olek, expected=ala.identity.public)
    async with (
        host(door) as hosting,
        join(Address(LOOPBACK, hosting.port), options) as theirs,
    ):
        yield await hosting.seated(), theirs


async def play_events(
    directory: Path, wanted: int, seed: int, actions: int = MOST_PLIES
) -> tuple[int, str]:
    """Play one game until it is over or has so many events; how many, and its log.

    After so many ``actions`` of theirs the players resign.
    """
    async with two_seats(directory) as tables:
        seats = [
            asyncio.create_task(_play_seat(table, wanted, seed + place, actions))
            for place, table in enumerate(tables)
        ]
        counts = await asyncio.gather(*seats)
        return max(counts), tables[0].log_path or ""


async def _play_seat(table: Table, wanted: int, seed: int, actions: int) -> int:
    player = Autoplayer(table, seat_chooser(seed, actions))
    events = 0
    while not isinstance(notice := await table.next_notice(), Closed):
        if isinstance(notice, EventFinal):
            events = notice.seq + 1
        if isinstance(notice, GameOver) or events >= wanted:
            table.command(Leave(502))
        else:
            await player.react(notice)
    return events


LONG = 2_000
"""Events that a game has at least whose beginnings are measured."""
_wanted = 20_000
"""Events of the game that is read and looked at: all there are."""


def settle_for_less() -> None:
    """Read a game that has only begun: it is sooner ready."""
    global _wanted
    _wanted = 60


@cache
def recorded() -> tuple[bytes, int]:
    """The log of a long random game, and how many events it has."""
    for seed in count(1, 2):
        with tempfile.TemporaryDirectory() as directory:
            home = Path(directory)
            _, log = asyncio.run(play_events(home, _wanted, seed))
            data = Path(log).read_bytes()
        length = open_replay(data).length
        if length >= min(LONG, _wanted // 2):
            break
    return data, length


@cache
def beginning(events: int) -> bytes:
    """The log of a random game until so many events are final, or to its end."""
    data, length = recorded()
    if events >= length:
        return data
    kept, final = [MAGIC], 0
    for record in read_records(data).records:
        kept.append(encode_record(record.kind, record.body))
        final += record.kind == RecordKind.ACK
        if final == events:
            break
    return b"".join(kept)
