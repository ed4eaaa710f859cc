"""Two people in two processes, playing in line mode over the loopback."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.commands import Crapette
from tests.cli.processes import Running
from tests.helpers.ports import own_ports

pytestmark = pytest.mark.slow
OPEN = r"the table is open on port (\d+)\."
PROMPT = r"^> $"


@contextmanager
def seated(home: Path, *host_flags: str) -> Iterator[tuple[Running, Running]]:
    """Ala hosts, Olek joins, both compare the cards; the deal has begun."""
    door = ("--port", own_ports())
    with Running(home / "ala", "host", "--plain", *door, *host_flags) as ala:
        where = ("127.0.0.1", ala.wait_for(OPEN)[1])
        with Running(home / "olek", "join", *where, "--plain", name="Olek") as olek:
            theirs = olek.wait_for(r"a new player: Ala\. cards: (.+)\.$")[1]
            ours = ala.wait_for(r"Olek knocks from 127\.0\.0\.1\. cards: (.+)\.$")[1]
            assert ours == theirs
            ala.type("y")
            olek.type("y")
            olek.wait_for(r"play by these\? \[y/n")
            olek.type("y")
            for player in (ala, olek):
                player.wait_for("dealing: done")
            yield ala, olek


def test_a_game_from_hello_to_result(tmp_path: Path, crapette: Crapette) -> None:
    """Two people meet, play some turns, one resigns; both logs verify."""
    with seated(tmp_path, "--once") as (ala, olek):
        for _ in range(3):
            for player in (ala, olek):
                player.type("space d")
        for player in (ala, olek):
            player.type("resign")
            player.type("y")
        for player in (ala, olek):
            player.wait_for(r"^saved: .*crlog$")
        assert olek.finish() == 0
        assert ala.finish() == 0
    logs = [next((tmp_path / who / "games").glob("*.crlog")) for who in ("ala", "olek")]
    for log in logs:
        done = crapette("verify", str(log))
        assert (done.code, "level 5 of 5" in done.out) == (0, True)
    assert crapette("compare", *map(str, logs)).code == 0


def test_a_game_goes_on_after_both_were_killed(tmp_path: Path) -> None:
    """Both programs die in the middle of a turn; resume finds the same table."""
    with seated(tmp_path) as (ala, olek):
        for _ in range(2):
            for player in (ala, olek):
                player.type("space d")
        for player in (ala, olek):
            player.wait_for("turn 4, ")
            player.signal(signal.SIGKILL)
    with Running(tmp_path / "ala", "resume", "--plain") as ala:
        ala.wait_for("waiting for ")
        with Running(tmp_path / "olek", "resume", "--plain", name="Olek") as olek:
            for player in (ala, olek):
                player.wait_for("the game goes on.")
                player.wait_for(r"^turn [45], ")
            for player in (ala, olek):
                player.signal(signal.SIGTERM)
            assert {ala.finish(), olek.finish()} <= {143, 0}


def test_cards_that_differ_end_the_meeting(tmp_path: Path) -> None:
    """Whoever says that the cards differ sits at no table; nothing is kept."""
    with Running(tmp_path / "ala", "host", "--plain", "--port", "0") as ala:
        port = ala.wait_for(OPEN)[1]
        with Running(tmp_path / "olek", "join", f"127.0.0.1:{port}", "--plain") as olek:
            olek.wait_for(r"\[y/n, 1: do not remember\]")
            olek.type("n")
            assert olek.finish() == 7
        ala.signal(signal.SIGINT)
        assert ala.finish() == 130
    assert not (tmp_path / "olek" / "peers.toml").exists()


def test_a_program_reads_objects_and_types_lines(tmp_path: Path) -> None:
    """With --json what is said, asked and played is one object a line."""
    with Running(tmp_path / "ala", "host", "--json", "--port", "0") as ala:
        where = ("127.0.0.1", ala.wait_for(r'"type":"listening".*"port":(\d+)')[1])
        with Running(tmp_path / "olek", "join", *where, "--json") as olek:
            for player in (ala, olek):
                player.wait_for(r'"type":"asked","text":"same on the other side')
                player.type("y")
            olek.wait_for(r'"type":"asked","text":"play by these')
            olek.type("y")
            for player in (ala, olek):
                player.type("resign")
                player.type("y")
            for player in (ala, olek):
                player.wait_for(r'"type":"event".*"move":"resign')
                player.wait_for(r'"type":"result"')
    for player in (ala, olek):
        lines = [json.loads(line) for line in player.out.splitlines()]
        assert {line["v"] for line in lines} == {1}
        kinds = {line["type"] for line in lines}
        assert {"said", "asked", "peer", "event", "result"} <= kinds


def test_a_bot_that_keeps_a_table_says_whom_it_turns_away(tmp_path: Path) -> None:
    """Nobody is there to compare cards: both sides read which flag lets this key in."""
    host = ("host", "--auto", "novice", "--json", "--once", "--port", own_ports())
    join = ("--auto", "novice", "--accept-unverified")
    with Running(tmp_path / "ala", *host) as ala:
        where = ("127.0.0.1", ala.wait_for(r'"port":(\d+)')[1])
        with Running(tmp_path / "olek", "join", *where, *join, name="Olek") as olek:
            assert olek.finish() == 5
        key = re.search(r"--expect-key ([0-9A-Z-]{19})", olek.err)
        assert key
        assert "did not let you in" in olek.err
        ala.wait_for_error(r"127\.0\.0\.1: sent away: nobody is here .* --accept-unv")
        assert f"--expect-key {key[1]};" in ala.err
    with Running(tmp_path / "ala", *host, "--expect-key", key[1]) as ala:
        where = ("127.0.0.1", ala.wait_for(r'"port":(\d+)')[1])
        with Running(tmp_path / "olek", "join", *where, *join, name="Olek") as olek:
            assert (olek.finish(), ala.finish()) == (0, 0)


def test_a_bot_that_sits_down_nowhere_says_what_it_needs(tmp_path: Path) -> None:
    """The guest has nobody to compare cards: the host reads the key to be named."""
    host = ("host", "--auto", "novice", "--json", "--once", "--port", own_ports())
    with Running(tmp_path / "ala", *host, "--accept-unverified") as ala:
        where = ("127.0.0.1", ala.wait_for(r'"port":(\d+)')[1])
        join = ("join", *where, "--auto", "novice")
        with Running(tmp_path / "olek", *join, name="Olek") as olek:
            assert olek.finish() == 7
        assert "--expect-key" in olek.err
        key = ala.wait_for_error(r"crapette join ADDRESS --expect-key ([0-9A-Z-]{19})")
        again = Running(tmp_path / "olek", *join, "--expect-key", key[1], name="Olek")
        with again as olek:
            assert (olek.finish(), ala.finish()) == (0, 0)
