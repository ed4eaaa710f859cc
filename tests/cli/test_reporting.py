"""The JSON lines of a headless seat: whole and the same on both sides, always."""

from __future__ import annotations

import json
import random
import re
from types import SimpleNamespace
from typing import cast

import pytest

from crapette_p2p.cli.reporting import JsonReporter, Line, TextReporter, event_lines
from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import EventFinal, Peer, PeerKnown
from crapette_p2p.ui.narrator import running_turn
from tests.helpers.driving import drive, log_of, position_of, side_of, state_of
from tests.helpers.pair import Pair, Player, play_pair


def lines_of(player: Player) -> list[Line]:
    """Every line, read after all is over: the game is far ahead of each event."""
    log = log_of(player)
    events = [n for n in player.notices if isinstance(n, EventFinal)]
    return [line for event in events for line in event_lines(event, log)]


def turned(pair: Pair) -> int:
    """Somebody turns a card up, which is not open for him yet."""
    mover = side_of(pair, position_of(pair.players[0]).active)
    pair.command(mover, Act(TURN))
    pair.split = "bytes"
    pair.step_until(lambda: state_of(pair.players[mover]).due is not None)
    pair.split = "whole"
    return mover


@pytest.mark.parametrize("crashed", [(), (0,), (1,), (0, 1)])
def test_a_card_that_was_being_opened_at_a_cut(crashed: tuple[int, ...]) -> None:
    """Its line comes once, with the card and the state, on whichever side."""
    pair = play_pair("russian-bank", seed=1)
    turned(pair)
    pair.cut()
    for side in crashed:
        pair.players[side].crash()
    pair.connect()
    rng = random.Random(4)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda state: state.length > 40)
    first, second = (lines_of(player) for player in pair.players)
    assert first == second
    turns = [line for line in first if line["move"] == "turn"]
    assert turns
    assert all(line["card"] and line["state"] for line in turns)
    numbers = [int(str(line["seq"])) for line in first]
    assert numbers == sorted(set(numbers))


def test_who_resigns_while_a_card_is_opened_never_sees_it() -> None:
    """Then its line says null, before the resignation."""
    pair = play_pair("russian-bank", seed=1)
    mover = turned(pair)
    pair.command(mover, Act(RESIGN))
    pair.pump()
    first, second = (lines_of(player) for player in pair.players)
    assert first == second
    assert [line["move"] for line in first] == ["turn", f"resign {'AB'[mover]}"]
    assert all(line["card"] is None and line["state"] for line in first)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("delivered", range(5))
def test_a_game_gone_on_with_in_the_middle_of_an_event(
    delivered: int, side: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names, table and number of the turn are those of the game, not of a new one."""
    pair = play_pair("russian-bank", seed=1)
    drive(pair, random.Random(4), until=begins_a_late_turn)  # noqa: S311
    player = pair.players[side]
    turn = running_turn(log_of(player), state_of(player).length)
    assert turn > 1
    pair.command(side_of(pair, position_of(player).active), Act(TURN))
    for _ in range(delivered):
        pair.step()
    pair.cut()
    for each in pair.players:
        each.crash()
    told = len(player.notices)
    pair.connect()
    pair.pump()
    reporter = TextReporter(spoken=False)
    table = cast("Table", SimpleNamespace(open_game=player.live.open_game))
    for notice in player.notices[told:]:
        reporter.heard(table, notice)
    lines = capsys.readouterr().out
    assert f"turn {turn}" in lines
    assert not re.search(r"turn 1\b|dealing|\?: ", lines)


def begins_a_late_turn(state: GameState) -> bool:
    """Whether a turn has just begun, and the game is well under way."""
    position = state.position
    return state.length > 60 and position is not None and position.acts == 0


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("192.168.1.20:4805", "192.168.1.20"),
        ("192.168.1.23", "192.168.1.23"),
        ("[fe80::1%eth0]:4747", "fe80::1%eth0"),
        ("fe80::2%eth0", "fe80::2%eth0"),
        ("olek-pc:4747", "olek-pc"),
    ],
)
def test_a_peer_has_an_address_without_a_port(
    place: str, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has dialled: a port of the side that dialled leads nowhere."""
    peer = Peer(idpub=bytes(32), nick="Olek", fingerprint="0000", verified="sas")
    table = SimpleNamespace(address=place)
    JsonReporter().heard(cast("Table", table), PeerKnown(peer, remember=True))
    line = json.loads(capsys.readouterr().out)
    assert (line["type"], line["address"]) == ("peer", address)
