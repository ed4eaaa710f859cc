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

GAMES = {
    "resume": "game",
    "replay": "file",
    "verify": "files",
    "games": "game",
    "compare": "first second",
}
PEERS = {"join": "address", "peers": "names"}
FISH = "complete -c crapette -n '_shtab_crapette_using {name}' {files} -a '({ask})'"
SOURCED = "if [[ $zsh_eval_context[-1] == eval ]]"
"""How shtab asks zsh whether to register; a file that is sourced is no ``eval``."""
LOADED = "if [[ $zsh_eval_context[-1] != loadautofunc ]]"
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


_ABOUT = {
    "set_lang": "language",
    "set_color": "when to use colours, or how many",
    "set_suits": "suits as signs or as letters",
    "set_faces": "court cards of the language, or A K Q J",
    "set_theme": "the look of the screen",
}
"""Flags that explain themselves where their values stand beside them."""


def whole_parser() -> argparse.ArgumentParser:
    """The parser with every command's flags, names of games and players marked."""
    parser = fill_all(build_parser())
    for action in parser._actions:  # noqa: SLF001 - argparse shows them nowhere else
        action.help = action.help or _ABOUT.get(action.dest)
    for name, command in commands_of(parser):
        for table, function in ((GAMES, "_crapette_games"), (PEERS, "_crapette_peers")):
            for action in command._actions:  # noqa: SLF001 - argparse shows them nowhere else
                if action.dest in table.get(name, "").split():
                    action.complete = {"bash": function, "zsh": function}  # type: ignore[attr-defined] # shtab's own
                action.help = action.help or _ABOUT.get(action.dest)
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
    made = {
        shell: shtab.complete(parser, shell=shell, preamble=PREAMBLE.get(shell, ""))
        for shell in SHELLS
    }
    if SOURCED not in made["zsh"]:
        raise SystemExit("shtab asks zsh in another way now: see SOURCED")
    made["zsh"] = made["zsh"].replace(SOURCED, LOADED)
    made["fish"] = "\n".join([made["fish"].rstrip("\n"), *fish_names()])
    return {HOME / f"crapette.{shell}": text for shell, text in made.items()}


def fish_names() -> Iterator[str]:
    """Names of games (and files) and of players, which shtab cannot give to fish."""
    for table, kind, files in ((GAMES, "games", "-F"), (PEERS, "peers", "-f")):
        for name in table:
            ask = f"crapette __complete {kind} 2>/dev/null"
            yield FISH.format(name=name, files=files, ask=ask)


if __name__ == "__main__":
    HOME.mkdir(exist_ok=True)
    for path, text in scripts().items():
        whole = text.rstrip("\n") + "\n"
        # Somebody may be reading what needs no change.
        if not path.exists() or path.read_text(encoding="utf-8") != whole:
            path.write_text(whole, encoding="utf-8")
        print(path)
