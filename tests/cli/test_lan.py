"""``crapette lan``, with a network of the test's own making."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from typing import Self

import pytest

from crapette_p2p.net.discovery import SeenTable, read_announcement
from crapette_p2p.session.keys import format_fingerprint
from tests.cli.commands import Crapette

KEY = bytes(range(10))


class Canned:
    """A watch that has seen one table and sees no other."""

    def __init__(self) -> None:
        said: dict[str, str | None] = {
            "v": "1",
            "fp": format_fingerprint(KEY),
            "nick": "Ala",
            "rules": "crapette",
        }
        self._seen = read_announcement("x", said, 4747, ["10.0.0.1"])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def next(self) -> SeenTable:
        """The table, once."""
        seen, self._seen = self._seen, None
        if seen is None:
            await asyncio.Event().wait()
        assert seen is not None
        return seen


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the canned network, not at the real one."""
    monkeypatch.setattr("crapette_p2p.net.discovery.watching", Canned)


def test_a_table_is_listed(crapette: Crapette) -> None:
    """One line a table: who, rules, address, seat, what we call them."""
    lines = crapette("lan", "--wait", "0.05").out.splitlines()
    assert lines[0].split() == ["name", "rules", "address", "seat", "known", "as"]
    assert lines[1].split() == ["Ala", "crapette", "10.0.0.1", "free", "-"]


def test_json(crapette: Crapette) -> None:
    """One object, or with --wait one line as soon as a table is seen."""
    line = json.loads(crapette("lan", "--wait", "0.05", "--json").out)
    assert (line["v"], line["type"], line["nick"]) == (1, "table", "Ala")
    assert (line["port"], line["open"], line["known"]) == (4747, True, None)


def test_ones_own_table_is_left_out(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody else is seen, the list says what still works."""
    monkeypatch.setattr("crapette_p2p.cli.lan._own_fingerprint", lambda _args: KEY)
    monkeypatch.setattr("crapette_p2p.cli.lan.SECONDS", 0.05)
    assert "joining by address still works" in crapette("lan").out
    assert json.loads(crapette("lan", "--json").out) == {"v": 1, "tables": []}


def test_without_zeroconf(crapette: Crapette, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the command says what to install; exit 2."""
    monkeypatch.undo()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    done = crapette("lan")
    assert done.code == 2
    assert "crapette-p2p[lan]" in done.err
    assert len(done.err.splitlines()) == 2
