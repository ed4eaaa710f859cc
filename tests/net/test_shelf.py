"""The games of a table: whoever asks for somebody else's finds and locks nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.gamelog.records import MAGIC, RecordKind, read_records
from crapette_p2p.net import kept as kept_module
from crapette_p2p.net.identity import Identity
from crapette_p2p.net.player import Player
from crapette_p2p.net.recorder import Recorder
from crapette_p2p.net.shelf import _MAX_KEPT, Shelf
from crapette_p2p.session.messages import Accept
from crapette_p2p.session.opengame import OpenGame
from tests.helpers.keys import key_of
from tests.helpers.pair import Pair, play_pair, terms
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


def test_a_peer_cannot_make_us_hold_all_we_ever_played(tmp_path: Path) -> None:
    """He names one finished game after the other: few are held, the rest let go."""
    player, games = make_player(tmp_path, "Ala"), []
    player.store.games.mkdir(parents=True)
    for seed in range(_MAX_KEPT + 3):
        pair = play_pair("russian-bank", seed=seed)
        game = pair.players[0].live.open_game
        assert game is not None
        games.append(game)
        (data,) = pair.players[0].disk.logs.values()
        name = f"20261130-{game.game_id[:8].hex()}.crlog"
        (player.store.games / name).write_bytes(data)
        key = pair.players[0].key
    player = replace(player, identity=Identity(key.public, key.sign))
    recorder = Recorder(player.store)
    shelf = Shelf(player, recorder)
    for game in games:
        assert shelf.lookup(game.game_id, game.peer_key) is not None
    assert recorder.held() == {game.game_id for game in games[-_MAX_KEPT:]}
    again = shelf.lookup(games[0].game_id, games[0].peer_key)
    assert again is not None  # it is only read once more
    recorder.close()


def test_a_peer_who_never_starts_a_deal_fills_no_folder(tmp_path: Path) -> None:
    """P6: of the deals that were accepted the newest is kept, and no other's."""
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank")
    olek = pair.players[1]
    player = make_player(tmp_path, "Olek")
    player = replace(player, identity=Identity(olek.key.public, olek.key.sign))
    recorder = Recorder(player.store)
    Shelf(player, recorder)
    accepted = []
    for _ in range(5):
        pair.join()
        pair.step_until(lambda: any(isinstance(m, Accept) for m in olek.sent))
        pair.cut()
        olek.sent.clear()
        *_, (game_id, data) = olek.disk.logs.items()
        body = read_records(data).records[0].body
        assert body[1] is None
        recorder.append(game_id, [(RecordKind.GENESIS, body)])
        accepted.append(game_id)
    assert len(set(accepted)) == 5
    assert recorder.held() == {accepted[-1]}
    (kept,) = player.kept.summaries()
    assert (kept.status, kept.game_id) == ("accepted", accepted[-1])
    recorder.close()
