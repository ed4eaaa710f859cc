"""Tables on this network: announced, seen, gone; and whatever else is announced."""

from __future__ import annotations

import asyncio
import importlib.util

import pytest

from crapette_p2p.net.discovery import (
    MOST_TABLES,
    Announcement,
    Gone,
    SeenTable,
    Watch,
    announced,
    read_announcement,
    watching,
)
from crapette_p2p.net.failures import NetError
from crapette_p2p.session.keys import format_fingerprint

KEY = bytes(range(10))
LOOPBACK = ["127.0.0.1"]
SAID = Announcement(
    fingerprint=KEY, nick="Ala", rules="crapette", port=4747, addresses=LOOPBACK
)
GOOD: dict[str, str | None] = {
    "v": "1",
    "fp": format_fingerprint(KEY),
    "nick": "Ala",
    "rules": "crapette",
    "open": "1",
}


@pytest.mark.slow
async def test_a_table_is_seen_and_gone() -> None:
    """A table appears where others look, with what it said, and goes with a word."""
    async with asyncio.timeout(20), watching(interfaces=LOOPBACK) as watch:
        async with announced(SAID, interfaces=LOOPBACK):
            seen = await watch.next()
        gone = await watch.next()
    assert isinstance(seen, SeenTable)
    assert (seen.fingerprint, seen.nick, seen.port) == (KEY, "Ala", 4747)
    assert seen.addresses == ("127.0.0.1",)
    assert seen.is_open
    assert gone == Gone(seen.name)


@pytest.mark.parametrize(
    ("changes", "port", "addresses"),
    [
        ({"nick": "\x1b]52;c;aGk=\x07"}, 4747, ["10.0.0.1"]),
        ({"nick": ""}, 4747, ["10.0.0.1"]),
        ({"nick": "a\u202eb"}, 4747, ["10.0.0.1"]),
        ({"fp": "not a key"}, 4747, ["10.0.0.1"]),
        ({"fp": None}, 4747, ["10.0.0.1"]),
        ({"v": "one"}, 4747, ["10.0.0.1"]),
        ({"v": "9" * 40}, 4747, ["10.0.0.1"]),
        ({}, None, ["10.0.0.1"]),
        ({}, 0, ["10.0.0.1"]),
        ({}, 4747, []),
    ],
)
def test_what_is_no_table_is_left_out(
    changes: dict[str, str | None], port: int | None, addresses: list[str]
) -> None:
    """Names that could drive a terminal, no key, no address: not in any list."""
    assert read_announcement("x", {**GOOD, **changes}, port, addresses) is None


def test_labels_are_made_harmless() -> None:
    """A label that cannot be printed is replaced; IPv4 addresses come first."""
    said = {**GOOD, "rules": "a\x1b[2J", "open": "0"}
    seen = read_announcement("x", said, 1, ["fe80::1", "10.0.0.1"])
    assert seen is not None
    assert (seen.rules, seen.is_open) == ("?", False)
    assert seen.addresses[0] == "10.0.0.1"


async def test_a_flood_of_tables_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more tables are asked about than a list could show."""
    asked = []

    async def ask(_watch: Watch, _zeroconf: object, name: str) -> None:
        asked.append(name)

    monkeypatch.setattr(Watch, "_ask", ask)
    watch = Watch()
    for number in range(10 * MOST_TABLES):
        watch.on_change(None, f"t{number}", gone=False)  # type: ignore[arg-type] # not asked
    await watch.aclose()
    await asyncio.sleep(0)
    assert len(asked) <= MOST_TABLES


async def test_without_zeroconf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra nothing is announced, and looking is refused."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    async with announced(SAID):
        pass
    with pytest.raises(NetError, match="no-discovery"):
        async with watching():
            pass
