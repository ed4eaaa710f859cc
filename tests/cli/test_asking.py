"""Asking where to join: history, and names that Tab completes."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from crapette_p2p.cli import asking
from crapette_p2p.cli.asking import Names, ask_address
from crapette_p2p.net.discovery import Tables
from crapette_p2p.net.multicast import Raw
from crapette_p2p.net.paths import Paths, find_paths
from crapette_p2p.net.peers import KnownPeer
from crapette_p2p.net.player import Player, player_at
from tests.net.spoofing import make_said, txt_of


class Recorded:
    """Stands in for readline and notes what it was told."""

    def __init__(self) -> None:
        self.completer: Callable[[str, int], str | None] = lambda _text, _state: None
        self.files: list[str] = []

    def set_completer(self, function: Callable[[str, int], str | None]) -> None:
        """Keep the completer."""
        self.completer = function

    def set_completer_delims(self, string: str) -> None:
        """A name with a space is one word."""
        assert string == ""

    def parse_and_bind(self, string: str) -> None:
        """Tab it is."""
        assert string == "tab: complete"

    def read_history_file(self, filename: str) -> None:
        """Note the file; there is none the first time."""
        self.files.append(filename)
        raise FileNotFoundError(filename)

    def write_history_file(self, filename: str) -> None:
        """Write one line."""
        Path(filename).write_text("192.168.1.20\n")

    def set_history_length(self, length: int) -> None:
        """Some lines are kept."""
        assert length == asking.MOST_LINES


@pytest.fixture
def readline(monkeypatch: pytest.MonkeyPatch) -> Recorded:
    """A recorded readline."""
    recorded = Recorded()
    monkeypatch.setattr(asking, "_readline", lambda: recorded)
    return recorded


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """Below ``tmp_path``."""
    return find_paths(str(tmp_path / "home"), {})


@pytest.fixture
def player(paths: Paths) -> Player:
    """Ala, who knows Olek."""
    ala = player_at(paths, "Ala")
    ala.peers.remember(KnownPeer(key=bytes(32), petname="Olek Nowak"))
    return ala


def test_what_tab_offers() -> None:
    """Names by their beginning, in any case, in order, and no more than there are."""
    names = Names(["Olek", "olga", "Ala", "bad\x1b"])
    assert [names.complete("ol", n) for n in range(3)] == ["Olek", "olga", None]
    names.add(["Oliver"])
    assert [names.complete("OLI", n) for n in range(2)] == ["Oliver", None]
    assert names.complete("bad", 0) is None


def test_asked_with_history(readline: Recorded, paths: Paths, player: Player) -> None:
    """Friends are offered while it is asked; the history is its owner's alone."""

    def ask(question: str) -> str:
        assert question == "where? "
        assert readline.completer("olek n", 0) == "Olek Nowak"
        return "typed"

    assert ask_address("where? ", player, paths, looks=False, ask=ask) == "typed"
    assert readline.files == [str(paths.history)]
    assert stat.S_IMODE(paths.history.stat().st_mode) == 0o600
    assert readline.completer("olek n", 0) is None


def test_nothing_typed(readline: Recorded, paths: Paths, player: Player) -> None:
    """The end of input is the caller's, and the history is kept all the same."""
    del readline

    def ask(_: str) -> str:
        raise EOFError

    with pytest.raises(EOFError):
        ask_address("where? ", player, paths, looks=False, ask=ask)
    assert paths.history.exists()


def test_without_readline(
    paths: Paths, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain question is asked, and nothing else is needed."""
    monkeypatch.setattr(asking, "_readline", lambda: None)
    assert ask_address("?", player, paths, looks=True, ask=lambda _: "x") == "x"
    assert not paths.history.exists()


def test_a_damaged_book_offers_nobody(
    readline: Recorded, paths: Paths, player: Player
) -> None:
    """Trouble with the list of friends does not keep anybody from typing."""
    player.peers.path.write_text("not toml")

    def ask(_: str) -> str:
        assert readline.completer("", 0) is None
        return "x"

    assert ask_address("?", player, paths, looks=False, ask=ask) == "x"


async def test_tables_are_offered_as_they_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever hosts on this network can be completed a moment later."""

    @asynccontextmanager
    async def browse() -> AsyncIterator[Tables]:
        tables = Tables(own=None, is_known=lambda _: False, binds=())
        txt = txt_of(dict(make_said("Zoe").entries()))
        tables.heard("t", Raw(txt, 4747, ("10.0.0.1",)))
        yield tables

    monkeypatch.setattr("crapette_p2p.net.discovery.browse", browse)
    monkeypatch.setattr(asking, "LOOK_SECONDS", 0.05)
    names = Names([])
    await asyncio.to_thread(asking._look_around, names)
    assert names.complete("z", 0) == "Zoe"
