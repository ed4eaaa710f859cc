"""Whole games in line mode, and what it says when things go otherwise."""

from __future__ import annotations

import asyncio
import io
import os
import re
from dataclasses import replace

import pytest

from crapette_p2p.bot import Hint
from crapette_p2p.engine import OFFER_DRAW, TURN
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.news import Closed, Connected, GaveUp, Redialling
from crapette_p2p.session.commands import (
    AcceptTerms,
    Act,
    Confirm,
    DeclineTerms,
    Leave,
    MarkAbandoned,
    RefusePlayer,
    SayChat,
)
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.plain_app import PlainApp
from crapette_p2p.ui.plain_commands import PlainOptions
from tests.helpers.keys import verify
from tests.ui.harness import PATIENCE
from tests.ui.plain_table import (
    PairTable,
    ScriptedConsole,
    Typist,
    plain_pair,
)
from tests.ui.seated import START

AGREE = PlainOptions(accept_unverified=True, accept_terms=True)
"""Options of a script that asks nobody."""
OWN_TURN = 1
"""A seed whose deal gives the first move to the typing side."""


def scripted(*lines: str) -> ScriptedConsole:
    """A console that types these lines and then has no more."""
    waiting = list(lines)
    return ScriptedConsole(lambda: waiting.pop(0) if waiting else None)


async def play(
    table: PairTable, console: Console, options: PlainOptions | None = None
) -> Narrator:
    """Run the line mode until its table is closed."""
    narrator = Narrator()
    async with asyncio.timeout(PATIENCE):
        closed = await PlainApp(table, console, narrator, options).run()
    assert isinstance(closed, Closed)
    return narrator


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "side"), [(preset, at % 2) for at, preset in enumerate(PRESETS)]
)
async def test_a_whole_game_by_typed_commands(preset: str, side: int) -> None:
    """Every rule set can be played from the cards to the result by typing."""
    table = plain_pair(preset, seed=side, side=side)
    narrator = Narrator()
    typist = Typist(table, narrator, seed=side)
    console = ScriptedConsole(typist)
    options = PlainOptions(once=True)
    async with asyncio.timeout(120):
        await PlainApp(table, console, narrator, options).run()
    game = table.game
    assert game is not None
    assert game.done
    log = table.pair.players[side].disk.logs[game.game_id]
    assert verify_log(log, verify).level == 5
    text = console.output.getvalue()
    assert text.replace("\n", "").isprintable()
    assert "saved: /games/one.crlog" in console.lines
    assert any(line.startswith("all shuffles checked.") for line in console.lines)


async def test_first_contact_asks_for_the_cards_and_the_terms() -> None:
    """A new player is asked about, then the terms; declining ends it."""
    table = plain_pair()
    console = scripted("maybe", "y", "n")
    await asyncio.wait_for(play(table, console), PATIENCE)
    assert Confirm(same=True, remember=True) in table.commands
    assert DeclineTerms() in table.commands
    text = console.output.getvalue()
    assert "a new player: Ala. cards: " in text
    assert "same on the other side? [y/n, 1: do not remember] maybe\ny or n?\n" in text
    assert (
        "Ala proposes: crapette, one deal, assist off. "
        "play by these? [y/n, rules: hear them] n"
    ) in text.replace("\n", " ")


async def test_input_that_ends_before_a_game_saves_none() -> None:
    """Nothing was dealt when the terms were to be read."""
    console = scripted("y")
    await asyncio.wait_for(play(plain_pair(), console), PATIENCE)
    assert "no more input: leaving." in console.lines


@pytest.mark.parametrize(
    ("answer", "command"),
    [
        ("n", Confirm(same=False, remember=False)),
        ("1", Confirm(same=True, remember=False)),
        ("leave", Leave()),
    ],
)
async def test_answers_to_the_four_cards(answer: str, command: object) -> None:
    """Cards that differ end the link; once means not remembered."""
    table = plain_pair()
    await play(table, scripted(answer))
    assert table.commands[0] == command


def test_who_waits_for_his_turn_hears_what_was_dealt() -> None:
    """The table is told to both as soon as it is there, not with one's first turn."""
    for side in (0, 1):
        table, console = plain_pair(side=side, seed=3), scripted("leave")
        asyncio.run(play(table, console, AGREE))
        dealt = next(n for n, s in enumerate(console.lines) if s.endswith(" first."))
        told = console.lines[dealt + 1 : dealt + 5]
        assert " reserve " in told[0]
        assert [line.split(":")[0] for line in told[1:]] == (
            ["fans", "fans", "foundations"]
        )


def test_looking_for_somebody_is_no_second_attempt() -> None:
    """A program that resumes a game dials for the first time."""
    narrator = Narrator()
    assert narrator.tell(Redialling(1, 1.0, None)) == ["looking for the other player."]
    assert narrator.tell(Redialling(4, 1.0, None)) == ["trying again (attempt 4)."]
    narrator.tell(Connected("127.0.0.1", again=True))
    assert narrator.tell(Redialling(1, 1.0, None)) == ["trying again (attempt 1)."]


