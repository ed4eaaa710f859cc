"""The checks of ``crapette doctor``: each looks, none changes anything."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from typing import Final

from crapette_p2p import __version__
from crapette_p2p.cli.check import Check
from crapette_p2p.cli.context import config_path_of, has_terminal, paths_of
from crapette_p2p.cli.network_checks import network_checks
from crapette_p2p.cli.output import printable
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.identity import load_identity
from crapette_p2p.net.paths import Paths
from crapette_p2p.net.peers import PeerBook
from crapette_p2p.session.keys import fingerprint, format_fingerprint
from crapette_p2p.ui.config_file import read_config
from crapette_p2p.ui.settings import settle
from crapette_p2p.ui.wording import explain

SMALLEST: Final = (60, 18)
"""The smallest terminal that shows a whole table."""


def all_checks(args: argparse.Namespace) -> list[Check]:
    """Look at everything."""
    paths = paths_of(args)
    return [
        _program(),
        *_terminal(),
        _config(args),
        _files(paths),
        _key(paths),
        _players(paths),
        *network_checks(_usual_port(args)),
    ]


def _usual_port(args: argparse.Namespace) -> int:
    config = read_config(config_path_of(args), words_in_force())
    settled = settle(
        flags={}, environ=os.environ, config=config.values, words=words_in_force()
    )
    return settled.settings.port


def _program() -> Check:
    what = f"crapette {__version__}, Python {platform.python_version()}"
    return Check("program", ok=True, detail=f"{what}, {platform.system()}")


def _terminal() -> Iterator[Check]:
    if not has_terminal():
        yield Check(
            "terminal",
            ok=None,
            detail="none here (a pipe, or TERM=dumb)",
            hint="In lines: crapette --plain",
        )
    else:
        size = shutil.get_terminal_size()
        fits = size.columns >= SMALLEST[0] and size.lines >= SMALLEST[1]
        cols, rows = SMALLEST
        wanted = words("A whole table needs {cols}x{rows}.", cols=cols, rows=rows)
        name = printable(os.environ.get("TERM", "no TERM"))
        detail = f"{size.columns}x{size.lines}, {name}"
        yield Check("terminal", ok=fits, detail=detail, hint="" if fits else wanted)
        yield _widths()
    yield _encoding()


def _encoding() -> Check:
    encoding = sys.stdout.encoding or "unknown"
    try:
        "♠♥♦♣".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return Check(
            "encoding",
            ok=False,
            detail=words(
                "{encoding}: it has no suits, letters are used", encoding=encoding
            ),
            hint="A UTF-8 locale shows them: LC_ALL=C.UTF-8",
        )
    return Check("encoding", ok=True, detail=encoding)


def _widths() -> Check:
    from crapette_p2p.ui.probe import probe

    if probe():
        return Check(
            "glyphs",
            ok=False,
            detail="suits are drawn two cells wide, letters are used",
            hint="Set ambiguous width to narrow in the terminal's settings.",
        )
    return Check("glyphs", ok=True, detail="suits and lines are one cell wide")


def _config(args: argparse.Namespace) -> Check:
    path = config_path_of(args)
    config = read_config(path, words_in_force())
    settled = settle(
        flags={}, environ=os.environ, config=config.values, words=words_in_force()
    )
    warnings = (*config.warnings, *settled.warnings)
    if warnings:
        text = "; ".join(map(printable, warnings))
        return Check("config", ok=False, detail=text, hint="crapette config edit")
    exists = "" if os.path.exists(path) else words(" (not made yet)")
    return Check("config", ok=True, detail=f"{path}{exists}")


def _files(paths: Paths) -> Check:
    home = paths.data
    while not os.path.exists(home) and home != home.parent:
        home = home.parent
    if not os.access(home, os.W_OK | os.X_OK):
        return Check(
            "files",
            ok=False,
            detail=words("{path} cannot be written", path=home),
            hint="Another place: crapette --data-dir DIR",
        )
    free = shutil.disk_usage(home).free // (1024 * 1024)
    return Check(
        "files",
        ok=free > 1,
        detail=words("{path}, {n} MiB free", path=paths.data, n=free),
    )


def _key(paths: Paths) -> Check:
    path = paths.identity_key
    if not os.path.exists(path):
        return Check("key", ok=True, detail="none yet; it is made on first use")
    try:
        identity = load_identity(path)
    except StorageError as error:
        return _unreadable("key", error)
    text = format_fingerprint(fingerprint(identity.public))
    return Check("key", ok=True, detail=text)


def _players(paths: Paths) -> Check:
    """The list of known players, which commands and tables do without if they must."""
    path = paths.peers_file
    try:
        known = PeerBook(path).all()
    except StorageError as error:
        return _unreadable("players", error)
    detail = f"{path}" if known else "you know nobody yet"
    return Check("players", ok=True, detail=detail)


def _unreadable(name: str, error: StorageError) -> Check:
    told = explain(error.failure.code, error.failure.facts, words_in_force())
    return Check(name, ok=False, detail=told.sentence, hint=told.hint)
