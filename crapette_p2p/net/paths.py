"""Where this computer keeps what belongs to a player.

Config, data and state follow the platform (XDG on Linux). ``--data-dir`` (or
``CRAPETTE_DATA_DIR``) moves all three into one directory, so that two players on
one machine never meet in a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

APP: Final = "crapette"


@dataclass(frozen=True, slots=True)
class Paths:
    """The three roots and every file below them."""

    config: Path
    """Root of what the player edits."""
    data: Path
    """Root of what must not be lost."""
    state: Path
    """Root of what may be lost."""

    @property
    def config_file(self) -> Path:
        """``config.toml``."""
        return self.config / "config.toml"

    @property
    def identity_key(self) -> Path:
        """The player's Ed25519 key, 0600."""
        return self.data / "identity.key"

    @property
    def peers_file(self) -> Path:
        """The known peers."""
        return self.data / "peers.toml"

    @property
    def games(self) -> Path:
        """The directory of logs."""
        return self.data / "games"

    @property
    def secrets(self) -> Path:
        """The directory of unrevealed seeds: never inside a log."""
        return self.data / "secrets"

    @property
    def resume(self) -> Path:
        """What a link needs to come back: role, addresses, port."""
        return self.state / "resume"

    @property
    def tables(self) -> Path:
        """Names of tables that were listed lately."""
        return self.state / "tables.json"

    @property
    def log_file(self) -> Path:
        """The program's own log, for developers."""
        return self.state / "crapette.log"

    @property
    def history(self) -> Path:
        """Addresses typed before."""
        return self.state / "history"


def find_paths(
    data_dir: str | None = None, environ: Mapping[str, str] | None = None
) -> Paths:
    """The paths for this run: flag, then environment, then platform."""
    environ = os.environ if environ is None else environ
    chosen = data_dir or environ.get("CRAPETTE_DATA_DIR", "")
    if chosen:
        root = Path(chosen).expanduser().absolute()
        return Paths(config=root, data=root, state=root)
    import platformdirs  # a named directory needs no platform

    dirs = platformdirs.PlatformDirs(APP, appauthor=False)
    return Paths(
        config=dirs.user_config_path,
        data=dirs.user_data_path,
        state=dirs.user_state_path,
    )
