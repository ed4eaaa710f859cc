"""What most commands need first: the paths and the settings of this run."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from crapette_p2p.cli.output import complain
from crapette_p2p.cli.speaking import LANG_VARIABLE, words_in_force
from crapette_p2p.net.paths import Paths, find_paths

if TYPE_CHECKING:  # brings the session and the log with it
    from crapette_p2p.net.player import Player
    from crapette_p2p.ui.settings import Settings

_FLAG = "set_"
"""Destinations of the flags that set a key of the settings begin with this."""
_NOBODY = "player"
"""The name of whoever has none."""


def paths_of(args: argparse.Namespace) -> Paths:
    """Where this run keeps its files."""
    return find_paths(args.data_dir)


def config_path_of(args: argparse.Namespace) -> Path:
    """The config file of this run."""
    chosen = args.config or os.environ.get("CRAPETTE_CONFIG", "")
    return Path(chosen).expanduser() if chosen else paths_of(args).config_file


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of this run; what is wrong with their sources goes to stderr."""
    # Not every command that has paths has settings.
    from crapette_p2p.ui.config_file import read_config
    from crapette_p2p.ui.settings import settle

    config = read_config(config_path_of(args), words_in_force())
    flags = {
        name.removeprefix(_FLAG): value
        for name, value in vars(args).items()
        if name.startswith(_FLAG)
    }
    settled = settle(
        flags=flags, environ=os.environ, config=config.values, words=words_in_force()
    )
    if not args.quiet:
        for warning in (*config.warnings, *settled.warnings):
            if not warning.startswith(LANG_VARIABLE):  # every command says that
                complain(warning)
    return settled.settings


def name_of(settings: Settings) -> str:
    """The player's name: as set, else the login name if it can be shown."""
    from crapette_p2p.gamelog.nicks import is_valid_nick

    if settings.name:
        return settings.name
    try:
        login = getpass.getuser()
    except (OSError, KeyError):  # no account behind this process
        login = ""
    return login if is_valid_nick(login) else _NOBODY


def player_of(args: argparse.Namespace, settings: Settings) -> Player:
    """Who plays on this computer; the key is made on first use."""
    from crapette_p2p.net.player import player_at

    return player_at(paths_of(args), name_of(settings))


def named_log_of(args: argparse.Namespace) -> str:
    """The file that a flag or the environment names for the program's own log."""
    return args.log_file or os.environ.get("CRAPETTE_LOG", "")


def log_file_of(args: argparse.Namespace) -> Path:
    """Where the program's own log goes; who writes it makes the directory."""
    chosen = named_log_of(args)
    return Path(chosen).expanduser() if chosen else paths_of(args).log_file


def has_terminal() -> bool:
    """Whether a person can be shown a screen and asked on it."""
    return (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and os.environ.get("TERM", "") != "dumb"
    )
