"""Matches of several deals over the loopback: by bots, and by hand in line mode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crapette_p2p.gamelog.loading import load_log
from tests.cli.commands import Crapette
from tests.cli.processes import Running
from tests.cli.test_two_players import seated

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def deals(home: Path) -> list[Path]:
    """The logs that a player keeps, in the order they were dealt."""
    logs = (home / "games").glob("*.crlog")

    def number(path: Path) -> int:
        return load_log(path.read_bytes()).log.genesis.match.deal_number

    return sorted(logs, key=number)


def check_chain(crapette: Crapette, home: Path, target: int) -> None:
    """Every deal verifies and names the one before, with the score it began at."""
    previous, scores, paths = None, (0, 0), deals(home)
    for number, path in enumerate(paths, 1):
        done = crapette("verify", str(path))
        assert (done.code, "level 5 of 5" in done.out) == (0, True)
        loaded = load_log(path.read_bytes())
        match = loaded.log.genesis.match
        assert (match.deal_number, match.target) == (number, target)
        assert (match.previous, match.scores) == (previous, scores)
        end = loaded.state.end
        assert end is not None
        won = (end.points * (end.winner == 0), end.points * (end.winner == 1))
        previous = loaded.log.game_id
        scores = (scores[0] + won[0], scores[1] + won[1])
    assert max(scores) >= target
    assert len(paths) >= 2


def test_bots_play_a_match(tmp_path: Path, crapette: Crapette) -> None:
    """Deal follows deal until one has won two; each log carries the score."""
    flags = ("--auto", "novice", "--json", "--accept-unverified")
    rules = ("--rules", "garibaldka", "--match", "2")
    with Running(
        tmp_path / "a", "host", *flags, *rules, "--once", "--port", "0"
    ) as ala:
        port = ala.wait_for(r'"port":(\d+)')[1]
        with Running(tmp_path / "o", "join", "127.0.0.1", port, *flags) as olek:
            assert (ala.finish(), olek.finish()) == (0, 0)
    for player, home in ((ala, tmp_path / "a"), (olek, tmp_path / "o")):
        lines = [json.loads(line) for line in player.out.splitlines()]
        results = [line for line in lines if line["type"] == "result"]
        assert [r["match_over"] for r in results][-2:] == [False, True]
        assert max(results[-1]["match"]) == 2
        check_chain(crapette, home, 2)
    stats = json.loads(
        crapette("--data-dir", str(tmp_path / "a"), "stats", "--json").out
    )
    assert stats["games"] == len(results)
    assert stats["won"] + stats["lost"] + stats["drawn"] == len(results)


def test_a_match_against_a_bot_is_left_between_deals_and_taken_up_again(
    tmp_path: Path,
) -> None:
    """The bot's key stays for it, and the next deal is asked for."""
    home = tmp_path / "ala"
    flags = ("--level", "novice", "--plain", "--match", "500")
    with Running(home, "bot", *flags) as ala:
        ala.wait_for(r"moves? first\.")
        ala.type("resign")
        ala.type("y")
        ala.wait_for(r"another deal\? \[y/n\]")
        ala.type("n")
        assert ala.finish() == 0
    assert any((home / "bots").iterdir())
    with Running(home, "resume", "--plain") as ala:
        ala.wait_for(r"another deal\? \[y/n\]")
        ala.type("y")
        ala.wait_for(r"moves? first\.")
        ala.type("resign")
        ala.type("y")
        ala.wait_for(r"The match to 500: .+ 0, .+ \d+\.")
    assert len(deals(home)) == 2


def test_people_play_a_match(tmp_path: Path, crapette: Crapette) -> None:
    """Who proposes is asked for the next deal, the other accepts it; 2:0."""
    with seated(tmp_path, "--rules", "russian-bank-knock", "--match", "2") as players:
        ala, olek = players
        olek.wait_for("match to 2, assist off")
        for deal in (1, 2):
            ala.wait_for(rf"(?s)(moves? first\.\nturn 1.*){{{deal}}}")
            if ala.out.rfind("Olek moves first") > ala.out.rindex("dealing: done"):
                olek.type("space d")
            ala.type("resign")
            ala.type("y")
            olek.wait_for(rf"(?s)(saved: .*){{{deal}}}")
            if deal == 1:
                ala.wait_for("The match to 2: Ala 0, Olek 1")
                ala.wait_for(r"another deal\? \[y/n\]")
                ala.type("y")
                olek.wait_for("deal 2, assist off")
                olek.type("y")
        for player in (ala, olek):
            player.wait_for("Olek wins the match 2:0")
    for name in ("ala", "olek"):
        check_chain(crapette, tmp_path / name, 2)
