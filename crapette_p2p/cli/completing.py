"""The names a completion script asks for at each Tab: games, players.

Players are those who are known, and whoever had a table when the network was looked
at last. Only directories and two small files are read; whatever is wrong with them,
a Tab prints nothing rather than a complaint. Bash expands what it is given here, so
a name is printed only if it is one plain word.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tomllib

from crapette_p2p.net.files import read_named
from crapette_p2p.net.paths import find_paths


def complete(arguments: list[str]) -> int:
    """Print the names of a kind, one a line."""
    kind = arguments[0] if arguments else ""
    names: list[str] = []
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        if kind == "games":
            names = ["last", *_games()]
        elif kind == "peers":
            names = sorted({*_peers(), *_tables()})
    sys.stdout.write("".join(f"{name}\n" for name in names if _is_plain(name)))
    return 0


def _is_plain(name: str) -> bool:
    return all(letter.isalnum() or letter in "-_." for letter in name)


def _games() -> list[str]:
    stems = (path.stem for path in find_paths().games.glob("*.crlog"))
    return sorted((stem.partition("-")[2] for stem in stems), reverse=True)


def _tables() -> list[str]:
    from crapette_p2p.net.recent import recent_tables

    return recent_tables(find_paths().tables)


def _peers() -> list[str]:
    if not os.path.exists(find_paths().peers_file):
        return []
    table = tomllib.loads(read_named(find_paths().peers_file).decode())
    entries = table.get("peer", [])
    found = (entry.get("name") for entry in entries if isinstance(entry, dict))
    return sorted(name for name in found if isinstance(name, str))
