"""What happened, as lines of the log.

A faulty move is written exactly like any other; only a call, a penalty or the
end of the deal is a sentence of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    Action,
    AnswerDraw,
    Discard,
    EndReason,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Position,
    Resign,
    Stop,
    Turn,
    due_plays,
    format_action,
    judge,
)
from crapette_p2p.engine.layout import DRAWN, is_foundation, other
from crapette_p2p.engine.played import Played, sat_out
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.render.cells import cut, pad, text_width
from crapette_p2p.ui.table_view import LogEntry, LogItem
from crapette_p2p.ui.taken_back import NAMED, Recent, Undone
from crapette_p2p.ui.view import Text

_NAME_WIDTH: Final = 10
_FRESH: Final = 2
"""So many of the last moves stand out."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry while it is being written."""

    head: str
    """Turn number and player, or blanks."""
    items: tuple[LogItem, ...]
    """What happened."""
    turn: int = 0
    """The turn it belongs to; 0 for what stands apart."""


class Scribe:
    """Writes the log of one game, action by action."""

    def __init__(self, names: tuple[str, str], words: Words = ENGLISH) -> None:
        self.names = names
        self.words = words
        self.played = Played()
        """The turns and moves so far."""
        self.verdict: Text = ()
        """What the last call or penalty came to."""
        self.taken_back: Text = ()
        """What the last call has undone; empty where it has undone nothing."""
        self._recent = Recent()
        self.calls = ([0, 0], [0, 0])
        """Right and wrong calls of each seat."""
        self._lines: list[Line] = []

    @property
    def turn(self) -> int:
        """The number of the turn that runs."""
        return self.played.turn

    def entries(self) -> tuple[LogEntry, ...]:
        """The log so far, the last moves standing out."""
        return entries_of(self._lines)

    def lines(self) -> tuple[Line, ...]:
        """What is written so far; ``entries_of`` makes a log of it later."""
        return tuple(self._lines)

    def record(
        self, author: int, action: Action, before: Position, after: Position
    ) -> None:
        """Write down what ``author`` did between two positions."""
        self._recent.note(author, action, before)
        match action:
            case Move() | Turn() | Discard() | Pass():
                self._write_move(author, move_text(action, before, after))
                if after.penalty is not None:
                    self.verdict = self._penalty(author, before)
                    self.say(self.verdict, "call")
            case Stop():
                self.verdict = self._stop(author, action, before)
                self.say(self.verdict, "call")
            case Grant():
                self.say((self._by(author, "{name} grants the end"),), "note")
            case Resign():
                pass  # the end says it
            case OfferDraw():
                self.say((self._by(author, "{name} offers a draw"),), "note")
            case AnswerDraw(accept=False):
                self.say((self._by(author, "{name} declines the draw"),), "note")
            case AnswerDraw():
                pass
        self._after(before, after)
        self.played = self.played.after(action, before, after)

    def _after(self, before: Position, after: Position) -> None:
        end = after.end
        if end is not None and before.end is None:
            self.say((end_text(after, self.names, self.words),), "note")
        if end is None and sat_out(before, after):
            skipped = self.names[other(after.active)]
            self.say((self.words("{name} sits out a turn", name=skipped),))

    def opened(self, face: int) -> None:
        """Name the card that the last ``turn`` turned up."""
        for index in range(len(self._lines) - 1, -1, -1):
            line = self._lines[index]
            if line.turn:
                last = line.items[-1]
                if last.text == (_turn_word(),):
                    named = replace(last, text=(*last.text, " ", face))
                    self._lines[index] = replace(line, items=(*line.items[:-1], named))
                return

    def say(self, text: Text, kind: str = "note") -> None:
        """A line of its own."""
        self._lines.append(Line(" " * self._head_width(), (LogItem(text, kind),)))

    def chat(self, name: str, text: str) -> None:
        """What somebody said."""
        self.say((f"{name}: {text}",), "chat")

    def _write_move(self, author: int, text: Text) -> None:
        item = LogItem(text)
        last = self._lines[-1] if self._lines else None
        if last is not None and last.turn == self.turn:
            self._lines[-1] = replace(last, items=(*last.items, item))
            return
        begun = any(line.turn == self.turn for line in self._lines[-20:])
        head = " " * self._head_width() if begun else self._head(author)
        self._lines.append(Line(head, (item,), self.turn))

    def _head(self, author: int) -> str:
        name = pad(cut(self.names[author], _NAME_WIDTH), self._head_width() - 4)
        return f"{self.turn:>2} {name} "

    def _head_width(self) -> int:
        names = (text_width(cut(name, _NAME_WIDTH)) for name in self.names)
        return max(4, *names) + 5

    def _by(self, author: int, sentence: str) -> str:
        return self.words(sentence, name=self.names[author])

    def _stop(self, caller: int, stop: Stop, before: Position) -> Text:
        call = self._by(caller, "{name} calls STOP")
        named = format_action(stop).removeprefix("stop ")
        offence = judge(before, stop)
        self.calls[caller][offence is None] += 1
        undone = self._recent.undone_by(stop, before)
        self.taken_back = undone_text(undone, self.words)
        if offence is None:
            return (f"{call} {named} – ", self.words("wrong, that was not missed"))
        face = offence.before.top(stop.source)
        missed = (
            self.words(" to its foundation was missed")
            if is_foundation(stop.target)
            else self.words(" into the space was missed")
        )
        turn = self.words("; {name}'s turn ends", name=self.names[other(caller)])
        return (f"{call} {named} – ", self.words("right: "), face, missed, turn)

    def _penalty(self, author: int, before: Position) -> Text:
        due = due_plays(before)
        undone = self._by(author, "undone, {name} loses the turn")
        if not due:
            return (undone,)
        face = before.top(due[0].source)
        had_to = (
            self.words(" had to go to its foundation first")
            if is_foundation(due[0].target)
            else self.words(" had to go into the space first")
        )
        return (undone, ": ", face, had_to)


