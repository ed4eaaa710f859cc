"""The boxes of the table in play: their sentences and what the keys do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from crapette_p2p.engine import End, Position
from crapette_p2p.engine.layout import RESERVE, other
from crapette_p2p.ui.language import Words, as_started
from crapette_p2p.ui.play.bar import Calls
from crapette_p2p.ui.play.questions import (
    Answer,
    Question,
    no_cap,
    yes_cap,
    yes_no,
)
from crapette_p2p.ui.play.scribe import end_text
from crapette_p2p.ui.view import Choice, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Makes the boxes of one game."""

    words: Words
    """Language."""
    names: tuple[str, str]
    """Nicks by seat."""
    seat: int
    """Ours."""

    @property
    def other_name(self) -> str:
        """The opponent's nick."""
        return self.names[other(self.seat)]

    def leave(self, now: float, *, suspend: Answer, resign: Answer | None) -> Question:
        """Stay, save and leave, or resign."""
        words = self.words
        choices = [
            Choice("escape", words("stay at the table"), "Esc"),
            Choice("s", words("save and leave – the game can be resumed")),
        ]
        answers: dict[str, Answer] = {"s": suspend, "escape": _stay, "enter": _stay}
        if resign is not None:
            choices.append(Choice("r", words("resign this deal and stay")))
            answers["r"] = resign
        return Question(
            name="leave",
            title=words("Leave the table?"),
            lines=(),
            choices=tuple(choices),
            answers=answers | {"q": _stay},
            opened=now,
        )

    def resign(self, now: float, *, yes: Answer) -> Question:
        """Really?"""
        words = self.words
        return Question(
            name="resign",
            title=words("Resign?"),
            lines=((words("You lose this deal at once."),),),
            choices=self._yes_no(words("resign"), words("play on")),
            answers=yes_no(words, yes, _stay),
            opened=now,
        )

    def draw_offer(
        self, now: float, *, answer: Callable[[bool, float], None]
    ) -> Question:
        """The opponent offers a draw; the offer also stands unanswered."""
        words = self.words
        later = Choice("escape", words("later (your next move declines)"), "Esc")
        answers = yes_no(
            words, lambda at: answer(True, at), lambda at: answer(False, at)
        )
        return Question(
            name="draw",
            title=words("{name} offers a draw", name=self.other_name),
            lines=(),
            choices=(*self._yes_no(words("agree"), words("decline")), later),
            answers=answers | {"escape": _stay, "enter": _stay},
            opened=now,
            by_itself=True,
        )

    def grant(
        self, position: Position, now: float, *, grant: Answer, stop: Answer
    ) -> Question:
        """An action has ended the deal: grant that, or call Stop!"""
        words = self.words
        return Question(
            name="grant",
            title=words("The deal ends here?"),
            lines=(
                (end_text(position, self.names, words) + ".",),
                (words("Grant it, or call Stop! if a play was missed before."),),
            ),
            choices=(
                Choice("g", words("grant the end")),
                Choice("!", words("call Stop! and name the missed play")),
                Choice("escape", words("look at the table first"), "Esc"),
            ),
            answers={"g": grant, "!": stop, "escape": _stay},
            opened=now,
            by_itself=True,
        )

    def called(self, verdict: Text, taken_back: Text, now: float) -> Question:
        """Somebody has called Stop!, and this came of it."""
        words = self.words
        undone = ((), taken_back) if taken_back else ()
        return Question(
            name="called",
            title=words("STOP!"),
            lines=(verdict, *undone),
            choices=(Choice("enter", words("go on"), "Enter"),),
            answers=dict.fromkeys(("enter", "escape", " "), _stay),
            opened=now,
            by_itself=True,
        )

    def lost(
        self,
        now: float,
        *,
        lines: Callable[[float], tuple[Text, ...]],
        suspend: Answer,
        abandon: Answer,
        info: Answer,
        other_way: Answer | None = None,
        left: bool = False,
    ) -> Question:
        """The connection is gone; it comes back by itself, or when he does."""
        words, name = self.words, self.other_name
        way: tuple[Choice, ...] = ()
        answers: dict[str, Answer] = {}
        if other_way is not None:
            way, answers = (
                (Choice("c", words("another way to meet")),),
                {"c": other_way},
            )
        return Question(
            name="lost",
            title=words("{name} has left", name=name)
            if left
            else words("Connection to {name} lost", name=name),
            lines=lines,
            choices=(
                Choice("enter", words("keep waiting"), "Enter"),
                Choice("s", words("save and leave – resume later")),
                Choice("i", words("what address?")),
                *way,
                Choice("a", words("record as abandoned (from 02:00)")),
            ),
            answers={
                "enter": _stay,
                "escape": _stay,
                "s": suspend,
                "a": abandon,
                "i": info,
                **answers,
            },
            opened=now,
            by_itself=True,
        )

    def abandon(self, now: float, *, yes: Answer) -> Question:
        """Asked a second time before anything is noted."""
        words = self.words
        return Question(
            name="abandon",
            title=words("Record as abandoned by {name}?", name=self.other_name),
            lines=(
                (words("A note in your own log; it is undone when the peer returns."),),
            ),
            choices=self._yes_no(words("record it"), words("keep waiting")),
            answers=yes_no(words, yes, _stay),
            opened=now,
        )

    def abandoned(self, now: float, *, leave: Answer, wait: Answer) -> Question:
        """The note is made: what it means, and how the game can go on."""
        words, name = self.words, self.other_name
        return Question(
            name="abandoned",
            title=words("Recorded as abandoned by {name}", name=name),
            lines=(
                (words("The note stands in your own log; nobody has lost the deal."),),
                (words("It is taken back by itself when {name} returns.", name=name),),
                (words("The game is saved. To go on: Resume in the menu, or"),),
                (as_started("crapette resume"),),
            ),
            choices=(
                Choice("enter", words("leave the table"), "Enter"),
                Choice("escape", words("keep waiting"), "Esc"),
            ),
            answers={"enter": leave, "escape": wait},
            opened=now,
        )

    def over(
        self,
        now: float,
        *,
        title: str,
        lines: tuple[Text, ...],
        choices: tuple[Choice, ...],
        answers: dict[str, Answer],
    ) -> Question:
        """The deal is over."""
        return Question(
            name="over",
            title=title,
            lines=lines,
            choices=choices,
            answers=answers,
            opened=now,
            by_itself=True,
        )

    def _yes_no(self, yes: str, no: str) -> tuple[Choice, ...]:
        words = self.words
        return (
            Choice("y", yes, yes_cap(words)),
            Choice("n", no, no_cap(words)),
        )

    def result_title(self, end: End) -> str:
        """You won, you lost, a draw."""
        words = self.words
        if end.winner is None:
            return words("A draw")
        if end.winner == self.seat:
            return words("You won")
        return words("{name} won", name=self.other_name)

    def result_lines(
        self, position: Position, score: tuple[int, int], calls: Calls
    ) -> list[Text]:
        """How it ended, what it scores, what was left, the calls."""
        words = self.words
        lines: list[Text] = [(end_text(position, self.names, words) + ".",)]
        scores = "        ".join(
            words.count("{name} {n} point", "{name} {n} points", points, name=name)
            for name, points in zip(self.names, score, strict=True)
        )
        lines.append((scores,))
        for seat, name in enumerate(self.names):
            held = len(position.piles[RESERVE + seat])
            rest = position.personal(seat) - held
            if held or rest:
                text = words(
                    "cards left: {name} {a} in reserve, {b} in stock and waste",
                    name=name,
                    a=held,
                    b=rest,
                )
                lines.append((text,))
        if any(map(any, calls)):
            said = [
                words("{name} {right} right, {wrong} wrong", name=n, right=r, wrong=w)
                for n, (r, w) in zip(self.names, calls, strict=True)
            ]
            lines.append((words("Stop! calls: {calls}", calls=" · ".join(said)),))
        return lines


def _stay(_now: float) -> None:
    return None
