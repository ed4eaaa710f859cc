"""games, peers and id on the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from crapette_p2p.net.identity import load_or_create_identity
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.peers import KnownPeer, PeerBook
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log


@pytest.fixture
def crapette(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Crapette:
    """The command, away from the developer's own files."""
    monkeypatch.delenv("CRAPETTE_DATA_DIR", raising=False)
    monkeypatch.delenv("CRAPETTE_INVITE", raising=False)
    monkeypatch.chdir(tmp_path)
    return Crapette(tmp_path / "home", capsys)


def write(path: Path, data: bytes) -> str:
    """A file with ``data``; its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


# games ------------------------------------------------------------------------


def kept(crapette: Crapette) -> str:
    """Put a finished game among those kept; its short id."""
    name = "20261130-0123456789abcdef.crlog"
    write(crapette.home / "games" / name, finished_log())
    return str(json.loads(crapette("games", "--json").out)[0]["game"])


def test_listing_games(crapette: Crapette) -> None:
    """None at first; then each with what became of it."""
    assert json.loads(crapette("--name", "Ala", "games", "--json").out) == []
    kept(crapette)
    (game,) = json.loads(crapette("games", "--json").out)
    assert game["status"] == "finished"
    assert game["result"]["reason"] == "resigned"
    assert game["seat"] is None  # a game of others
    assert "won" in crapette("games").out
    path = json.loads(crapette("games", "path", "--json").out)["path"]
    assert path == str(crapette.home / "games")


def test_exporting_a_game(crapette: Crapette, tmp_path: Path) -> None:
    """As text or as JSON lines, to the screen or into a new file only."""
    kept(crapette)
    assert crapette("games", "export", "last").out.startswith("game ")
    lines = crapette("games", "export", "last", "--format", "json").out.splitlines()
    assert json.loads(lines[0])["type"] == "genesis"
    target = tmp_path / "out.txt"
    assert crapette("games", "export", "last", "-o", str(target)).code == 0
    assert target.read_text().startswith("game ")
    assert crapette("games", "export", "last", "-o", str(target)).code == 2


@pytest.mark.parametrize(("answer", "left"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_deleting_asks(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    """A game goes only after a yes, which ``--yes`` is not."""
    kept(crapette)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    crapette("games", "delete", "last", "--yes")
    assert len(json.loads(crapette("games", "--json").out)) == left
    assert crapette("games", "delete", "last", "--no-input").code == (3 if left else 2)


def test_games_wrongly_used(crapette: Crapette) -> None:
    """Which game, says the error."""
    assert crapette("games", "export").code == 2
    assert crapette("games", "delete", "ffff").code == 2


# peers and id -----------------------------------------------------------------


def test_peers(crapette: Crapette) -> None:
    """Listed, shown, renamed and forgotten by name."""
    assert json.loads(crapette("peers", "--json").out) == []
    book = PeerBook(find_paths(str(crapette.home)).peers_file)
    key = load_or_create_identity(crapette.home / "other.key").public
    book.remember(KnownPeer(key=key, petname="Olek", nick="Olek", verified="sas"))
    assert "four cards" in crapette("peers").out
    assert crapette("peers", "rename", "olek", "My brother").code == 0
    shown = json.loads(crapette("peers", "show", "my brother", "--json").out)
    assert (shown["name"], shown["nick"]) == ("My brother", "Olek")
    assert shown["key"] == key.hex()
    assert crapette("peers", "show", "Olek").code == 2
    assert crapette("peers", "rename", "My brother").code == 2
    assert crapette("peers", "forget", "My brother").code == 0
    assert crapette("peers", "forget", "My brother").code == 2


def test_a_damaged_list_of_peers(crapette: Crapette) -> None:
    """The file is named, and it is a matter of identity."""
    write(crapette.home / "peers.toml", b"[[peer]]\n")
    done = crapette("peers")
    assert done.code != 0
    assert "peers.toml" in done.err


def test_the_own_key(crapette: Crapette, tmp_path: Path) -> None:
    """Shown, taken elsewhere, and never replaced."""
    first = json.loads(crapette("--name", "Ala", "id", "--json").out)
    assert first["name"] == "Ala"
    assert first["file"] == str(crapette.home / "identity.key")
    exported = str(tmp_path / "my.key")
    assert crapette("id", "export", exported).code == 0
    assert crapette("id", "export", exported).code == 2
    assert crapette("id", "import", exported).code == 2
    assert (
        crapette("--data-dir", str(tmp_path / "new"), "id", "import", exported).code
        == 0
    )
    moved = crapette("--data-dir", str(tmp_path / "new"), "id", "--json")
    assert json.loads(moved.out)["key"] == first["key"]
    assert crapette("id", "export").code == 2
    assert crapette("id", "show", "file").code == 2


def test_a_key_open_to_others(crapette: Crapette) -> None:
    """Exit 7, with the command that closes it."""
    crapette("id")
    (crapette.home / "identity.key").chmod(0o644)
    done = crapette("id")
    assert done.code == 7
    assert "chmod 600" in done.err


# host, join and resume --------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["join", "127.0.0.1", "--seed", "1"], "needs a bot"),
        (["host", "--auto", "club", "--port", "70000"], "no port"),
        (["host", "--auto", "club", "--port", "x"], "no port"),
        (["host", "--auto", "club", "--match", "0"], "never end"),
        (["host", "--auto", "club", "--rules", "bridge"], "bridge"),
        (["host", "--auto", "club", "--expect-key", "xyz"], "no fingerprint"),
        (["join", "1.2.3.4:99999", "--auto", "club"], "no port"),
        (["join", "[::1", "--auto", "club"], "[ADDRESS]:PORT"),
        (["join", "1.2.3.4", "--timeout", "0", "--auto", "club"], "more than 0"),
        (["join", "--auto", "club", "--no-input"], "which table"),
        (["resume", "--auto", "club"], "no interrupted game"),
        (["resume", "ffff", "--auto", "club"], "no game is called"),
    ],
)
def test_wrong_use(crapette: Crapette, arguments: list[str], said: str) -> None:
    """Exit 2, and a sentence with what was wrong."""
    done = crapette("--name", "Ala", *arguments)
    assert done.code == 2
    assert said in done.err


def test_an_address_that_is_not_ours(crapette: Crapette) -> None:
    """A table that cannot be opened is exit 4."""
    done = crapette(
        "--name", "Ala", "host", "--auto", "club", "--bind", "192.0.2.77", "--port", "0"
    )
    assert done.code == 4
    assert "192.0.2.77" in done.err


def test_resumable_games_are_listed(crapette: Crapette) -> None:
    """An empty list is a list."""
    assert json.loads(crapette("--name", "Ala", "resume", "--list", "--json").out) == []
