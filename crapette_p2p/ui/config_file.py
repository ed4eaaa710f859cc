"""``config.toml``: read with tomllib, written line by line.

Setting a key changes its line and leaves comments, order and unknown keys as the
player wrote them. A file that is no TOML counts as empty, and the complaint says
which line is broken. A change is made under a lock and replaces the file whole, so
two programs of one player lose none of each other's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.files import locked, read_named, replace_file
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.reasons import toml_reason, why_of
from crapette_p2p.ui.settings import KEYS, problem


@dataclass(frozen=True, slots=True)
class Config:
    """What the file said."""

    values: dict[str, object]
    """Known keys only, with values that fit."""
    warnings: tuple[str, ...] = ()
    """One sentence each, with the line they are about."""


def read_config(path: Path, words: Words = ENGLISH) -> Config:
    """Read the file; a missing one is empty, a broken one empty with a warning."""
    try:
        text = read_named(path).decode()
    except FileNotFoundError:
        return Config({})
    except (OSError, UnicodeDecodeError) as error:
        return Config(
            {},
            (
                words(
                    "{path}: cannot be read ({reason}); ignored",
                    path=path,
                    reason=why_of(error, words),
                ),
            ),
        )
    # No file, nothing to parse: so it is at the first start.
    import tomllib

    from crapette_p2p.net.toml import parse_toml

    try:
        table = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        return Config(
            {},
            (
                words(
                    "{path}: {error}; the defaults are used",
                    path=path,
                    error=toml_reason(str(error), words),
                ),
            ),
        )
    return _checked(path, text, table, words)


def _checked(
    path: Path, text: str, table: Mapping[str, object], words: Words
) -> Config:
    """The settings that there are and whose values fit; a warning for each other."""
    values: dict[str, object] = {}
    warnings: list[str] = []
    for key, value in table.items():
        wrong = problem(key, value, words) if key in KEYS else None
        place = {"path": path, "n": _line_of(text, key)}
        if key not in KEYS:
            told = words(
                "{path}: line {n}: no setting is called {key!r}; ignored",
                key=key,
                **place,
            )
        elif wrong is not None:
            told = words(
                "{path}: line {n}: {key} {why}; ignored", key=key, why=wrong, **place
            )
        else:
            values[key] = value
            continue
        warnings.append(told)
    return Config(values, tuple(warnings))


def write_value(path: Path, key: str, value: object) -> None:
    """Put ``key = value`` into the file, in place if the key stands there."""
    line = f"{key} = {_toml(value)}"
    with _changing(path) as lines:
        at = _place_of(lines, key)
        if at is not None:
            lines[at] = line
        else:
            lines.insert(_end_of_top_table(lines), line)


def remove_value(path: Path, key: str) -> bool:
    """Take ``key`` out of the file; whether it stood there."""
    with _changing(path) as lines:
        at = _place_of(lines, key)
        if at is not None:
            del lines[at]
    return at is not None


def _line_of(text: str, key: str) -> int:
    pattern = re.compile(rf"""\s*(?:\[\s*)?["']?{re.escape(key)}["']?\s*[\]=.]""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return number
    return 1


def _lines(path: Path) -> list[str]:
    try:
        return read_named(path).decode().splitlines()
    except FileNotFoundError:
        return []


def _end_of_top_table(lines: list[str]) -> int:
    for number, line in enumerate(lines):
        if line.lstrip().startswith("["):
            return number
    return len(lines)


def _place_of(lines: list[str], key: str) -> int | None:
    pattern = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*=""")
    for number in range(_end_of_top_table(lines)):
        if pattern.match(lines[number]):
            return number
    return None


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    import json

    # A JSON string is a TOML basic string but for DEL, which JSON leaves bare.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@contextmanager
def _changing(path: Path) -> Iterator[list[str]]:
    """Let the body change the lines, then replace the file; raises OSError."""
    path = path.resolve()  # a link into a collection of settings stays one
    try:
        with locked(path):
            lines = _lines(path)
            before = [*lines]
            yield lines
            if lines != before:
                replace_file(path, "\n".join([*lines, ""]).encode())
    except StorageError as error:
        raise OSError(None, error.failure.facts["reason"], str(path)) from error
