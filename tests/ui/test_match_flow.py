"""A match on two screens, and the editor of rules while somebody knocks."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis, Match
from crapette_p2p.session.commands import Terms
from crapette_p2p.ui.matches import terms_of
from crapette_p2p.ui.meeting_flow import MeetingFlow
from crapette_p2p.ui.play import questions
from crapette_p2p.ui.screens import meeting
from tests.helpers.fakegame import make_genesis
from tests.ui import test_flows
from tests.ui.harness import Stage
from tests.ui.test_flows import hosted, invitation, joining, menu, place_of

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No deaf second, few candidates, a match to two deals."""
    monkeypatch.setattr(questions, "DEAF", 0.0)
    monkeypatch.setattr(meeting, "DEAF", 0.0)
    rules = PRESETS["garibaldka"]
    terms = Terms(preset="garibaldka", rules=rules, candidates=16, target=2)
    monkeypatch.setattr(test_flows, "TERMS", terms)


def in_play(stage: Stage) -> bool:
    """Whether a table is shown on which something can be done."""
    bar = stage.lines[0]
    return "turn 1 " in bar and "the end" not in bar


async def resigned(loser: Stage, winner: Stage) -> None:
    """One gives up, both see the end."""
    for stage in (loser, winner):
        await stage.until(lambda stage=stage: in_play(stage))  # type: ignore[misc] # bound on purpose
    loser.type(":resign\r")
    await loser.shows("Resign?")
    loser.type("y")
    await winner.shows("You won")
    await loser.shows("Olek won")


async def first_deal_lost(ala: Stage, olek: Stage) -> None:
    """Olek agrees to what Ala proposes, and she loses it."""
    await olek.shows("What will be played")
    olek.type("y")
    await resigned(ala, olek)


async def taken_up(olek: Stage) -> None:
    """From the menu on with the match that is between two deals."""
    await olek.shows("next deal")
    olek.type("r")
    await olek.shows("Ala – Olek")
    olek.type("\r")


@asynccontextmanager
async def one_deal_played(tmp_path: Path) -> AsyncIterator[tuple[Stage, Stage]]:
    """Ala, the host of a match to 2, has lost its first deal; both look at its end."""
    async with (
        hosted(tmp_path) as (ala, _, invite),
        joining(tmp_path, invitation(invite)) as (olek, _),
    ):
        await first_deal_lost(ala, olek)
        yield ala, olek


async def test_a_match_goes_on_until_it_is_won(tmp_path: Path) -> None:
    """``n`` on one side and ``:rematch`` on the other begin the next deal at once."""
    async with one_deal_played(tmp_path) as (ala, olek):
        for stage in (ala, olek):
            assert "The match to 2: Ala 0, Olek 1." in stage.text
        olek.type("n")
        await olek.shows("waiting for Ala to propose the same")
        assert "Only Ala can propose it, and was told your wish." in olek.text
        await ala.shows("│  Olek would like another deal.")
        ala.type("\x1b")
        await ala.until(lambda: "Olek won" not in ala.text)
        ala.type(":rematch\r")
        await resigned(ala, olek)
        for stage in (ala, olek):
            assert "Olek wins the match 2:0." in stage.text
            assert re.search("n +rematch", stage.text)
            assert "next deal" not in stage.text


async def test_a_wish_is_shown_to_a_host_who_hears_nothing(tmp_path: Path) -> None:
    """In the program's words, once; what is written stays hidden."""
    async with one_deal_played(tmp_path) as (ala, olek):
        ala.type("\x1b")
        await ala.until(lambda: "look at the table" not in ala.text)
        ala.type(":chat off\r")
        await ala.shows("chat: off")
        olek.type("\x1b")
        await olek.until(lambda: "look at the table" not in olek.text)
        olek.type("tbuy my things\r")
        await olek.shows("Olek: buy my things")
        olek.type("n")
        await olek.shows("Only Ala can propose it, and was told your wish.")
        await ala.shows("Olek would like another deal.")
        assert "buy my things" not in ala.text
        ala.type("n")
        for stage in (ala, olek):
            await stage.until(lambda stage=stage: in_play(stage))  # type: ignore[misc] # bound on purpose


async def test_a_match_is_taken_up_between_two_deals(tmp_path: Path) -> None:
    """Another day, each from the menu: the next deal begins without a question."""
    async with one_deal_played(tmp_path):
        pass
    async with menu(tmp_path, "Ala") as (ala, _), menu(tmp_path, "Olek") as (olek, _):
        for stage in (ala, olek):
            await taken_up(stage)
        await resigned(ala, olek)
        for stage in (ala, olek):
            assert "Olek wins the match 2:0." in stage.text


async def test_a_proposal_that_was_lost_with_the_link_is_made_again(
    tmp_path: Path,
) -> None:
    """Ala has asked for the next deal; Olek's program ends, and comes back."""
    async with hosted(tmp_path) as (ala, _, invite):
        async with joining(tmp_path, invitation(invite)) as (olek, _):
            await first_deal_lost(ala, olek)
            ala.type("n")
            await olek.shows("Ala proposes the next deal.")
        await ala.shows("expecting the other player")
        async with menu(tmp_path, "Olek") as (olek, _):
            await taken_up(olek)
            await resigned(ala, olek)


