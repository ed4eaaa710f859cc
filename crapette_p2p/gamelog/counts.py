"""What each player did in a game: calls, foundation plays, actions.

It trusts the log: no signature and no shuffle is checked, so that hundreds of
games add up while one waits. A log that does not replay counts up to its break.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from crapette_p2p.engine import judge
from crapette_p2p.engine.actions import Action, Discard, Move, Pass, Stop, Turn
from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.engine.played import NOT_DEALT, Played
from crapette_p2p.engine.position import Position
from crapette_p2p.errors import DecodeError, LogError
from crapette_p2p.gamelog.events import Event, body_to_action, decode_event, event_hash
from crapette_p2p.gamelog.game import start_game, step
from crapette_p2p.gamelog.genesis import decode_genesis, game_id_of
from crapette_p2p.gamelog.records import RecordKind, Records, read_records
from crapette_p2p.gamelog.state import GameState

_FOUNDATIONS = range(8, 16)


@dataclass(frozen=True, slots=True)
class Counts:
    """What one player did."""

    actions: int = 0
    """Cards moved, turned up, discarded, and passes."""
    foundation_plays: int = 0
    """Cards that went to a foundation and stayed there."""
    right_calls: int = 0
    """Stop! calls that were upheld."""
    wrong_calls: int = 0
    """Stop! calls that were not."""


@dataclass(frozen=True, slots=True)
class Course:
    """What happened in a game, in numbers."""

    played: Played = NOT_DEALT
    """Its turns and moves, those of an open game up to now."""
    counts: tuple[Counts, Counts] = (Counts(), Counts())
    """What each player did, A first."""


def course_of(data: bytes) -> Course:
    """The numbers of a log; zeros for what is no log."""
    played, tally = NOT_DEALT, [Counts(), Counts()]
    try:
        for event, before, after in _moments(read_records(data)):
            action = body_to_action(event.type, event.body)
            if before is None:
                played = Played()
            elif action is not None:
                played = played.after(action, before, after)
                _count(tally, event.author, action, before, after)
    except (DecodeError, LogError):
        pass
    return Course(played, (tally[0], tally[1]))


def _moments(records: Records) -> Iterator[tuple[Event, Position | None, Position]]:
    """Every final event from the lay-out on, with the table before and after it."""
    if not records.records or records.records[0].kind != RecordKind.GENESIS:
        return
    genesis = records.records[0].body[0]
    if not isinstance(genesis, bytes):
        return
    state = start_game(decode_genesis(genesis), game_id_of(genesis))
    for event in _final_events(records):
        before = state.position
        after = step(state, event.author, event.type, event.body, trusting=True)
        if not isinstance(after, GameState):
            return
        state = after
        if state.position is not None:
            yield event, before, state.position


def _final_events(records: Records) -> Iterator[Event]:
    """The events that were countersigned, in order; of two with one number one."""
    waiting: dict[object, bytes] = {}
    for record in records.records:
        first, second = record.body[0], record.body[1]
        if record.kind == RecordKind.EVENT and isinstance(first, bytes):
            waiting[event_hash(first)] = first
        elif record.kind == RecordKind.ACK and second in waiting:
            yield decode_event(waiting.pop(second))


def _count(
    tally: list[Counts], author: Seat, action: Action, before: Position, after: Position
) -> None:
    mine = tally[author]
    if isinstance(action, Move | Turn | Discard | Pass):
        tally[author] = replace(mine, actions=mine.actions + 1)
    elif isinstance(action, Stop) and judge(before, action) is not None:
        tally[author] = replace(mine, right_calls=mine.right_calls + 1)
    elif isinstance(action, Stop):
        tally[author] = replace(mine, wrong_calls=mine.wrong_calls + 1)
    is_call = isinstance(action, Stop)
    if not is_call and not (isinstance(action, Move) and action.target in _FOUNDATIONS):
        return  # hundreds of games are counted while one waits
    grown = _height(after) - _height(before)
    if grown:
        seat = _player_of(action, author, before, grown)
        plays = tally[seat].foundation_plays + grown
        tally[seat] = replace(tally[seat], foundation_plays=plays)


def _player_of(action: Action, author: Seat, before: Position, grown: int) -> Seat:
    """Whose foundation play it was, or whose was undone."""
    if not isinstance(action, Stop):
        return author
    by_caller = before.rules.missed_card_played_by == "caller"
    return author if by_caller and grown > 0 else other(author)


def _height(position: Position) -> int:
    return sum(len(position.piles[pile]) for pile in _FOUNDATIONS)
