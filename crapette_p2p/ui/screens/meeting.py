"""Screens between two people and their first card: waiting, cards, terms, deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.session.notices import CardsToCompare, DealProgress
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import at_table, meant
from crapette_p2p.ui.play.questions import DEAF, no_cap, yes_cap, yes_no_keys
from crapette_p2p.ui.render.cells import fill, text_width
from crapette_p2p.ui.render.pages import body_rows, page_lines
from crapette_p2p.ui.rulebook import heading_of
from crapette_p2p.ui.screens.rules_page import rules_page
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.waiting import LEAVE
from crapette_p2p.ui.switches import difference_lines, nearest_preset
from crapette_p2p.ui.view import Choice, PageView, Row, Text

PLAY: Final = "play"
"""``done`` when he agrees: play, and remember the other."""
ONCE: Final = "once"
"""``done`` when he agrees to play, without remembering."""
DIFFERENT: Final = "different"
"""``done`` when the cards differ, or the terms do not please."""
_BAR: Final = 20
"""Cells of a progress bar."""
_NOTICEABLE: Final = 0.1
"""Seconds that a step has to take before it is told how many."""


class Cards(Screen):
    """The four cards that both screens show; three answers."""

    def __init__(
        self, desk: Desk, question: CardsToCompare, address: str, opened: float
    ) -> None:
        super().__init__(desk)
        self.question = question
        self.address = address
        self.others: Callable[[], int] = int
        """How many more wait for the same question."""
        self._opened = opened

    def view(self, now: float) -> PageView:
        """The cards, large enough to read aloud."""
        del now
        words, peer = self.desk.words, self.question.peer
        where = words(
            "A new player: {name} at {address}",
            name=peer.nick,
            address=self.address or "?",
        )
        rows = [Row(()), Row((words("Do both screens show the same four cards?"),))]
        rows += [Row(()), *(Row(t, indent=20) for t in card_boxes(self.question.cards))]
        rows += [
            Row(()),
            Row(
                (
                    words(
                        "Read them aloud. If they differ, someone is between you – "
                        "do not play."
                    ),
                )
            ),
        ]
        if self.question.namesake:
            text = words(
                "Careful: you know another {name}, with another key.", name=peer.nick
            )
            rows.append(Row((text,), "error"))
        rows.append(Row(()))
        rows += [
            Row((f"[ {cap} ] {text}",), key=key) for key, cap, text in self._answers()
        ]
        key_text = words(
            "key {key} · encrypted · nothing has been dealt yet", key=peer.fingerprint
        )
        return PageView(
            title=where,
            status=self._status(),
            rows=(*rows, Row(()), Row((key_text,), indent=1)),
        )

    def _status(self) -> str:
        count, words = max(self.others(), 0), self.desk.words
        if not count:
            return words("first time you meet")
        return words.count("{n} more is waiting", "{n} more are waiting", count)

    def _answers(self) -> tuple[tuple[str, str, str], ...]:
        words, name = self.desk.words, self.question.peer.nick
        return (
            (
                "y",
                yes_cap(words),
                words("the same – play, and remember {name}", name=name),
            ),
            ("1", "1", words("the same – play once without remembering")),
            ("n", no_cap(words), words("different – disconnect")),
        )

    def key(self, key: str, now: float) -> None:
        """Answer; nothing is answered in the first second."""
        if now - self._opened < DEAF:
            return
        yes, no = yes_no_keys(self.desk.words)
        key = meant(key, yes | no)
        if key in yes:
            self.done = PLAY
        elif key == "1":
            self.done = ONCE
        elif key in no or key == "c-c":
            self.done = DIFFERENT


def card_boxes(faces: Sequence[int]) -> tuple[Text, ...]:
    """Cards side by side in boxes, three rows."""
    middle: list[str | int] = []
    for face in faces:
        # A ten takes three cells, all others two; the renderer knows the suit.
        middle += ["│ " if face % 13 == 9 else "│  ", face, " │  "]
    count = len(faces)
    return (("╭─────╮  " * count,), tuple(middle), ("╰─────╯  " * count,))


class Terms(Screen):
    """What the other proposes to play; the rules are a key away."""

    def __init__(
        self, desk: Desk, genesis: Genesis, opened: float, *, again: bool = False
    ) -> None:
        super().__init__(desk)
        self.genesis = genesis
        self.again = again
        """Whether a deal was played before it."""
        self.over: Screen | None = None
        self._opened = opened

    def view(self, now: float) -> PageView:
        """Rule set, length, assistance; what is unusual first."""
        if isinstance(self.over, Screen):
            self.over.size = self.size
            page = self.over.view(now)
            if isinstance(page, PageView):
                return page
        words, genesis = self.desk.words, self.genesis
        name = genesis.nicks[0]
        match = genesis.match
        length = words("one deal")
        if match.target > 1:
            length = words(
                "match to {n}, now {a}:{b}",
                n=match.target,
                a=match.scores[0],
                b=match.scores[1],
            )
        assist = words("on") if genesis.assist else words("off")
        facts = (
            (words("rules"), f"{genesis.label} – {heading_of(genesis.rules, words)}"),
            (words("length"), length),
            (words("hints and assistance"), assist),
        )
        rows = [Row(()), Row((self._proposal(name),)), Row(())]
        for label, value in facts:
            head = f"  {fill(label, 22)} "
            rows.append(Row((head + value,), hang=text_width(head)))
        refusing = ("n", no_cap(words), words("not today – disconnect"))
        if self.again:
            refusing = ("q", "q", words("no – leave the table"))
        answers = [
            Row((f"[ {cap} ] {text}",), key=key)
            for key, cap, text in (
                ("y", yes_cap(words), words("play by these rules")),
                ("r", "r", words("read the rules first")),
                refusing,
            )
        ]
        rows += [*self._difference_rows([*rows, Row(()), *answers]), Row(()), *answers]
        return PageView(title=words("What will be played"), rows=tuple(rows))

    def _proposal(self, name: str) -> str:
        words, match = self.desk.words, self.genesis.match
        if match.previous is not None:
            return words("{name} proposes the next deal:", name=name)
        if self.again:
            return words("{name} proposes a rematch:", name=name)
        return words("{name} proposes:", name=name)

    def _difference_rows(self, others: list[Row]) -> list[Row]:
        """How house rules differ from a preset: as many as fit beside the others."""
        words, rules = self.desk.words, self.genesis.rules
        lines = difference_lines(rules, words)
        if not lines:
            return []
        preset = nearest_preset(rules)
        heading = words("These are house rules. Unlike {preset}:", preset=preset)
        rows: list[Row] = []
        for count in range(len(lines), -1, -1):
            rows = [Row(()), Row((heading,))]
            rows += [Row((f"  {text}",), hang=4) for text in lines[:count]]
            more = len(lines) - count
            if more:
                text = words.count("and {n} more (r)", "and {n} more (r)", more)
                rows.append(Row((f"  {text}",)))
            page = PageView(title="", rows=(*others, *rows))
            drawn = page_lines(page, self.size[0], self.desk.theme)
            if len(drawn) <= body_rows(self.size[1]):
                break
        return rows

    def key(self, key: str, now: float) -> None:
        """Answer, or read."""
        if self.over is not None:
            self.over.size = self.size
            self.over.key(key, now)
            if self.over.done is not None:
                self.over = None
            return
        if now - self._opened < DEAF:
            return
        yes, no = yes_no_keys(self.desk.words)
        key = meant(key, yes | no)
        # After a deal "n" was the next one a moment ago: it must not leave here.
        refusing = {"q", "c-c"} if self.again else no | {"c-c"}
        if key in yes:
            self.done = PLAY
        elif key == "r":
            self.over = rules_page(self.desk, self.genesis.rules)
        elif key in refusing:
            self.done = DIFFERENT

    def wheel(self, step: int, now: float) -> None:
        """Scroll the rules."""
        if self.over is not None:
            self.over.wheel(step, now)


_STEPS: Final = (
    ("commit", 0),
    ("commit", 1),
    ("challenge", 0),
    ("challenge", 1),
    ("reveal", 0),
    ("reveal", 1),
    ("deal", 0),
    ("deal", 1),
    ("deal", 0),
    ("deal", 1),
)
"""The ten events of the fair deal: what, and whose."""


class Dealing(Screen):
    """The fair deal, step by step; only shown where it takes its time."""

    def __init__(
        self, desk: Desk, names: tuple[str, str], seat: int, now: float
    ) -> None:
        super().__init__(desk)
        self.names = names
        self.seat = seat
        self._ends = [now]
        """When the deal began, and when each event of it was there."""

    @property
    def finished(self) -> int:
        """Events that are there."""
        return len(self._ends) - 1

    def progress(self, notice: DealProgress, now: float) -> None:
        """Some events more are there."""
        self._ends += [now] * (notice.done - self.finished)

    def wakes_at(self, now: float) -> float:
        """What is awaited grows older every second."""
        return now + 1.0 - (now - self._ends[-1]) % 1.0

    def view(self, now: float) -> PageView:
        """Which step runs, whose work is awaited, and for how long by now."""
        words = self.desk.words
        other = self.names[1 - self.seat]
        done = words("done")
        leave = Choice("escape", words("save and leave – resume later"), "Esc")
        rows = [Row(()), Row((_step_line(1, words("agree on rules"), done),))]
        for number, (step, whose) in enumerate(
            (
                ("commit", self.seat),
                ("commit", 1 - self.seat),
                ("reveal", self.seat),
                ("reveal", 1 - self.seat),
                ("deal", None),
            ),
            2,
        ):
            text, places = self._step(step, whose)
            rows.append(Row((_step_line(number, text, self._state(places, now)),)))
        return PageView(
            title=words("Shuffling together with {name}", name=other),
            status=words("nobody can see the order"),
            rows=tuple(rows),
            key_lines=((leave,),),
        )

    def _step(self, step: str, whose: int | None) -> tuple[str, list[int]]:
        """What a step is called, and which events it consists of.

        Proofs are opened once the other player has said which.
        """
        words = self.desk.words
        name = words("you") if whose == self.seat else self.names[1 - self.seat]
        text = {
            "commit": words("shuffle and lock: {name}", name=name),
            "reveal": words("checking proofs: {name}", name=name),
            "deal": words("dealing 13 + 4 + 4 + 13"),
        }[step]
        wanted = {(step, whose)} if whose is not None else {(step, 0), (step, 1)}
        if step == "reveal" and whose is not None:
            wanted.add(("challenge", 1 - whose))
        return text, [place for place, what in enumerate(_STEPS) if what in wanted]

    def _state(self, places: list[int], now: float) -> str:
        """How far a step is: done in so long, awaited for so long, or to come."""
        done = sum(place < self.finished for place in places)
        if done == len(places):
            seconds = sum(self._ends[n + 1] - self._ends[n] for n in places)
            took = f"   {seconds:.1f} s" if seconds >= _NOTICEABLE else ""
            return self.desk.words("done") + took
        if self.finished not in places:
            return ""
        waited = f"{int(now - self._ends[-1])} s"
        filled = _BAR * done // len(places)
        bar = "█" * filled + "░" * (_BAR - filled) if len(places) > 1 else "…"
        return f"{bar}  {waited}"

    def key(self, key: str, now: float) -> None:
        """Only leaving."""
        del now
        if key in {"escape", "c-c"}:
            self.done = LEAVE


def _step_line(number: int, text: str, state: str) -> str:
    return f"{number}  {fill(text, 34)} {state}".rstrip()


class Notice(Screen):
    """A sentence and what helps; any key goes on."""

    def __init__(self, desk: Desk, title: str, lines: Sequence[str]) -> None:
        super().__init__(desk)
        self.title = title
        self.lines = tuple(lines)

    def view(self, now: float) -> PageView:
        """The sentences."""
        del now
        rows = [Row(())]
        for line in self.lines:
            rows += [Row((line,)), Row(())]
        key = Choice("enter", self.desk.words("go on"), "Enter")
        return PageView(title=self.title, rows=tuple(rows), key_lines=((key,),))

    def key(self, key: str, now: float) -> None:
        """Read."""
        del now
        if at_table(key) in {"enter", "escape", "q", "c-c", " "}:
            self.done = LEAVE