async def test_a_finished_match_is_followed_by_a_rematch(tmp_path: Path) -> None:
    """The other reads that one is proposed, and it begins at nothing to nothing."""
    async with one_deal_played(tmp_path) as (ala, olek):
        olek.type("\x1b")
        await olek.until(lambda: "look at the table" not in olek.text)
        ala.type("n")
        await olek.shows("Ala proposes the next deal.")
        assert "The match to 2: Ala 0, Olek 1." in olek.text
        olek.type("n")
        await resigned(ala, olek)
        olek.type("\x1b")
        await olek.shows("The match is over. n: rematch, r: replay, q: leave the table")
        assert "! Stop" not in olek.lines[-1]
        olek.type("n")
        await olek.shows("waiting for Ala to propose the same")
        ala.type("n")
        await resigned(ala, olek)
        for stage in (ala, olek):
            assert "The match to 2: Ala 0, Olek 1." in stage.text
        ala.type("n")
        await olek.shows("Ala proposes the next deal.")


async def test_a_rematch_is_asked_for_by_its_name(tmp_path: Path) -> None:
    """Who has not said so himself reads it beside the end, and agrees by ``n``."""
    async with one_deal_played(tmp_path) as (ala, olek):
        for stage in (ala, olek):
            stage.type("n")
        await resigned(ala, olek)
        ala.type("n")
        await olek.shows("Ala proposes a rematch.")
        assert "wins the match" in olek.text
        olek.type("n")
        await resigned(ala, olek)
        assert "The match to 2: Ala 0, Olek 1." in olek.text


async def test_other_terms_for_the_next_deal_are_read_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has pressed ``n`` agreed to what was played, and to nothing else."""
    monkeypatch.setattr(MeetingFlow, "_is_alike", lambda *_: False)
    async with one_deal_played(tmp_path) as (ala, olek):
        for stage in (olek, ala):
            stage.type("n")
        await olek.shows("Ala proposes the next deal:")
        assert "match to 2, now 0:1" in olek.text
        olek.type("n")  # the next deal, a moment ago
        olek.type("r")
        await olek.shows("The aim")
        olek.type("\x1b")
        await olek.shows("[ q ] no – leave the table")
        olek.type("y")
        await resigned(ala, olek)


_PLAYED = make_genesis("garibaldka")


@pytest.mark.parametrize(
    "other",
    [
        replace(_PLAYED, preset="crapette"),
        replace(_PLAYED, rules=PRESETS["crapette"]),
        replace(_PLAYED, assist=True),
        replace(_PLAYED, match=Match(target=100)),
    ],
)
def test_what_other_terms_are(other: Genesis) -> None:
    """Each thing that a player agrees to; not the cards, nor where the match stands."""
    assert terms_of(other) != terms_of(_PLAYED)
    later = Match(deal_number=2, scores=(0, 1), previous=b"g" * 32)
    again = replace(make_genesis("garibaldka", seed=7), match=later)
    assert terms_of(again) == terms_of(_PLAYED)


async def test_a_knock_interrupts_the_editor(tmp_path: Path) -> None:
    """The four cards are asked for; what was edited so far is still there after."""
    async with hosted(tmp_path) as (ala, _, invite):
        ala.type("e")
        await ala.shows("Rules of this table")
        ala.type("\x1b[B\x1b[D")
        await ala.shows("1 switch differs")
        async with joining(tmp_path, place_of(invite)) as (olek, _):
            await ala.shows("the same four cards")
            await olek.shows("the same four cards")
            ala.type("n")
            await ala.shows("1 switch differs from garibaldka")


async def test_who_leaves_instead_of_the_next_deal_is_said_beside_its_end(
    tmp_path: Path,
) -> None:
    """Waiting for the answer ends at the box of the deal that was played."""
    async with hosted(tmp_path) as (ala, hosting, invite):
        async with joining(tmp_path, invitation(invite)) as (olek, _):
            await first_deal_lost(ala, olek)
            ala.type("n")
            await ala.shows("waiting for the answer")
            await olek.shows("Ala proposes the next deal.")
            olek.type("m")
            await ala.shows("The other player did not want to play.")
            await ala.shows("n    wait for another player")
            assert "next deal" not in ala.text
        assert not hosting.done()


@pytest.mark.parametrize(
    ("target", "text"), [(1, "Ala has left the table."), (2, "looking for the other")]
)
async def test_who_waits_for_the_next_deal_reads_that_the_other_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: int, text: str
) -> None:
    """Nobody answers any more: a match looks for the other, a single deal has ended."""
    monkeypatch.setattr(test_flows, "TERMS", replace(test_flows.TERMS, target=target))
    async with (
        hosted(tmp_path) as (ala, _, invite),
        joining(tmp_path, invitation(invite)) as (olek, _),
    ):
        await first_deal_lost(ala, olek)
        olek.type("n")
        await olek.shows("waiting for Ala to propose the same")
        ala.type("m")
        await olek.shows(text)
        if target == 1:
            await olek.shows("q    leave the table")
            assert "next deal" not in olek.text
