"""A replay made ready for watching: each step with its log and what to mark."""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.engine import Position
from crapette_p2p.engine.actions import Discard, Move, Stop, Turn
from crapette_p2p.engine.layout import DRAWN, WASTE, is_foundation
from crapette_p2p.engine.played import Played
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.replay import Replay, Step
from crapette_p2p.ui.faces import Theme, parse_screen_card
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.play.scribe import Line, Scribe, entries_of
from crapette_p2p.ui.table_view import LogEntry, LogItem
from crapette_p2p.ui.telling import break_text
from crapette_p2p.ui.told_apart import told_apart


@dataclass(frozen=True, slots=True)
class _Shot:
    """One step as it is watched."""

    position: Position
    lines: tuple[Line, ...]
    played: Played


class Reel:
    """All steps of a game; place 0 is the lay-out.

    Raises LogError for a log that ends before any card was dealt.
    """

    def __init__(self, replay: Replay, words: Words, name: str = "") -> None:
        self.replay = replay
        self.steps = replay.steps
        self.breaks = breaks = break_text(replay, name, words)
        """Where the log, called by its name, breaks and why; empty if it is whole."""
        if replay.position(replay.start) is None:
            raise LogError(breaks or "the log ends before any card was dealt")
        self._shots = _shots(replay, words)

    @property
    def length(self) -> int:
        """How many steps there are."""
        return len(self._shots) - 1

    @property
    def turns(self) -> int:
        """How many turns were begun."""
        return self.replay.played.turn

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return self.replay.played.moves

    def position(self, place: int) -> Position:
        """The table there."""
        return self._shots[place].position

    def log(self, place: int) -> tuple[LogEntry, ...]:
        """The log up to there; at both ends also where it breaks, and why."""
        lines = entries_of(self._shots[place].lines)
        if not self.breaks or place not in {0, self.length}:
            return lines
        return (*lines, LogEntry("", (LogItem((self.breaks,), "call"),)))

    def turn(self, place: int) -> int:
        """The number of the turn that runs there."""
        return self._shots[place].played.turn

    def move(self, place: int) -> int:
        """How many moves were made by then."""
        return self._shots[place].played.moves

    def place_of_move(self, move: int) -> int:
        """The place where so many moves were made."""
        return self.replay.step_of(move)

    def step(self, place: int) -> Step | None:
        """What led there; None for the lay-out."""
        return self.steps[place - 1] if 0 < place <= len(self.steps) else None

    def begin_of(self, turn: int) -> int:
        """The place before the first action of a turn."""
        for index, step in enumerate(self.steps):
            if step.turn >= turn:
                return index
        return self.length

    def calls(self) -> tuple[int, ...]:
        """The places of Stop! calls."""
        return tuple(
            place
            for place, step in enumerate(self.steps, 1)
            if isinstance(step.action, Stop)
        )

    def marks(self) -> tuple[tuple[int, str], ...]:
        """Places worth a look: ``!`` a call, ``~`` somebody had left or came back."""
        notes = [self._place_of(note.at) for note in self.replay.log.notes]
        signs = dict.fromkeys(notes, "~") | dict.fromkeys(self.calls(), "!")
        return tuple(sorted(signs.items()))

    def _place_of(self, length: int) -> int:
        """The place once ``length`` events had happened."""
        return sum(step.length <= length for step in self.steps)

    def mark(self, place: int) -> frozenset[int]:
        """The pile where the last card went."""
        step = self.step(place)
        return frozenset() if step is None else marks_of(step)

    def find(self, text: str, place: int, direction: int, theme: Theme) -> int | None:
        """The next place (or the one before) where a card or a word occurs."""
        places = (
            range(place + 1, self.length + 1)
            if direction > 0
            else range(place - 1, 0, -1)
        )
        face = parse_screen_card(text, theme)
        return next((p for p in places if self._fits(p, text, face)), None)

    def _fits(self, place: int, text: str, face: int | None) -> bool:
        step = self.step(place)
        if step is None:
            return False
        if face is not None:
            return step.card == face
        if text.strip().lower() == "foundation":
            return isinstance(step.action, Move) and is_foundation(step.action.target)
        return text.strip().lower() in step.text.lower()


def marks_of(step: Step) -> frozenset[int]:
    """The pile where the card of a step went."""
    match step.action:
        case Move(_, target):
            return frozenset({target})
        case Turn():
            return frozenset({DRAWN + step.author})
        case Discard():
            return frozenset({WASTE + step.author})
        case _:
            return frozenset()


def _shots(replay: Replay, words: Words) -> list[_Shot]:
    first = replay.position(replay.start)
    assert first is not None  # noqa: S101 - the caller has looked
    scribe = Scribe(told_apart(replay.log.genesis.nicks, None, words), words)
    shots = [_Shot(first, (), scribe.played)]
    for step in replay.steps:
        before, after = shots[-1].position, replay.position(step.length)
        if after is None:
            break
        scribe.record(step.author, step.action, before, after)
        shots.append(_Shot(after, scribe.lines(), scribe.played))
    return shots
