"""``crapette stats``: games added up, in all and by opponent."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from crapette_p2p.cli.plotting import balance_plot, bars, histogram, percentages
from crapette_p2p.cli.speaking import speaking, words
from crapette_p2p.cli.stats import (
    Tally,
    note_lines,
    plot_lines,
    summarised,
    summary_at,
    table_lines,
)
from crapette_p2p.engine.actions import Move, Stop
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.played import Played
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.counts import Counts, Course, course_of
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.net.identity import load_identity
from crapette_p2p.net.kept import KeptGame
from crapette_p2p.net.paths import find_paths
from crapette_p2p.ui.render.cells import text_width
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log

UP = range(8, 16)
"""The foundations."""

OLEK, BOT, ME = bytes([1]) * 32, bytes([2]) * 32, bytes([9]) * 32


def game(opponent: bytes, nick: str, result: tuple[object, ...] | None) -> KeptGame:
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
        result=result,
        abandoned=False,
        modified=0.0,
    )


def test_a_damaged_book_of_friends_is_no_reason_to_count_nothing(
    crapette: Crapette,
) -> None:
    """Whoever is not known by key goes by name."""
    crapette.home.mkdir()
    (crapette.home / "peers.toml").write_text("[[[")
    assert crapette("stats").code == 0


def test_games_are_added_up() -> None:
    """Won, lost, drawn and unfinished games, points and turns, by opponent."""
    games = [
        game(OLEK, "Olek", (0, 0, 61)),
        game(OLEK, "Olek", (1, 3, 35)),
        game(OLEK, "Olek", (None, 2, 0)),
        game(OLEK, "Olek", None),
        game(BOT, "club bot", (0, 0, 40)),
        game(bytes([3]) * 32, "club bot", (1, 0, 50)),
    ]
    lengths = iter((40, 20, 30, None, 7, 8))

    def course(_game: KeptGame) -> Course | None:
        length = next(lengths)
        return None if length is None else Course(Played(length))

    summary = summarised(games, lambda key: "Olek" if key == OLEK else None, course)
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
    assert summary.lengths == (40, 20, 30, 7, 8)


def test_an_opponent_is_called_what_the_book_calls_him() -> None:
    """Another nick of the same key makes nobody else of a friend."""
    games = [game(OLEK, "root", (0, 0, 61)), game(BOT, "root", (0, 0, 61))]
    summary = summarised(games, {OLEK: "Olek"}.get)
    lines = table_lines(summary)
    assert [line.split()[0] for line in lines if "61:0" in line] == ["Olek", "root"]
    assert {(t.nick, t.petname) for t in summary.opponents} == {
        ("root", "Olek"),
        ("root", ""),
    }


def test_nothing_played_yet(crapette: Crapette) -> None:
    """Without games the command says how to begin, and makes no key."""
    assert "crapette bot" in crapette("stats").out
    answer = json.loads(crapette("stats", "--json").out)
    assert answer["games"] == 0
    assert answer["opponents"] == []
    assert not crapette.home.exists()


def test_an_empty_tally_is_all_zero() -> None:
    """The numbers of no games are zero."""
    summary = summarised([], lambda _key: "")
    assert (summary.total, summary.opponents, summary.results) == (Tally(), [], ())


def test_calls_and_foundation_plays_are_counted() -> None:
    """What each did is read from the log, as if one had watched the replay."""
    replay = open_replay(finished_log())
    for seat, counts in enumerate(course_of(finished_log()).counts):
        steps = [step for step in replay.steps if step.author == seat]
        ups = [s for s in steps if isinstance(s.action, Move) and s.action.target in UP]
        calls = [step.upheld for step in steps if isinstance(step.action, Stop)]
        assert counts.right_calls == calls.count(True)
        assert counts.wrong_calls == calls.count(False)
        assert abs(counts.foundation_plays - len(ups)) <= replay_calls(replay)
        assert counts.actions >= counts.foundation_plays
    end = replay.position(replay.length)
    assert end is not None
    both = sum(counts.foundation_plays for counts in course_of(finished_log()).counts)
    assert both == sum(len(end.piles[pile]) for pile in UP)


def replay_calls(replay: Replay) -> int:
    """How many calls were upheld: each takes a play back."""
    return sum(step.upheld is True for step in replay.steps)


@pytest.mark.parametrize("size", [0, 4, 9, 500, 5000])
def test_a_damaged_log_counts_to_its_break(size: int) -> None:
    """Any prefix, and noise, add up to something."""
    for data in (finished_log()[:size], bytes(range(256)) * 4):
        assert all(counts.actions >= 0 for counts in course_of(data).counts)


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
    lines = bars([("Olek", 20, 3, 7), ("club bot", 1, 0, 0)], ascii_only=True)
    assert lines == [
        "Olek      " + "#" * 20 + "=" * 3 + "-" * 7 + "  20 3 7 (67 10 23 %)",
        "club bot  #  1 0 0 (100 0 0 %)",
    ]
    assert bars([("囲碁", 1, 0, 1), ("Olek", 0, 0, 0)], middle=False) == [
        "囲碁  █░  1 1 (50 50 %)",
        "Olek    0 0",
    ]
    assert bars([], ascii_only=True) == []
    assert max(map(len, bars([("x" * 20, 900, 50, 50)], ascii_only=False))) <= 80


@pytest.mark.parametrize(
    ("parts", "expected"),
    [([1, 1, 1], [34, 33, 33]), ([1, 0, 0], [100, 0, 0]), ([2, 1, 0], [67, 33, 0])],
)
def test_percentages_add_up(parts: list[int], expected: list[int]) -> None:
    """Whole numbers, a hundred together, the largest remainder rounded up."""
    assert percentages(parts) == expected
    assert sum(expected) == 100


def test_a_histogram_counts_every_value() -> None:
    """A dozen rows at most, none left out in between, the counts add up."""
    lines = histogram([3, 3, 17, 44], ascii_only=True)
    assert lines == [
        *(" 0-4   ## 2 (50 %)", " 5-9   0 (0 %)", "10-14  0 (0 %)"),
        *("15-19  # 1 (25 %)", "20-24  0 (0 %)", "25-29  0 (0 %)", "30-34  0 (0 %)"),
        *("35-39  0 (0 %)", "40-44  # 1 (25 %)"),
    ]
    assert histogram([]) == []
    assert histogram([7], ascii_only=True) == ["7  # 1 (100 %)"]
    for values in ([1, 2000], list(range(300)), [5] * 4000):
        drawn = histogram(values)
        assert len(drawn) <= 12
        assert max(map(len, drawn)) <= 80
        counts = [int(line.split("(")[0].split()[-1]) for line in drawn]
        assert sum(counts) == len(values)


def test_names_of_wide_letters_line_up() -> None:
    """Columns are counted in cells, as a terminal does."""
    games = [game(OLEK, "囲碁", (0, 0, 61)), game(BOT, "bot", (0, 0, 61))]
    lines = table_lines(summarised(games, lambda _key: ""))
    rows = [line for line in lines if line.startswith(("囲碁", "bot", "all"))]
    assert len(rows) == 3
    assert {text_width(row[: row.index("1 ")]) for row in rows[:2]} == {6}


@pytest.mark.parametrize("lang", ["en", "pl", "ru", "fr", "de"])
def test_the_headings_fit_and_speak_of_games(lang: str) -> None:
    """A drawn game is no drawn card, and a row with a name takes one line."""
    games = [game(OLEK, "Aleksander", None)]
    with speaking(["--lang", lang]):
        lines = table_lines(summarised(games, lambda _key: ""))
        assert words("drawn") not in lines[0].split()
    tables = [line for line in lines if line]
    assert len(tables) == 5
    assert max(map(text_width, tables)) <= 78


def test_broken_games_are_no_open_ones() -> None:
    """Games that a fault or a damaged log ended have a column of their own."""
    whole = game(OLEK, "Olek", None)
    games = [whole, *(replace(whole, status=s) for s in ("failed", "damaged"))]
    summary = summarised(games, lambda _key: "")
    olek = summary.opponents[0]
    assert (olek.games, olek.unfinished, olek.failed, olek.damaged) == (3, 1, 1, 1)
    lines = table_lines(summary)
    assert "running  broken" in lines[0]
    assert note_lines(summary)[-1].startswith("broken: ")
    assert max(map(len, lines)) <= 80
    clean = table_lines(summarised([whole], lambda _key: ""))
    assert not any("broken" in line for line in clean)


def test_every_plot_has_its_heading() -> None:
    """Balance, results by opponent and by rules, lengths; calls where there are any."""
    games = [game(OLEK, "Olek", (0, 0, 61)), game(BOT, "club bot", (1, 0, 9))]
    drawn = list(plot_lines(summarised(games, lambda _key: ""), ascii_only=True))
    headings = [after for before, after in pairwise(drawn) if not before]
    assert headings == [
        "won minus lost, game by game",
        "won, drawn and lost games",
        "won, drawn and lost games, by rules",
        "turns a game",
    ]
    counts = (Counts(right_calls=2, wrong_calls=1), Counts())
    course = Course(counts=counts)
    called = summarised(games, lambda _key: "", lambda _game: course)
    assert "Stop! calls, right and wrong" in plot_lines(called, ascii_only=True)


def test_the_menu_shows_what_the_command_prints(
    crapette: Crapette, tmp_path: Path
) -> None:
    """The lines of the table come from one place, whoever shows them."""
    summary = summarised([game(OLEK, "Olek", (0, 0, 61))], lambda _key: "")
    lines = table_lines(summary)
    assert any(line.startswith("Olek") and "61:0" in line for line in lines)
    assert max(map(len, lines)) < 78
    assert summary_at(find_paths(str(tmp_path))).total.games == 0
    assert crapette("stats").out.startswith("No game has been played here yet.")
