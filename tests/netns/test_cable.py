"""A cable that is pulled in mid-game: noticed in time, and the game goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.processes import Running
from tests.helpers.pace import Stopwatch
from tests.netns.lab import Lab

pytestmark = pytest.mark.slow

T_DEAD = 15.0


def test_a_pulled_cable(lab: Lab, tmp_path: Path) -> None:
    """Both hear of it within T_DEAD; plugged in again, they play on by themselves.

    Nothing says goodbye when a cable is pulled: no FIN, no reset. Each end has to
    notice the silence; the listener keeps the seat, the dialler dials again.
    """
    switch, home, away = lab.switch(), lab.computer(), lab.computer()
    lab.connect(home, switch, "10.77.0.1/24")
    cable = lab.connect(away, switch, "10.77.0.2/24")
    doors = ("host", "--plain", "--once")
    with Running(tmp_path / "ala", *doors, prefix=home.prefix()) as ala:
        ala.wait_for(r"open on port 4747\.")
        ala.wait_for(r"players on this network can see the table\.")
        chair = ("join", "10.77.0.1", "--plain")
        with Running(
            tmp_path / "olek", *chair, name="Olek", prefix=away.prefix()
        ) as olek:
            theirs = olek.wait_for(r"a new player: Ala\. cards: (.+)\.$")[1]
            ours = ala.wait_for(r"Olek knocks from 10\.77\.0\.2\. cards: (.+)\.$")[1]
            assert ours == theirs
            for player in (ala, olek):
                player.type("y")
            olek.wait_for(r"play by these\?")
            olek.type("y")
            for player in (ala, olek):
                player.wait_for("dealing: done")
                player.type("space d")
            for player in (ala, olek):
                player.wait_for(r"^turn 3, ")
            pulled = Stopwatch()
            cable.unplug()
            ala.wait_for("Olek is quiet")
            for player, peer in ((ala, "Olek"), (olek, "Ala")):
                player.wait_for(f"the connection to {peer} is lost. the game is saved")
            assert pulled.passed > T_DEAD - 6
            assert pulled.seconds < T_DEAD + 3
            cable.plug_in()
            for player in (ala, olek):
                player.wait_for(r"connected again\.")
            for player in (ala, olek):
                player.type("space d")
            for player in (ala, olek):
                player.wait_for(r"^turn 5, ")
                player.type("resign")
                player.type("y")
            assert olek.finish() == 0
            assert ala.finish() == 0
