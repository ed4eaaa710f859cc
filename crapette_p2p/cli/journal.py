"""The program's own log, for developers: a rotated file, and stderr with ``-v``.

Warnings always, what happens with ``-v``, everything with ``-vv``. A message may
quote a peer, so control characters are escaped before they are written.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from crapette_p2p import __version__
from crapette_p2p.cli.context import log_file_of, named_log_of
from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.cli.output import excerpt, printable
from crapette_p2p.cli.speaking import words

_LOG: Final = logging.getLogger(__name__)
SIZE: Final = 1_000_000
"""Bytes after which a new file is begun."""
FILES: Final = 2
"""Old files that are kept."""
_LEVELS: Final = (logging.WARNING, logging.INFO, logging.DEBUG)
_FORM: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_OURS: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ [\w.]+: ")
"""How every line begins that was written by ``_FORM``."""
_LONGEST: Final = 200
_HINT: Final = "Name a new file: --log-file FILE"


class _Harmless(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).split("\n")
        return "\n".join(map(printable, lines))


class _Late(logging.Handler):
    """A rotated file, made with the first thing to be written: seldom."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self._file is None:
            from logging.handlers import RotatingFileHandler

            self._file = RotatingFileHandler(
                self._path,
                maxBytes=SIZE,
                backupCount=FILES,
                encoding="utf-8",
                errors="backslashreplace",
                delay=True,
            )
            self._file.setFormatter(self.formatter)
        self._file.emit(record)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        super().close()


@contextmanager
def journal(args: argparse.Namespace) -> Iterator[None]:
    """Write the log meanwhile; where there is no place for it, go without."""
    level = _LEVELS[min(args.verbose, len(_LEVELS) - 1)]
    root, raised = logging.getLogger(), logging.raiseExceptions
    kept, handlers = root.level, list(_handlers(args))
    logging.raiseExceptions = False  # a full disk is no traceback across the table
    for handler in handlers:
        handler.setFormatter(_Harmless(_FORM))
        root.addHandler(handler)
    root.setLevel(level)
    _LOG.debug("crapette %s: %s", __version__, args.command or "menu")
    try:
        yield
    finally:
        _LOG.debug("%s ends", args.command or "menu")
        root.setLevel(kept)
        logging.raiseExceptions = raised
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()


def _check(path: Path) -> None:
    """A file that somebody named has to be ours, or none yet; raises OSError."""
    with path.open("a+", encoding="utf-8", errors="replace") as file:
        if not os.path.isfile(path):
            return  # /dev/null, a pipe
        file.seek(0)
        begin = file.readline(_LONGEST)
    if begin and not _OURS.match(begin):
        raise CommandFailed(
            words(
                "{path} is no log of this program, and is left alone",
                path=excerpt(path, 200),
            ),
            hint=_HINT,
        )


def _not_written(named: str, error: OSError) -> CommandFailed:
    from crapette_p2p.cli.explaining import system_reason

    return CommandFailed(
        words(
            "{path} cannot be written: {reason}",
            path=excerpt(named, 200),
            reason=system_reason(error),
        ),
        hint=_HINT,
    )


def _handlers(args: argparse.Namespace) -> Iterator[logging.Handler]:
    if args.verbose:
        yield logging.StreamHandler()
    named = named_log_of(args)
    try:
        path = log_file_of(args)
        path.parent.mkdir(parents=True, exist_ok=True)
        if named:
            _check(path)
    except OSError as error:
        if named:
            raise _not_written(named, error) from error
        yield logging.NullHandler()
        return
    yield _Late(path)
