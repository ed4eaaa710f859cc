"""Make the completion scripts out of the parser, with shtab.

Commands, flags and choices are static text; the names of games and players are
asked of ``crapette __complete``, which imports nothing heavy.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import shtab

from crapette_p2p.cli.completion import HOME, SHELLS
from crapette_p2p.cli.parser import build_parser, fill_all

GAMES = {"resume": "game", "replay": "file", "verify": "files", "compare": "a b"}
PEERS = {"join": "address"}
PREAMBLE = {
    "bash": """
_crapette_games() {
  compgen -W "$(crapette __complete games 2>/dev/null)" -- "$1"
  compgen -f -- "$1"
}
_crapette_peers() { compgen -W "$(crapette __complete peers 2>/dev/null)" -- "$1"; }
""",
    "zsh": """
_crapette_games() {
  compadd -- ${(f)"$(crapette __complete games 2>/dev/null)"}
  _files
}
_crapette_peers() { compadd -- ${(f)"$(crapette __complete peers 2>/dev/null)"} }
""",
}


def whole_parser() -> argparse.ArgumentParser:
    """The parser with every command's flags, names of games and players marked."""
    parser = fill_all(build_parser())
    for name, command in commands_of(parser):
        for table, function in ((GAMES, "_crapette_games"), (PEERS, "_crapette_peers")):
            for action in command._actions:  # noqa: SLF001 - argparse shows them nowhere else
                if action.dest in table.get(name, "").split():
                    action.complete = {"bash": function, "zsh": function}  # type: ignore[attr-defined] # shtab's own
    return parser


def commands_of(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command with its parser."""
    for action in parser._actions:  # noqa: SLF001 - likewise
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - likewise
            yield from action.choices.items()


def scripts() -> dict[Path, str]:
    """What each file has to hold."""
    parser = whole_parser()
    return {
        HOME / f"crapette.{shell}": shtab.complete(
            parser, shell=shell, preamble=PREAMBLE
        )
        for shell in SHELLS
    }


if __name__ == "__main__":
    HOME.mkdir(exist_ok=True)
    for path, text in scripts().items():
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        print(path)
