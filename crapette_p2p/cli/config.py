"""``crapette config``: read and change the settings of ``config.toml``."""

from __future__ import annotations

import argparse
from pathlib import Path

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.output import excerpt, write_line
from crapette_p2p.cli.speaking import words, words_in_force

NAME = "config"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("get", "set", "unset", "path", "edit"),
        default="get",
        help="what to do (default: get, which without KEY lists all)",
    )
    parser.add_argument("key", nargs="?", metavar="KEY", help="which setting")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="its new value")


def run(args: argparse.Namespace) -> int:
    """Do what was asked to the config file of this run."""
    from crapette_p2p.cli.context import config_path_of

    path = config_path_of(args)
    _check_arguments(args)
    if args.action == "path":
        write_line(str(path))
    elif args.action == "edit":
        return _edit(path)
    elif args.action == "get":
        _get(args)
    elif args.action == "set":
        _set(path, args.key, args.value)
    else:
        _unset(path, args.key)
    return 0


def _check_arguments(args: argparse.Namespace) -> None:
    wanted = {"get": (0, 1), "set": (2, 2), "unset": (1, 1), "path": (0, 0)}
    given = sum(part is not None for part in (args.key, args.value))
    low, high = wanted.get(args.action, (0, 0))
    if not low <= given <= high:
        raise CommandFailed(
            words("config {action}: wrong number of arguments", action=args.action),
            hint="For example: crapette config set name Ala",
        )
    if args.key is not None:
        _check_key(args.key)


def _check_key(key: str) -> None:
    from crapette_p2p.ui.settings import KEYS

    if key not in KEYS:
        import difflib

        near = difflib.get_close_matches(key, KEYS, n=3, cutoff=0.6)
        meant = words("; did you mean {names}?", names=", ".join(near)) if near else ""
        raise CommandFailed(
            words(
                "config: no setting is called {key!r}{meant}",
                key=excerpt(key, 40),
                meant=meant,
            ),
            hint="All of them: crapette config get",
        )


def _get(args: argparse.Namespace) -> None:
    from crapette_p2p.cli.context import settings_of
    from crapette_p2p.ui.settings import KEYS

    settings = settings_of(args)
    if args.key is not None:
        write_line(_written(getattr(settings, args.key)))
        return
    for key in KEYS:
        write_line(f"{key} = {_written(getattr(settings, key))}".rstrip())


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _set(path: Path, key: str, text: str) -> None:
    from crapette_p2p.ui.config_file import write_value
    from crapette_p2p.ui.settings import parse_value

    try:
        value = parse_value(key, text, words_in_force())
    except ValueError as wrong:
        raise CommandFailed(
            words(
                "config: {key} {wrong}, not {text!r}",
                key=key,
                wrong=wrong,
                text=excerpt(text, 40),
            ),
            hint=words("Now: crapette config get {key}", key=key),
        ) from wrong
    try:
        write_value(path, key, value)
    except (OSError, UnicodeDecodeError) as error:
        raise _not_written(path, error) from error


def _unset(path: Path, key: str) -> None:
    from crapette_p2p.ui.config_file import remove_value

    try:
        remove_value(path, key)
    except (OSError, UnicodeDecodeError) as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: Exception) -> CommandFailed:
    from crapette_p2p.cli.explaining import system_reason

    return CommandFailed(
        words(
            "config: {path} cannot be written: {reason}",
            path=excerpt(path),
            reason=system_reason(error),
        ),
        hint="Another file: crapette --config FILE config ...",
    )


def _edit(path: Path) -> int:
    import os
    import shlex
    import subprocess

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_written(path, error) from error
    try:
        # The player's own editor, named by himself.
        done = subprocess.run([*shlex.split(editor), str(path)], check=False)  # noqa: S603
    except (OSError, ValueError) as error:
        raise CommandFailed(
            words(
                "config: the editor {editor!r} cannot be started",
                editor=excerpt(editor, 40),
            ),
            hint="Set EDITOR, or: crapette config set KEY VALUE",
        ) from error
    return 0 if done.returncode == 0 else 1
