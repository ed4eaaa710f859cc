"""The end of a deal: how it went, and what can be done now."""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine import End
from crapette_p2p.gamelog.times import clock_text
from crapette_p2p.ui.input.keymap import (
    AWAY,
    NEXT_DEAL,
    NEXT_GUEST,
    REMATCH,
    TO_MENU,
    WATCH,
    Binding,
)
from crapette_p2p.ui.play.questions import Answer, Question
from crapette_p2p.ui.play.seat_screen import SeatScreen
from crapette_p2p.ui.view import Choice, Text

MENU: Final = "menu"
"""``done`` when the deal is over and he goes back to the menu, or leaves."""
NEXT: Final = "next"
"""``done`` when the deal is over and the next one is wanted."""
REPLAY: Final = "replay"
"""``done`` when the deal is over and it is to be replayed."""


class AfterDeal(SeatScreen):
    """The box of the finished deal; its keys count on the bare table too."""

    _chat_line = ""
    """What the other has said since the end, as the box shows it."""
    _proposal = ""
    may_wish = False
    """Whether the other has not asked yet for what comes next."""
    _result: tuple[Text, ...] = ()
    """How the deal went, as the box shows it."""

    def _is_over(self) -> bool:
        end = self.board.end
        return end is not None and end.provisional_by is None

    def deal_over(
        self,
        end: End,
        score: tuple[int, int],
        now: float,
        *,
        match: str = "",
        match_over: bool = False,
    ) -> None:
        """The deal is closed and proven: what now? ``match`` says how one stands."""
        words, boxes = self.desk.words, self.boxes
        self.match_over = match_over
        lines = boxes.result_lines(self.board, score, self.scribe.calls)
        turns, moves = self.scribe.turn, self.scribe.played.moves
        setup = self.setup
        took = now - setup.since if setup.whole else setup.took()
        played = ", ".join(
            (
                *((clock_text(int(took)),) if took is not None else ()),
                words.count("{n} turn", "{n} turns", turns),
                words.count("{n} move", "{n} moves", moves),
            )
        )
        proven = words("All shuffles and reveals verified ✓")
        if saved := self.setup.log_name():
            proven = f"{proven}   {words('saved: {name}', name=saved)}"
        lines += [*([(match,)] if match else []), (played,), (proven,)]
        self.said = ()
        self.hands.quiet()
        self._proposal = self._chat_line = ""
        self.may_wish = True
        self._result = tuple(lines)
        self._over = boxes.over(
            now,
            title=boxes.result_title(end),
            lines=self._result,
            choices=(),
            answers={},
        )
        self._offer(REMATCH if match_over else NEXT_DEAL)
        self.what_next()

    def _offer(self, following: Binding | None) -> None:
        """What the keys of the box do, and whether another deal can follow."""
        words, over = self.desk.words, self._over
        if over is None:
            return
        # Where no menu began this game, leaving the table leaves the program.
        away = TO_MENU if self.desk.has_menu else AWAY
        next_one = (following,) if following is not None else ()
        self.after_keys = (*next_one, WATCH, away)
        over.choices = (
            *(Choice(row.key, words(row.label)) for row in self.after_keys),
            Choice("escape", words("look at the table"), "Esc"),
        )
        does = {"r": REPLAY, "m": MENU, "q": MENU}
        if next_one:
            does["n"] = NEXT
        answers = {key: self._after_deal(done) for key, done in does.items()}
        over.answers = answers | {"escape": _stay}

    def proposed(self, text: str, now: float) -> None:
        """The other proposes what ``n`` begins: the box of the end says so."""
        over = self._over
        if over is not None:
            self.proposal = text
            if self.question is not over:
                over.opened, over.by_itself = now, True
                self.what_next()

    def said_after(self, text: str) -> None:
        """What the other says now is about what comes next: it stays in sight."""
        if self._over is not None:
            self._chat_line = text
            self._tell()
            self.desk.ring()

    @property
    def proposal(self) -> str:
        """What the box says of the deal that the other proposes; empty if none."""
        return self._proposal

    @proposal.setter
    def proposal(self, text: str) -> None:
        self._proposal = text
        self._tell()

    def _tell(self) -> None:
        if self._over is not None:
            told = (self._proposal, self._chat_line)
            self._over.lines = (*self._result, *((text,) for text in told if text))

    def nobody_there(self, *, stays_open: bool) -> None:
        """The other has left: who plays next is somebody else, or nobody."""
        self.link.left = True
        self._offer(NEXT_GUEST if stays_open else None)

    def what_next(self) -> None:
        """The box of the finished deal, once more."""
        self.ask(self._over)

    def _after_deal(self, done: str) -> Answer:
        def answer(_now: float) -> None:
            self.done = done

        return answer

    def offers_next(self, now: float) -> bool:
        """Do what ``n`` does in the box; False where it offers no such thing."""
        answer = self._over.answers.get("n") if self._over is not None else None
        if answer is not None:
            answer(now)
        return answer is not None

    def _over_key(self, key: str, now: float) -> bool:
        """A key of the box while it is put away; whether it was one."""
        over: Question | None = self._over
        answer = over.answers.get(key) if over is not None else None
        if answer is None or key in {"q", "escape"} or self.hands.state.typed:
            return False
        answer(now)
        return True


def _stay(_now: float) -> None:
    return None
