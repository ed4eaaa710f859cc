"""Run one command line: parse, run the command's module, make an exit code.

Whatever ends a command ends here: a ``CommandFailed`` is said in one or two
lines, a reader that went away is no error, and what nobody foresaw is written to
a report file (the one ``except Exception`` of the program).
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from crapette_p2p.cli import errors
from crapette_p2p.cli.output import (
    complain,
    complain_as_told,
    excerpt,
    lead_nowhere,
    write_beside,
)
from crapette_p2p.cli.parser import COMMANDS, MENU, build_parser, load
from crapette_p2p.cli.speaking import LANG_VARIABLE, speaking, words
from crapette_p2p.errors import CrapetteError

_GLOBAL_DEFAULTS: Final[dict[str, object]] = {
    "config": None,
    "data_dir": None,
    "log_file": None,
    "no_input": False,
    "yes": False,
    "verbose": 0,
    "quiet": False,
}
_PLAYING: Final = frozenset({"host", "join", "bot", "resume", MENU})
"""Modules of the commands that keep a log without being told."""


def run(argv: list[str]) -> int:
    """Parse and run in the language of the line; the exit code."""
    with speaking(argv):
        return _run(argv)


def _run(argv: list[str]) -> int:
    try:
        args = _parsed(argv)
    except BrokenPipeError:
        return _reader_left()
    except OSError as error:
        if not _is_output_lost(error):
            raise
        return _say_output_lost(error)
    return args if isinstance(args, int) else _run_command(args)


def _parsed(argv: list[str]) -> argparse.Namespace | int:
    try:
        return parse(argv)
    except SystemExit as stop:  # argparse has answered: --help, or a wrong flag
        sys.stdout.flush()
        return stop.code if isinstance(stop.code, int) else errors.USAGE


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments, with every global option present."""
    args = build_parser(argv).parse_args(argv)
    args.argv = list(argv)
    for name, value in _GLOBAL_DEFAULTS.items():
        if not hasattr(args, name):
            setattr(args, name, value)
    return args


def _run_command(args: argparse.Namespace) -> int:
    name = COMMANDS[args.command][0] if args.command else MENU
    try:
        _say_no_language(args)
        with _journal(args, name):
            exit_code = load(name).run(args)
        sys.stdout.flush()
    except errors.CommandFailed as failed:
        complain(str(failed), failed.hint)
        return failed.exit_code
    except CrapetteError as error:
        return _explain(error)
    except BrokenPipeError:
        return _reader_left()
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            write_beside("\n")  # behind the ^C, and what was asked there
        return errors.INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and _is_output_lost(error):
            return _say_output_lost(error)
        return _report(args, error)
    return int(exit_code)


def _say_no_language(args: argparse.Namespace) -> None:
    """Warn of a language in the environment that there is not; the run goes on."""
    from crapette_p2p.ui.language import LANGUAGES

    lang = os.environ.get(LANG_VARIABLE, "")
    if lang in ("", *LANGUAGES) or args.quiet:
        return
    known = ", ".join(LANGUAGES)
    complain(
        words(
            "{variable}: {lang!r} is none of the languages ({known})",
            variable=LANG_VARIABLE,
            lang=excerpt(lang, 20),
            known=known,
        )
    )


def _journal(args: argparse.Namespace, name: str) -> AbstractContextManager[None]:
    """The program's log, for a command that plays or if somebody wants it."""
    named = args.log_file or os.environ.get("CRAPETTE_LOG", "")
    if not (named or args.verbose or name in _PLAYING):
        return nullcontext()
    from crapette_p2p.cli.journal import journal

    return journal(args)


def _explain(error: CrapetteError) -> int:
    from crapette_p2p.cli.explaining import explain

    message, hint, exit_code = explain(error)
    complain_as_told(message, hint)
    return exit_code


def _report(args: argparse.Namespace, error: Exception) -> int:
    from crapette_p2p.cli.crash import write_report

    where = write_report(args, error)
    complain(
        words(
            "this is a bug ({error}); a report is in {where}",
            error=type(error).__name__,
            where=where,
        ),
        "Games are saved move by move: crapette resume",
    )
    return errors.BUG


def _reader_left() -> int:
    """Whoever read the output has gone, and that is no error."""
    lead_nowhere(sys.stdout)
    return errors.DONE


def say_unwritten(error: OSError, argv: list[str]) -> int:
    """Say that an answer given at once could not be written, and why."""
    if isinstance(error, BrokenPipeError):
        return _reader_left()
    with speaking(argv):
        return _say_output_lost(error)


def _is_output_lost(error: OSError) -> bool:
    """Whether it was stdout that could not be written, as on a full disk.

    What was buffered fails again; unbuffered, all there is to go by is that no
    file is named (those of our own that fail are StorageErrors).
    """
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return error.errno == errno.ENOSPC and error.filename is None


def _say_output_lost(error: OSError) -> int:
    """Say why the output cannot be written, which is no bug of ours."""
    from crapette_p2p.cli.explaining import system_reason

    _reader_left()
    complain(
        words(
            "{output} cannot be written: {reason}",
            output="stdout",
            reason=system_reason(error),
        )
    )
    return errors.USAGE
