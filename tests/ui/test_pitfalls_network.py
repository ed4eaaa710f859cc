"""What other programs got wrong between two computers, one test each.

The numbers are those of the interface's list of pitfalls. Where the layers below
have the whole story of one in their own tests, this one tells what a player meets.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import re
import socket
from pathlib import Path

import pytest

from crapette_p2p.net.adapters import Adapter
from crapette_p2p.net.address import Address, AddressError, parse_target
from crapette_p2p.net.addresses import rank_addresses
from crapette_p2p.net.unreachable import dial_failure
from crapette_p2p.ui.play import questions
from crapette_p2p.ui.screens import meeting
from crapette_p2p.ui.wording import explain
from tests.net import test_hosting
from tests.ui import test_flows, test_table_boxes
from tests.ui.test_flows import hosted, invitation, joining, place_of


@pytest.fixture(autouse=True)
def _no_deaf_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """What opens by itself listens at once here; the second has its own tests."""
    monkeypatch.setattr(questions, "DEAF", 0.0)
    monkeypatch.setattr(meeting, "DEAF", 0.0)


@pytest.mark.slow
async def test_pitfall_19_strangers_take_no_seat(tmp_path: Path) -> None:
    """A browser, noise, half a handshake, fifty more; then the friend sits down."""
    async with hosted(tmp_path) as (ala, task, invite):
        place = place_of(invite)
        _, held = await asyncio.open_connection(place.host, place.port)
        held.write(b"\x16\x03\x01\x02\x00\x01")  # held for as long as the host bears it
        for data in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(1 << 20), *[b""] * 50):
            _, writer = await asyncio.open_connection(place.host, place.port)
            with contextlib.suppress(ConnectionError):
                writer.write(data)
                await writer.drain()
            writer.close()
        # Five knocks in full, the others counted; the one that was held gives up
        # after five seconds, which may be sooner.
        await ala.until(lambda: bool(re.search("4[78] earlier", ala.text)))
        assert not task.done()
        async with joining(tmp_path, invitation(invite)) as (olek, _):
            await olek.shows("What will be played")
        held.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, ""), "no table is open"),
        (TimeoutError(), "No answer"),
        (socket.gaierror(-2, ""), "no computer called"),
        (OSError(errno.EHOSTUNREACH, ""), "not on a network that reaches"),
        (OSError(errno.EPERM, ""), "olek-pc"),
    ],
)
def test_pitfall_20_each_failure_has_its_own_words(
    error: BaseException, said: str
) -> None:
    """A closed port, silence, no such name, no way: and what to do (exit 5)."""
    failure = dial_failure(error, host="olek-pc", port=4747)
    told = explain(failure.code, failure.facts)
    assert int(failure.status) == 5
    assert said in told.sentence
    assert told.hint or said == "No answer"
    assert "Error" not in told.sentence


def test_pitfall_21_the_likely_address_leads() -> None:
    """Wireless before a container's bridge; only offline is there none."""
    adapters = (Adapter("docker0", "172.17.0.1"), Adapter("wlan0", "192.168.1.20"))
    found = rank_addresses(adapters, frozenset({"192.168.1.20"}))
    assert [own.address for own in found if own.shown] == ["192.168.1.20"]
    assert not [own for own in rank_addresses((Adapter("lo", "::1"),)) if own.shown]


@pytest.mark.slow
async def test_pitfall_22_a_lost_friend_is_told_and_waited_for(tmp_path: Path) -> None:
    """Both screens say what happened; nothing has to be begun anew."""
    await test_flows.test_a_friend_who_leaves_is_waited_for_and_comes_back(tmp_path)


@pytest.mark.slow
def test_pitfall_23_a_used_invite_is_worth_nothing(tmp_path: Path) -> None:
    """Whoever reads it in a process list later is told that it does not fit."""
    test_hosting.test_an_invite_works_once(tmp_path)
    told = explain("invite-refused", {})
    assert "does not fit" in told.sentence
    assert "shows a fresh one" in told.sentence


@pytest.mark.slow
async def test_pitfall_24_trust_is_asked_for(tmp_path: Path) -> None:
    """First contact shows the same cards on both screens and stores nothing yet."""
    async with (
        hosted(tmp_path) as (ala, _, invite),
        joining(tmp_path, place_of(invite)) as (olek, _),
    ):
        for stage in (ala, olek):
            await stage.shows("the same four cards")
        rows = [next(row for row in s.lines if "│" in row) for s in (ala, olek)]
        assert rows[0] == rows[1]
        stored = await asyncio.to_thread(lambda: list(tmp_path.rglob("peers.toml")))
        assert not stored


def test_pitfall_25_a_half_open_connection_is_noticed() -> None:
    """Quiet is said in the bar, death in a box (10 s and 15 s: session, netns)."""
    test_table_boxes.test_a_quiet_and_a_lost_opponent_are_told_apart()


def test_pitfall_26_a_vanished_opponent_is_neither_lost_nor_waited_for_ever() -> None:
    """Wait, save, and record as abandoned from the second minute on."""
    test_table_boxes.test_abandoning_is_offered_after_two_minutes_and_asked_twice()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("::1", Address("::1", 4747)),
        ("[::1]:5", Address("::1", 5)),
        ("fe80::1%eth0", Address("fe80::1%eth0", 4747)),
        ("[fe80::1%25eth0]:5", Address("fe80::1%eth0", 5)),
        ("host:", None),
        (":5", None),
        ("1.2.3.4:99999", None),
    ],
)
def test_pitfall_27_ipv6_literals(text: str, meant: Address | None) -> None:
    """Each spelling is read, or refused before anything is dialled."""
    if meant is not None:
        assert parse_target(text) == meant
        return
    with pytest.raises(AddressError):
        parse_target(text)
