"""The games of a table: whoever asks for somebody else's finds and locks nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.gamelog.records import MAGIC
from crapette_p2p.net import kept as kept_module
from crapette_p2p.net.identity import Identity
from crapette_p2p.net.player import Player
from crapette_p2p.net.shelf import Shelf
from crapette_p2p.net.store import Recorder
from crapette_p2p.session.opengame import OpenGame
from tests.helpers.keys import key_of
from tests.helpers.pair import play_pair
from tests.net.tables import make_player


@pytest.fixture(name="kept")
def a_kept_game(tmp_path: Path) -> tuple[Player, OpenGame, Path]:
    """A player with one open game in his folder, the game, and its log."""
    pair = play_pair("russian-bank", seed=1)
    game = pair.players[0].live.open_game
    assert game is not None
    (data,) = pair.players[0].disk.logs.values()
    player = make_player(tmp_path, "Ala")
    key = pair.players[0].key
    player = replace(player, identity=Identity(key.public, key.sign))
    player.store.games.mkdir(parents=True)
    path = player.store.games / f"20261130-{game.game_id[:8].hex()}.crlog"
    path.write_bytes(data)
    return player, game, path


def test_the_peer_of_a_game_finds_it(kept: tuple[Player, OpenGame, Path]) -> None:
    """And gets the same object each time; its log is ours to write to."""
    player, game, _ = kept
    recorder = Recorder(player.store)
    shelf = Shelf(player, recorder)
    found = shelf.lookup(game.game_id, game.peer_key)
    assert found is not None
    assert found.log.head == game.log.head
    assert shelf.lookup(game.game_id, game.peer_key) is found
    assert recorder.log_of(game.game_id) is not None
    recorder.close()


def test_a_stranger_who_knows_its_id_leaves_no_trace(
    kept: tuple[Player, OpenGame, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is executed, nothing is locked: the real peer plays on elsewhere."""
    player, game, path = kept
    monkeypatch.setattr(kept_module, "load_game", None)
    recorder = Recorder(player.store)
    shelf = Shelf(player, recorder)
    for stranger in (key_of("Basia").public, key_of("Ala").public, b""):
        assert shelf.lookup(game.game_id, stranger) is None
    assert recorder.log_of(game.game_id) is None
    player.store.open(path).close()  # not locked


def test_a_game_at_hand_is_no_strangers_either(
    kept: tuple[Player, OpenGame, Path],
) -> None:
    """Even the game of this very table is only its peer's."""
    player, game, _ = kept
    shelf = Shelf(player, Recorder(player.store))
    shelf.put(game)
    assert shelf.lookup(game.game_id, key_of("Basia").public) is None
    assert shelf.lookup(game.game_id, game.peer_key) is game


@pytest.mark.parametrize("data", [b"", MAGIC, MAGIC + b"\0\0\0\4\1\x93\0\0", b"x" * 99])
def test_a_log_without_a_genesis_is_nobodys(
    kept: tuple[Player, OpenGame, Path], data: bytes
) -> None:
    """A damaged file answers no question."""
    player, game, path = kept
    path.write_bytes(data)
    shelf = Shelf(player, Recorder(player.store))
    assert player.kept.peer_of(path) is None
    assert shelf.lookup(game.game_id, game.peer_key) is None
