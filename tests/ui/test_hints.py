"""Advice at the table: where it may be asked, what it says, and that nothing waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from crapette_p2p.bot import Hint, TurnMemory, hint
from crapette_p2p.bot.hints import reason_for
from crapette_p2p.engine import (
    DISCARD,
    GRANT,
    PASS,
    TURN,
    Action,
    PileId,
    Position,
    Seat,
    Stop,
)
from crapette_p2p.engine.actions import AnswerDraw
from crapette_p2p.ui import advice
from crapette_p2p.ui.advice import Adviser
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.hinting import REASONS, hint_line, hint_text
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.lines import Speech
from crapette_p2p.ui.screens.screen import Screen
from tests.ui.boards import Side, board
from tests.ui.harness import PATIENCE
from tests.ui.seated import START, Table, mine, move


class Oracle:
    """An adviser who answers when the test says so."""

    def __init__(self) -> None:
        self.asked: list[Position] = []
        self.told: Callable[[Hint | None], None] = lambda _hint: None
        self.called_off = 0

    def ask(self, position: Position, told: Callable[[Hint | None], None]) -> None:
        """Remember who wants to know."""
        self.asked.append(position)
        self.told = told

    def call_off(self) -> None:
        """Nobody wants to know any more."""
        self.called_off += 1


def advised(table: Table) -> Oracle:
    """The table with an adviser at it."""
    oracle = Oracle()
    table.screen.setup = replace(table.screen.setup, adviser=oracle)
    return oracle


def test_a_hint_names_the_card_the_pile_and_the_reason() -> None:
    """It comes later, lights up both piles, and goes with the next key."""
    table = mine()
    oracle = advised(table)
    table.keys("h")
    assert "Thinking" in table.text
    oracle.told(Hint(move(3, 8), "duty-foundation"))
    assert "Perhaps 3♣ → a foundation: it has to go" in table.text
    assert table.screen.hinted == {3, 8}
    table.keys("escape")
    assert "Perhaps" not in table.text


def test_a_hint_can_be_read_out() -> None:
    """The line mode names both piles and the reason, and draws no arrow."""
    heard = Speech(seat=Seat(0), names=("Ala", "Olek"))
    line = hint_line(Hint(move(3, 8), "duty-foundation"), START, heard)
    assert line == (
        "Perhaps fan 4 to foundation, 3C: it has to go to its foundation first."
    )
    aloud = replace(heard, spoken=True)
    assert "three of clubs" in hint_line(Hint(move(3, 8), ""), START, aloud)


def test_a_hint_for_a_table_that_has_changed_is_not_shown() -> None:
    """The answer is about a position that is no more."""
    table = mine()
    oracle = advised(table)
    table.keys("h", " ")
    table.happen(0, TURN)
    oracle.told(Hint(move(3, 8), "foundation"))
    assert "Perhaps" not in table.text
    assert oracle.called_off


def test_no_hint_is_sought_while_moves_are_still_shown() -> None:
    """What the player sees is not what there is."""
    table = Table()
    oracle = advised(table)
    for action in (move(3, 8), move(1, 0), move(0, 1)):
        table.happen(1, action)
    table.keys("h", after=0.0)
    assert not oracle.asked
    assert "nothing to advise" in table.text


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (TURN, "turn up a card"),
        (DISCARD, "discard"),
        (PASS, "pass"),
        (GRANT, "grant the end"),
        (AnswerDraw(accept=True), "agree"),
        (AnswerDraw(accept=False), "decline"),
        (Stop(PileId(4), PileId(8)), "call Stop!: 5-F was missed"),
        (None, "nothing to advise"),
    ],
)
def test_every_kind_of_advice_is_said(action: Action | None, said: str) -> None:
    """One sentence each, in five languages."""
    what = None if action is None else Hint(action, "")
    assert said in "".join(map(str, hint_text(what, START, 0, ENGLISH)))
    for lang in ("de", "fr", "pl", "ru"):
        assert hint_text(what, START, 0, words_of(lang)) != hint_text(
            what, START, 0, ENGLISH
        )


def test_every_reason_of_the_bot_has_words() -> None:
    """A play without a reason would be an order."""
    crowded = board(
        columns=("9H", "8S", "", "3C", "QD", "KS", "5H", "2D"),
        foundations={"C": (2, 0)},
        a=Side(reserve=(5, "7H"), stock=20),
        b=Side(reserve=(5, "8C"), stock=20),
    )
    for source, target in ((3, 8), (16, 0), (16, 2), (16, 17), (0, 2), (22, 0)):
        reason = reason_for(crowded, move(source, target))
        assert reason in REASONS, (source, target)


def test_the_strongest_bot_is_asked() -> None:
    """What it says of a position with a due play is that play."""
    position = replace(START, active=Seat(0))
    found = hint(position, 0)
    assert found is not None
    assert found.reason in REASONS


class Place:
    """As much of a surface as an adviser needs."""

    def __init__(self) -> None:
        self.happened = asyncio.Event()
        self.screen = Screen

    def changed(self) -> None:
        """The screen has changed."""
        self.happened.set()


async def test_the_screen_goes_on_while_a_hint_is_sought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search runs beside the loop, and no longer than its time."""
    begun, threads, answers = threading.Event(), list[object](), list[object]()

    def slow(
        _position: Position,
        _seat: int,
        *,
        nodes: int,
        cancelled: Callable[[], bool],
        memory: TurnMemory,
    ) -> Hint:
        assert nodes > 0
        assert memory == TurnMemory()
        threads.append(threading.current_thread())
        begun.set()
        while not cancelled():
            pass
        return Hint(TURN, "turn")

    monkeypatch.setattr(advice, "hint", slow)
    monkeypatch.setattr(advice, "SECONDS", 0.05)
    place = Place()
    adviser = Adviser(place, Seat(0))  # type: ignore[arg-type] # all it uses
    adviser.ask(START, answers.append)
    assert not answers
    async with asyncio.timeout(PATIENCE):
        await place.happened.wait()
    assert answers == [Hint(TURN, "turn")]
    assert threads != [threading.main_thread()]


async def test_the_answer_to_an_older_question_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Asked anew, only the newest question is answered."""
    monkeypatch.setattr(advice, "hint", lambda *_a, **_k: Hint(TURN, "turn"))
    place, first, second = Place(), list[object](), list[object]()
    adviser = Adviser(place, Seat(0))  # type: ignore[arg-type] # all it uses
    adviser.ask(START, first.append)
    adviser.ask(START, second.append)
    async with asyncio.timeout(PATIENCE):
        await place.happened.wait()
    assert not first
    assert second


async def test_advice_goes_on_where_the_last_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was thought at one question is known at the next, another plan or not."""
    known: list[int] = []

    def counting(*_a: object, memory: TurnMemory, **_k: object) -> Hint:
        known.append(memory.acts)
        memory.acts += 1
        return Hint(TURN, "turn")

    monkeypatch.setattr(advice, "hint", counting)
    place = Place()
    adviser = Adviser(place, Seat(0))  # type: ignore[arg-type] # all it uses
    for _ in range(2):
        place.happened.clear()
        adviser.ask(START, lambda _: None)
        async with asyncio.timeout(PATIENCE):
            await place.happened.wait()
    assert known == [-1, 0]