async def test_scripts_can_accept_without_a_question() -> None:
    """With the options of scripts nothing is asked before the game."""
    table = plain_pair(side=0, seed=3)
    console = scripted("leave")
    options = AGREE
    await play(table, console, options)
    assert table.commands[0] == Confirm(same=True, remember=False)
    assert len(table.commands) == 2
    assert console.lines[-2].startswith("> leave")
    assert console.lines[-1] == "the game is saved. go on with: crapette resume"
    assert "dealing: done, every opening checked." in console.lines


def typed(
    *lines: str,
    robot: bool = False,
    assist: bool = False,
    once: bool = False,
    desk: Desk | None = None,
    log: str = "",
) -> list[str]:
    """What is written when these lines are typed at one's own turn."""
    console = scripted(*lines, "leave")
    table = plain_pair(seed=OWN_TURN, robot=robot)
    table.log_path = log or table.log_path
    desk = desk or Desk()
    options = replace(AGREE, assist=assist, once=once, desk=desk)
    asyncio.run(play(table, console, options))
    begin = next(n for n, line in enumerate(console.lines) if line.startswith("> "))
    return console.lines[begin:]


def test_questions_are_answered() -> None:
    """Everything that can be asked gets lines."""
    topics = ("table", "fans", "fan 2", "mine", "theirs", "foundations", "who", "help")
    for topic in topics:
        lines = typed(topic)
        assert lines[0] == f"> {topic}"
        assert len(lines) >= 3
    assert typed("legal")[1] == "not in this game: assist is off."
    assert typed("legal", assist=True)[1].startswith("you may play: ")
    assert typed("rules")[1] == "rules: crapette, one deal, assist off."


def test_a_hint_is_a_play_and_a_reason_in_words() -> None:
    """Only where it was agreed, or against a bot; then ``h`` asks as well."""
    assert typed("hint")[1].startswith("No hints in this game")
    for asked in ("hint", "h"):
        lines = typed(asked, assist=True)
        assert lines[0] == f"> {asked}"
        assert re.fullmatch(r"Perhaps .*\.", lines[1]), lines
        assert lines[2] == "> leave", "the next line is read once it is answered"
    assert any("hint:" in line for line in typed("help", assist=True))
    assert not any("hint:" in line for line in typed("help"))


def test_a_hint_is_not_told_of_a_table_that_has_changed() -> None:
    """What was thought of another position would mislead."""
    console, narrator = scripted(), Narrator()
    app = PlainApp(plain_pair(), console, narrator, AGREE)
    narrator.position = START
    app._advised_on = replace(START, acts=7)
    app._advised(Hint(TURN, ""))
    assert console.lines == []
    app._advised_on = START
    app._advised(Hint(TURN, ""))
    assert console.lines == ["Perhaps turn up a card: nothing better is to be played."]


def test_refusals_and_nonsense_cost_nothing() -> None:
    """What cannot be done is said, and the prompt comes back."""
    lines = typed("discard", "xyzzy", "stop 1-F")
    assert lines[1] == "There is no drawn card to discard: turn one with Space."
    assert lines[3] == "xyzzy: no such action. help lists what can be typed."
    assert lines[5].endswith(".")
    assert lines[6] == "> leave"


def test_turning_and_placing_in_one_line() -> None:
    """``space d`` turns a card and discards it once it is open."""
    lines = typed("space d", robot=True)
    assert lines[0] == "> space d"
    assert lines[1].startswith("drew ")
    assert lines[2].startswith("you: discard ")
    assert lines[3] == "turn 2, Ala."


async def test_how_an_offer_is_answered_is_said_with_it() -> None:
    """To whom it is made."""
    table = plain_pair(seed=OWN_TURN, robot=False)

    def offered() -> str | None:
        if "a draw is offered" not in console.output.getvalue():
            table.pair.attempt(0, Act(OFFER_DRAW))
            table.settle()
            return ""
        return "leave"

    console = ScriptedConsole(offered)
    await play(table, console, AGREE)
    lines = [line for line in console.lines if line != "> "]
    at = lines.index("Ala: a draw is offered.")
    assert lines[at + 1] == "accept or decline. your next play declines, too."


def test_how_an_offer_is_answered_is_not_said_to_whoever_makes_it() -> None:
    """It is for the other to answer."""
    mine = typed("draw", "y")
    assert "you: a draw is offered." in mine
    assert not any(line.startswith("accept or") for line in mine)


