"""The log that an argument names: a file, ``-``, ``last``, or a game's id."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.context import paths_of
from crapette_p2p.cli.errors import BAD_LOG, DONE, USAGE, CommandFailed
from crapette_p2p.cli.inputs import STDIN, read_bytes, shown
from crapette_p2p.cli.output import complain
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # most commands want no times
    from crapette_p2p.gamelog.replay import Replay
    from crapette_p2p.gamelog.times import Times

LAST: Final = "last"
HINT: Final = "Your games: crapette games"
_OWN_SUFFIXES: Final = frozenset({".crlog", ".crtimes", ".crev"})
"""What logs, their times and evidence end in."""


@dataclass(frozen=True, slots=True)
class NamedLog:
    """A log and what it was called."""

    source: str
    """As typed, or the path it stands for."""
    data: bytes
    """The file."""

    @property
    def name(self) -> str:
        """What to call it on a screen."""
        return (
            words("standard input") if self.source == STDIN else Path(self.source).stem
        )


def find_log(args: argparse.Namespace, source: str) -> NamedLog:
    """Read the log; exit 2 if there is none, 10 if what is there can be no log."""
    if source != STDIN and not os.path.exists(source):
        source = str(_kept(args, source))
    try:
        data = read_bytes(source, hint=HINT, whole=False)
    except CommandFailed as failure:
        if not os.path.isdir(source):  # a folder is no file at all
            failure.exit_code = BAD_LOG
        raise
    return NamedLog(source, data)


def opened(log: NamedLog) -> Replay:
    """The replay, up to where the log breaks; what is no log at all is exit 10."""
    from crapette_p2p.cli.explaining import sentence_of
    from crapette_p2p.errors import LogError
    from crapette_p2p.gamelog.replay import open_replay
    from crapette_p2p.net.crypto import verify

    try:
        return open_replay(log.data, verify)
    except LogError as error:
        raise CommandFailed(
            words(
                "{source} is no log of a game: {error}",
                source=shown(log.source),
                error=sentence_of(error),
            ),
            exit_code=BAD_LOG,
            hint="A log ends in .crlog: crapette games path",
        ) from error


def say_break(log: NamedLog, replay: Replay) -> int:
    """Say where a broken log breaks; the exit code of whatever wrote it down."""
    from crapette_p2p.ui.telling import break_text

    source = shown(log.source)
    told = break_text(replay, source, words_in_force())
    if not told:
        return DONE
    complain(told, words("More: crapette verify {source}", source=source))
    return BAD_LOG


def refuse_own_suffix(path: str, *, hint: str) -> None:
    """Refuse a name that would have an export taken for a log; exit 2."""
    suffix = Path(path).suffix.lower()
    if suffix in _OWN_SUFFIXES:
        raise CommandFailed(
            words(
                "{path}: only the game's own files end in {suffix}",
                path=shown(path),
                suffix=suffix,
            ),
            hint=hint,
        )


def times_beside(log: NamedLog, game_id: bytes) -> Times | None:
    """When the events of a log were recorded, if that is kept beside it."""
    from crapette_p2p.net.times import read_times

    if log.source == STDIN:
        return None
    return read_times(Path(log.source), game_id)


def _kept(args: argparse.Namespace, text: str) -> Path:
    """The log of one's own that ``last`` or the beginning of an id means."""
    from crapette_p2p.net.store import GameStore  # a file that is named needs none

    paths = paths_of(args)
    logs = GameStore(paths.games, paths.secrets).logs()
    if text == LAST:
        if not logs:
            raise CommandFailed("no game has been played here yet", hint=HINT)
        return logs[0]
    wanted = text.lower().removesuffix(".crlog")
    named = [p for p in logs if len(wanted) >= 4 and wanted in p.stem]
    if len(named) == 1:
        return named[0]
    if named:
        raise CommandFailed(
            words("{text} begins {named} games", text=shown(text), named=len(named)),
            hint=HINT,
        )
    raise CommandFailed(
        words("there is no file or game {text}", text=shown(text)),
        exit_code=USAGE,
        hint=HINT,
    )
