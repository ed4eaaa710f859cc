"""Where files are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from crapette_p2p.net.paths import find_paths


def test_data_dir_moves_everything(tmp_path: Path) -> None:
    """``--data-dir`` is the root of config, data and state alike."""
    paths = find_paths(str(tmp_path), {})
    files = [
        paths.config_file,
        paths.identity_key,
        paths.peers_file,
        paths.games,
        paths.secrets,
        paths.resume,
        paths.log_file,
        paths.history,
    ]
    assert all(path.parent == tmp_path for path in files)
    assert len(set(files)) == len(files)


def test_flag_wins_over_environment(tmp_path: Path) -> None:
    """The flag comes before CRAPETTE_DATA_DIR, which comes before the platform."""
    environ = {"CRAPETTE_DATA_DIR": str(tmp_path / "env")}
    assert find_paths(None, environ).data == tmp_path / "env"
    assert find_paths(str(tmp_path / "flag"), environ).data == tmp_path / "flag"


def test_relative_data_dir_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative directory stays the same one after a change of directory."""
    monkeypatch.chdir(tmp_path)
    assert find_paths("here", {}).data == tmp_path / "here"


@pytest.mark.skipif("sys.platform != 'linux'", reason="XDG is a Linux custom")
def test_xdg_directories_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Config, data and state go where the XDG variables point."""
    for kind in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    paths = find_paths(None, {})
    assert paths.config_file == tmp_path / "CONFIG" / "crapette" / "config.toml"
    assert paths.identity_key == tmp_path / "DATA" / "crapette" / "identity.key"
    assert paths.resume == tmp_path / "STATE" / "crapette" / "resume"
