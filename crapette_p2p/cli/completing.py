"""The names a completion script asks for at each Tab: games, players.

Only directories and one TOML file are read; whatever is wrong with them, a Tab
prints nothing rather than a complaint.
"""

from __future__ import annotations

import contextlib
import sys
import tomllib

from crapette_p2p.net.paths import find_paths


def complete(arguments: list[str]) -> int:
    """Print the names of a kind, one a line."""
    kind = arguments[0] if arguments else ""
    names: list[str] = []
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        if kind == "games":
            names = ["last", *_games()]
        elif kind == "peers":
            names = _peers()
    sys.stdout.write("".join(f"{name}\n" for name in names if name.isprintable()))
    return 0


def _games() -> list[str]:
    stems = (path.stem for path in find_paths().games.glob("*.crlog"))
    return sorted((stem.partition("-")[2] for stem in stems), reverse=True)


def _peers() -> list[str]:
    with find_paths().peers_file.open("rb") as file:
        table = tomllib.load(file)
    entries = table.get("peer", [])
    found = (entry.get("name") for entry in entries if isinstance(entry, dict))
    return sorted(name for name in found if isinstance(name, str))
