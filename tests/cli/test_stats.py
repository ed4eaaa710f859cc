"""``crapette stats``: games added up, in all and by opponent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.cli.plotting import balance_plot, bars
from crapette_p2p.cli.stats import Tally, summarised, summary_at, table_lines
from crapette_p2p.engine.actions import Move, Stop
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.counts import counts_of
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.net.identity import load_identity
from crapette_p2p.net.kept import KeptGame
from crapette_p2p.net.paths import find_paths
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log

UP = range(8, 16)
"""The foundations."""

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
    summary = summarised(games, lambda key: key == OLEK)
    total = summary.total
    olek, bots = summary.opponents
    assert (olek.games, olek.won, olek.lost, olek.drawn, olek.unfinished) == (
        (4, 1, 1, 1, 1)
    )
    assert (olek.points, olek.points_against, olek.turns) == (61, 35, 90)
    assert olek.key
    assert (bots.nick, bots.key, bots.games) == ("club bot", "", 2)
    assert (total.games, total.points, total.points_against) == (6, 101, 85)
    assert [(tally.nick, tally.games) for tally in summary.presets] == [("crapette", 6)]
    assert summary.results == (1, -1, 0, 1, -1)


def test_nothing_played_yet(crapette: Crapette) -> None:
    """Without games the command says how to begin, and makes no key."""
    assert "crapette bot" in crapette("stats").out
    answer = json.loads(crapette("stats", "--json").out)
    assert answer["games"] == 0
    assert answer["opponents"] == []
    assert not crapette.home.exists()


def test_an_empty_tally_is_all_zero() -> None:
    """The numbers of no games are zero."""
    summary = summarised([], lambda _key: True)
    assert (summary.total, summary.opponents, summary.results) == (Tally(), [], ())


def test_calls_and_foundation_plays_are_counted() -> None:
    """What each did is read from the log, as if one had watched the replay."""
    replay = open_replay(finished_log())
    for seat, counts in enumerate(counts_of(finished_log())):
        steps = [step for step in replay.steps if step.author == seat]
        ups = [s for s in steps if isinstance(s.action, Move) and s.action.target in UP]
        calls = [step.upheld for step in steps if isinstance(step.action, Stop)]
        assert counts.right_calls == calls.count(True)
        assert counts.wrong_calls == calls.count(False)
        assert abs(counts.foundation_plays - len(ups)) <= replay_calls(replay)
        assert counts.actions >= counts.foundation_plays
    end = replay.position(replay.length)
    assert end is not None
    both = sum(counts.foundation_plays for counts in counts_of(finished_log()))
    assert both == sum(len(end.piles[pile]) for pile in UP)


def replay_calls(replay: Replay) -> int:
    """How many calls were upheld: each takes a play back."""
    return sum(step.upheld is True for step in replay.steps)


@pytest.mark.parametrize("size", [0, 4, 9, 500, 5000])
def test_a_damaged_log_counts_to_its_break(size: int) -> None:
    """Any prefix, and noise, add up to something."""
    for data in (finished_log()[:size], bytes(range(256)) * 4):
        assert all(counts.actions >= 0 for counts in counts_of(data))


def test_games_of_others_do_not_count(crapette: Crapette) -> None:
    """A log that was only copied here is no game of ours."""
    kept = crapette.home / "games"
    crapette("id")
    kept.mkdir(parents=True, exist_ok=True)
    (kept / "20260101-0123456789abcdef.crlog").write_bytes(finished_log())
    assert "No game" in crapette("stats").out


def test_a_game_that_never_began_does_not_count(crapette: Crapette) -> None:
    """One was agreed, and the other player left before he signed it too."""
    crapette("id")
    key = load_identity(find_paths(str(crapette.home), {}).identity_key).public
    genesis = encode_genesis(
        replace(game(OLEK, "Olek", None).genesis, keys=(OLEK, key))
    )
    record = encode_record(RecordKind.GENESIS, (genesis, None, bytes(64)))
    kept = crapette.home / "games"
    kept.mkdir(parents=True, exist_ok=True)
    (kept / "20260101-0123456789abcdef.crlog").write_bytes(MAGIC + record)
    assert json.loads(crapette("games", "--json").out)[0]["status"] == "accepted"
    assert "No game" in crapette("stats").out


@pytest.mark.parametrize(
    "results", [(1,), (-1, -1), (1, -1) * 3, (1,) * 200, (0,), (-1, 1, 1) * 90]
)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_plot_fits_the_screen(results: tuple[int, ...], ascii_only: bool) -> None:
    """At most 80 columns and a dozen rows; its last mark is where one stands."""
    lines = balance_plot(results, ascii_only=ascii_only)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 12
    assert lines[-1].split()[-1] == str(len(results))
    if ascii_only:
        assert "".join(lines).isascii()


def test_bars_are_as_long_as_what_they_count() -> None:
    """The most played opponent fills the width, names line up, zeros are nothing."""
    lines = bars([("Olek", 30, 3, 7), ("club bot", 1, 0, 0)], ascii_only=True)
    assert lines == [
        "Olek      " + "#" * 30 + "=" * 3 + "-" * 7 + "  30 3 7",
        "club bot  #  1 0 0",
    ]
    assert bars([], ascii_only=True) == []
    assert max(map(len, bars([("x" * 20, 900, 50, 50)], ascii_only=False))) <= 80


def test_the_menu_shows_what_the_command_prints(
    crapette: Crapette, tmp_path: Path
) -> None:
    """The lines of the table come from one place, whoever shows them."""
    summary = summarised([game(OLEK, "Olek", (0, 0, 61))], lambda _key: True)
    lines = table_lines(summary)
    assert any(line.startswith("Olek") and "61:0" in line for line in lines)
    assert max(map(len, lines)) < 78
    assert summary_at(find_paths(str(tmp_path))).total.games == 0
    assert crapette("stats").out.startswith("No game has been played here yet.")
