"""``crapette stats``: games added up, in all and by opponent."""

from __future__ import annotations

import json
from pathlib import Path

from crapette_p2p.cli.stats import Tally, tallies
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.net.kept import KeptGame
from tests.cli.commands import Crapette

OLEK, BOT, ME = bytes([1]) * 32, bytes([2]) * 32, bytes([9]) * 32


def game(
    opponent: bytes, nick: str, result: tuple[object, ...] | None, turns: int = 10
) -> KeptGame:
    """A game of ours as A, at a glance."""
    genesis = Genesis(
        preset="crapette",
        rules=PRESETS["crapette"],
        keys=(ME, opponent),
        nicks=("Ala", nick),
        nonces=(bytes(32), bytes(32)),
    )
    return KeptGame(
        path=Path("x.crlog"),
        game_id=bytes(32),
        genesis=genesis,
        seat=Seat(0),
        status="open" if result is None else "finished",
        events=0,
        turns=turns,
        result=result,
        abandoned=False,
        modified=0.0,
    )


def test_games_are_added_up() -> None:
    """Won, lost, drawn and unfinished games, points and turns, by opponent."""
    games = [
        game(OLEK, "Olek", (0, 0, 61), turns=40),
        game(OLEK, "Olek", (1, 3, 35), turns=20),
        game(OLEK, "Olek", (None, 2, 0), turns=30),
        game(OLEK, "Olek", None),
        game(BOT, "club bot", (0, 0, 40)),
        game(bytes([3]) * 32, "club bot", (1, 0, 50)),
    ]
    total, opponents = tallies(games, lambda key: key == OLEK)
    olek, bots = opponents
    assert (olek.games, olek.won, olek.lost, olek.drawn, olek.unfinished) == (
        (4, 1, 1, 1, 1)
    )
    assert (olek.points, olek.points_against, olek.turns) == (61, 35, 90)
    assert olek.key
    assert (bots.nick, bots.key, bots.games) == ("club bot", "", 2)
    assert (total.games, total.points, total.points_against) == (6, 101, 85)


def test_nothing_played_yet(crapette: Crapette) -> None:
    """Without games the command says how to begin, and makes no key."""
    assert "crapette bot" in crapette("stats").out
    answer = json.loads(crapette("stats", "--json").out)
    assert answer["games"] == 0
    assert answer["opponents"] == []
    assert not crapette.home.exists()


def test_an_empty_tally_is_all_zero() -> None:
    """The numbers of no games are zero."""
    total, opponents = tallies([], lambda _key: True)
    assert (total, opponents) == (Tally(), [])
