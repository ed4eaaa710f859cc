"""What can go on, and in which order it is offered."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis, Match
from crapette_p2p.net.kept import KeptGame, resumable_of
from crapette_p2p.ui.errands import _what_goes_on
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.outcomes import outcome_text

WON: Final = (0, 0, 1)
"""By seat A, one point."""


def game(
    number: int,
    status: str,
    result: tuple[object, ...] | None = None,
    *,
    target: int = 1,
    previous: int | None = None,
    seat: int = 0,
) -> KeptGame:
    """A game of ours at a glance."""
    before = None if previous is None else bytes([previous]) * 32
    genesis = Genesis(
        preset="crapette",
        rules=PRESETS["crapette"],
        keys=(bytes(32), bytes([1]) * 32),
        nicks=("Ala", "Olek"),
        nonces=(bytes(32), bytes(32)),
        match=Match(target=target, previous=before),
    )
    return KeptGame(
        path=Path("nowhere.crlog"),
        game_id=bytes([number]) * 32,
        genesis=genesis,
        seat=Seat(seat),
        status=status,
        events=0,
        result=result,
        abandoned=False,
        modified=0.0,
    )


def test_what_is_played_comes_first_and_a_mere_signature_last() -> None:
    """Whoever only types ``resume`` gets what he can play on with."""
    games = [
        game(1, "open", WON),
        game(2, "accepted", seat=1),
        game(3, "finished", WON, target=3),
        game(4, "open"),
        game(5, "open", WON, target=3),
        game(6, "finished", WON),
    ]
    assert [g.game_id[0] for g in resumable_of(games)] == [4, 3, 5, 2, 1]


def test_a_match_that_was_played_on_is_no_more_than_its_signature() -> None:
    """As after a backup: the later deal goes on, not the one before."""
    games = [game(2, "open", target=3, previous=1), game(1, "open", WON, target=3)]
    assert [g.game_id[0] for g in resumable_of(games)] == [2, 1]


@pytest.mark.parametrize("status", ["failed", "damaged"])
def test_a_broken_deal_has_no_next_one(status: str) -> None:
    """The other refuses whatever follows on it; only its file is kept."""
    broken = game(1, status, WON, target=3)
    assert resumable_of([broken]) == ()
    assert outcome_text(broken, ENGLISH) == status


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (game(1, "open"), "Olek, turn 1"),
        (game(1, "open", WON), "Olek, result to be signed"),
        (game(1, "open", WON, target=3), "Olek, next deal"),
        (game(1, "finished", WON, target=3), "Olek, next deal"),
        (game(1, "accepted", seat=1), "Ala, next deal"),
    ],
)
def test_the_menu_says_what_there_is_to_be_done(kept: KeptGame, told: str) -> None:
    """No turn of a game that is over."""
    assert _what_goes_on(kept, ENGLISH) == told