async def test_the_rules_can_be_heard_before_they_are_agreed() -> None:
    """``rules`` at the question reads the proposed ones, and the question stays."""
    console = scripted("y", "rules", "n")
    await asyncio.wait_for(play(plain_pair(), console), PATIENCE)
    lines = console.lines
    at = lines.index("play by these? [y/n, rules: hear them] rules")
    assert lines[at + 1] == "rules: crapette, one deal, assist off."
    assert any(line.startswith("The aim. ") for line in lines[at:])
    assert "play by these? [y/n, rules: hear them] n" in lines[at:]


def test_offering_a_draw_is_asked_about_in_words() -> None:
    """Not by the name that the action has in a log."""
    assert typed("draw", "n")[0:2] == ["> draw", "offer a draw? [y/n] n"]


def test_resigning_is_asked_about() -> None:
    """Resigning needs a second word."""
    kept = typed("resign", "n")
    assert kept[0:2] == ["> resign", "resign? [y/n] n"]
    lost = typed("resign", "y", once=True)
    assert "Ala wins: you resigned." in lost[3]


@pytest.mark.parametrize(
    ("after", "told"), [("", "is lost."), ("turn 1, ", "is lost. the game is saved.")]
)
async def test_a_lost_link_is_said_and_the_game_is_left(after: str, told: str) -> None:
    """The reader hears it, and that the game is saved if there is one."""
    table = plain_pair(seed=1)
    console = scripted()
    task = asyncio.create_task(play(table, console, AGREE))
    async with asyncio.timeout(PATIENCE):
        await asyncio.sleep(0)
        while after and not any(line.startswith(after) for line in console.lines):  # noqa: ASYNC110 - a list of lines has no event
            await asyncio.sleep(0)
        table.pair.cut()
        table.close()
        await task
    lost = [line for line in console.lines if "is lost." in line]
    assert [line[-len(told) :] for line in lost] == [told]


def test_what_cannot_be_sent_without_a_link_is_refused_for_that() -> None:
    """Not because of an answer that nobody could have sent."""
    table, console = plain_pair(), scripted()
    app = PlainApp(table, console, Narrator(), AGREE)
    table.close()
    app._linked = False
    app._not_now()
    assert console.lines == ["not now: the other player is not connected."]


async def test_a_person_is_read_at_any_time() -> None:
    """A terminal's lines are taken in the other's turn too."""
    table = plain_pair(seed=2, robot=False)
    sink = io.StringIO()
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as source:
        os.write(writing, b"who\nchat hello\nleave\n")
        os.close(writing)
        console = Console(source, sink, interactive=True)
        await play(table, console, AGREE)
    assert "Ala, key " in sink.getvalue()
    assert table.commands[-2:] == [SayChat("hello"), Leave()]


async def test_console_echoes_what_a_pipe_says() -> None:
    """A pipe's lines stand in the output; controls become blanks."""
    sink = io.StringIO()
    console = Console(io.StringIO("a\x1bb\n"), sink, interactive=False)
    console.ask()
    assert await console.next_line() == "a\x1bb"
    assert await console.next_line() is None
    assert console.ended
    assert sink.getvalue() == "> a b\n"
    console.ask("more?")
    console.say(["line\x07"])
    assert sink.getvalue() == "> a b\nmore? \nline \n"


async def test_nobody_to_ask_refuses_strangers() -> None:
    """Where nothing may be asked, a stranger is turned away, and no alarm is given."""
    table = plain_pair()
    console = scripted()
    await play(table, console, PlainOptions(no_input=True))
    assert table.commands[0] == RefusePlayer()
    assert "Nobody is here to compare the four cards." in console.lines


def test_nobody_is_abandoned_by_a_player_who_is_here() -> None:
    """There is nothing to note while the other player answers."""
    assert typed("abandon")[1] == "the other player is here."


def test_abandoning_is_asked_about_and_said() -> None:
    """The note needs a second word; then it is said what it means, how to go on."""
    table, console = plain_pair(seed=OWN_TURN, robot=False), scripted()
    table.command(Confirm(same=True))
    table.command(AcceptTerms())
    app = PlainApp(table, console, Narrator(), AGREE)
    app._linked = False
    for answer in ("n", "y"):
        app._read("abandon")
        app._read(answer)
        assert (MarkAbandoned() in table.commands) == (answer == "y")
    noted, resume = console.lines[-2:]
    assert "taken back by itself when the other player returns" in noted
    assert resume == "the game is saved. go on with: crapette resume"
    assert table.commands[-2:] == [MarkAbandoned(), Leave()]


async def test_a_pipe_does_not_wait_for_ever() -> None:
    """When the peer does not come back, a game without a person ends with 8."""
    table = plain_pair(seed=OWN_TURN, robot=False)
    table.announce(GaveUp(600.0))
    narrator = Narrator()
    async with asyncio.timeout(PATIENCE):
        closed = await PlainApp(table, scripted(), narrator, AGREE).run()
    assert closed.failure is not None
    assert closed.failure.status == 8
    assert table.commands[-1] == Leave()
