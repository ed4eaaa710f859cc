"""Watch a log again: any moment by number, forwards and backwards.

A log holds events, so the state after n of them is a fold. ``Replay`` keeps a
snapshot every 16 events; seeking anywhere folds at most 15 from there. Reading
verifies on the way; a broken log plays up to the break, which the verdict names.

*Steps* are what a viewer walks: one per action, with the openings it called for
behind it, so that a step ends with its card open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import judge
from crapette_p2p.engine.actions import Action, Move, Stop, Turn
from crapette_p2p.engine.layout import Seat, drawn
from crapette_p2p.engine.notation import format_action
from crapette_p2p.engine.played import NOT_DEALT, Played
from crapette_p2p.engine.position import Position
from crapette_p2p.errors import LogError
from crapette_p2p.fairdeal.dealer import full_deck
from crapette_p2p.fairdeal.layer import context, derive_layer
from crapette_p2p.gamelog.events import EventType, body_to_action
from crapette_p2p.gamelog.faults import Verify
from crapette_p2p.gamelog.fold import LogFold
from crapette_p2p.gamelog.game import start_game, step
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.records import read_records
from crapette_p2p.gamelog.state import SETUP_EVENTS, GameState
from crapette_p2p.gamelog.verify import Verdict, verdict_of

SNAPSHOT_EVERY: Final = 16


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a player, with its openings."""

    number: int
    """From 1; the lay-out is 0."""
    seq: int
    """Event number of the action."""
    author: Seat
    action: Action
    text: str
    """Notation, with the card of a move."""
    card: int | None
    """The card that moved or was turned up; None where there is none."""
    length: int
    """Final events once its openings are done: the moment to show."""
    turn: int
    """Which turn it belongs to, from 1."""
    move: int
    """How many moves were made with it; talk leaves the number as it was."""
    upheld: bool | None = None
    """Of a Stop: whether it was right."""


class Replay:
    """All moments of one game."""

    def __init__(self, log: GameLog, *, playable: int | None = None) -> None:
        """Index ``log`` up to ``playable`` events (default: all)."""
        self.log = log
        self.length = log.length if playable is None else playable
        """How many events can be shown."""
        self.verdict: Verdict | None = None
        """What reading the file found, if it was read with a verifier."""
        self.steps: tuple[Step, ...] = ()
        self.played = NOT_DEALT
        """The turns and moves of all that can be shown."""
        self._snapshots = [start_game(log.genesis, log.game_id)]
        self._last = self._snapshots[0]
        self._index()

    @property
    def start(self) -> int:
        """Final events when the lay-out is open (fewer if the log ends before)."""
        return min(SETUP_EVENTS, self.length)

    def seek(self, n: int) -> GameState:
        """The state after ``n`` final events, 0 to ``length``."""
        if not 0 <= n <= self.length:
            raise IndexError(f"{n} is not 0 to {self.length}")
        state = self._snapshots[n // SNAPSHOT_EVERY]
        if state.length < self._last.length <= n:
            state = self._last  # a step forward costs one event, not up to 15
        for seq in range(state.length, n):
            state = self._follow(state, seq)
        self._last = state
        return state

    def position(self, n: int) -> Position | None:
        """The table after ``n`` final events; None before the lay-out is open."""
        return self.seek(n).position

    def moment(self, step_number: int) -> GameState:
        """The state once step ``step_number`` is done; 0 = the lay-out."""
        if not step_number:
            return self.seek(self.start)
        return self.seek(self.steps[step_number - 1].length)

    def step_of(self, move: int) -> int:
        """The step by which so many moves were made; 0 = the lay-out."""
        if not move:
            return 0
        return next((s.number for s in self.steps if s.move >= move), len(self.steps))

    def hidden_faces(self) -> bytes | None:
        """All 104 cards by slot, if both AUDITs are in the log."""
        return _audited_faces(self.seek(self.length), self.log)

    def _follow(self, state: GameState, seq: int) -> GameState:
        event = self.log.entries[seq].signed.event
        after = step(state, event.author, event.type, event.body, trusting=True)
        if isinstance(after, int):
            raise LogError("event {seq} is not legal", code=after, seq=seq)
        return after

    def _index(self) -> None:
        state = self._snapshots[0]
        steps: list[Step] = []
        for seq in range(self.length):
            before, state = state, self._follow(state, seq)
            if state.length % SNAPSHOT_EVERY == 0:
                self._snapshots.append(state)
            if before.position is None:
                self.played = NOT_DEALT if state.position is None else Played()
                continue
            made = self._step_at(seq, before, state, number=len(steps) + 1)
            if made is not None:
                steps.append(made)
            elif steps and self.log.entries[seq].signed.event.type in (4, 5):
                steps[-1] = _settled(steps[-1], state)
        self.steps = tuple(steps)

    def _step_at(
        self,
        seq: int,
        before: GameState,
        after: GameState,
        *,
        number: int,
    ) -> Step | None:
        event, position = self.log.entries[seq].signed.event, before.position
        action = body_to_action(event.type, event.body)
        if action is None or position is None or after.position is None:
            return None
        turn = self.played.turn
        self.played = self.played.after(action, position, after.position)
        card = _turned_up(action, after)
        upheld = None
        if isinstance(action, Move):
            card = position.top(action.source)
        elif isinstance(action, Stop):
            upheld = judge(position, action) is not None
        return Step(
            number=number,
            seq=seq,
            author=event.author,
            action=action,
            text=format_action(action, position, seat=event.author),
            card=card,
            length=seq + 1,
            turn=turn,
            move=self.played.moves,
            upheld=upheld,
        )


def _settled(last: Step, state: GameState) -> Step:
    """The step before an opening, shown with the card open."""
    card = last.card if last.card is not None else _turned_up(last.action, state)
    return replace(last, card=card, length=state.length)


def _turned_up(action: Action, state: GameState) -> int | None:
    """The card a ``turn`` has put before its player, once it is open."""
    if not isinstance(action, Turn) or state.position is None:
        return None
    top = state.position.top(drawn(state.position.active))
    return None if top in (-1, UNKNOWN) else top


def _audited_faces(state: GameState, log: GameLog) -> bytes | None:
    if state.audits != 0b11:
        return None
    perms: dict[tuple[int, int], bytes] = {}
    for entry in log.entries:
        event = entry.signed.event
        if event.type != EventType.AUDIT:
            continue
        for deck, seed in enumerate(event.body):
            kept = state.deal.kept(event.author, deck)
            ctx = context(state.game_id, event.author, deck, kept)
            if isinstance(seed, bytes):
                perms[event.author, deck] = derive_layer(seed, ctx).perm
    decks = [full_deck(perms[1 - d, d], perms[d, d]) for d in (0, 1)]
    return b"".join(decks)


def open_replay(data: bytes, verify: Verify | None = None) -> Replay:
    """Read a log file for replay; a broken one plays up to the break.

    Raises LogError only if not even the genesis can be read.
    """
    records = read_records(data)
    fold = LogFold(verify)
    fold.read(records)
    verdict = verdict_of(fold, records)
    if fold.log is None:
        raise LogError(
            "record {record}: {reason}",
            code=verdict.code or 101,
            record=verdict.first_bad or 0,
            why=verdict.why or "no-genesis",
            detail=verdict.detail,
        )
    replay = Replay(fold.log, playable=fold.playable)
    replay.verdict = verdict
    return replay