def entries_of(lines: Sequence[Line]) -> tuple[LogEntry, ...]:
    """Lines as a log, the last moves standing out."""
    entries = [LogEntry(line.head, line.items) for line in lines]
    wanted = _FRESH
    for index in range(len(entries) - 1, -1, -1):
        items = list(entries[index].items)
        for place in range(len(items) - 1, -1, -1):
            if wanted and items[place].kind == "move":
                items[place] = replace(items[place], fresh=True)
                wanted -= 1
        entries[index] = LogEntry(entries[index].head, tuple(items))
        if not wanted:
            break
    return tuple(entries)


def _turn_word() -> str:
    return format_action(Turn())


def move_text(action: Action, before: Position, after: Position) -> Text:
    """A table action with its card, in notation."""
    text = format_action(action)
    face = -1
    if isinstance(action, Move):
        face = before.top(action.source)
    elif isinstance(action, Discard):
        face = before.top(DRAWN + before.active)
    elif isinstance(action, Turn):
        face = after.top(DRAWN + before.active)
    if face < 0 or face == UNKNOWN:
        return (text,)
    return (text, " ", face)


def undone_text(undone: Sequence[Undone], words: Words) -> Text:
    """The actions that were taken back, the first of them by name."""
    if not undone:
        return ()
    text: Text = (words("Taken back: "),)
    for number, step in enumerate(undone[:NAMED]):
        between = (" · ",) if number else ()
        text = (*text, *between, *move_text(step.action, step.before, step.after))
    more = len(undone) - NAMED
    if more > 0:
        text = (*text, words.count(" and {n} more", " and {n} more", more))
    return text


def end_text(position: Position, names: tuple[str, str], words: Words) -> str:
    """How the deal ended, in a sentence."""
    end = position.end
    if end is None:
        return ""
    if end.reason == EndReason.AGREED:
        return words("A draw is agreed")
    if end.winner is None:
        return words("No progress: the deal is blocked, a draw")
    winner, loser = names[end.winner], names[other(end.winner)]
    sentence = {
        EndReason.EMPTY: "{winner} has played the last card",
        EndReason.BLOCKED: "No progress: the deal is blocked, {winner} holds less",
        EndReason.RESIGNED: "{loser} resigns",
    }[end.reason]
    return words(sentence, winner=winner, loser=loser)
