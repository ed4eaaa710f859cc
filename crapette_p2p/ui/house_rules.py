"""Rules that a table plays by: a preset's name, or a TOML file of house rules.

A file names a preset and the switches it changes (rules.md 3):

    name = "our table"          # optional, what the other player is shown
    preset = "crapette"
    reserve_size = 11

What is wrong with a file is said with the line and the switch.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crapette_p2p.engine.ruleset import (
    DEFAULT_PRESET,
    PRESETS,
    RuleSet,
    parse_rules,
    rules_to_json,
)
from crapette_p2p.errors import NotationError
from crapette_p2p.gamelog.labels import has_unseen

_LABEL_BYTES: Final = 32
"""What the genesis gives the label (protocol.md 5)."""
_TABLE_BYTES: Final = 64 * 1024
"""A file of switches is a few lines; anything large is the wrong file."""


@dataclass(frozen=True, slots=True)
class TableRules:
    """A rule set and what to call it."""

    label: str
    """A preset's name, or the name the file gives itself."""
    rules: RuleSet
    """What counts."""


def find_rules(name: str) -> TableRules:
    """The rules that ``name`` stands for: a preset, or the path of a file.

    Raises NotationError (what is wrong, ``field`` the switch) or OSError.
    """
    if name in PRESETS:
        return TableRules(name, PRESETS[name])
    path = Path(name)  # that of "" would be the directory we are in
    is_word = path.suffix != ".toml" and path.name == name
    if is_word and not os.path.exists(name):
        sentence = "no preset {token!r} (there are: {known})"
        raise NotationError(sentence, token=name, known=", ".join(PRESETS))
    from crapette_p2p.net.files import open_named  # a preset is in no file

    with open_named(path) as file:
        content = file.read(_TABLE_BYTES + 1)
    return parse_house_rules(content, source=str(name))


def parse_house_rules(content: bytes, *, source: str) -> TableRules:
    """Read a file of house rules; ``source`` is what a complaint calls it."""
    import tomllib  # presets need none of it

    from crapette_p2p.net.toml import parse_toml

    text = _text_of(content, source)
    try:
        table = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        sentence = "{source} is no TOML: {error}"
        raise NotationError(sentence, source=source, error=error) from error
    label = table.pop("name", None)
    try:
        rules = parse_rules(table, field="rules")
    except NotationError as error:
        switch = error.field.removeprefix("rules").removeprefix(".") or "preset"
        more = {k: v for k, v in error.values.items() if k not in ("field", "token")}
        cause = NotationError(error.sentence, field=switch, token=error.token, **more)
        raise NotationError(
            "{source}: line {line}: {cause}",
            field=switch,
            token=error.token,
            source=source,
            line=_line_of(text, switch),
            cause=cause,
        ) from error
    if label is None:
        base = str(table.get("preset", DEFAULT_PRESET))
        label = base if rules == PRESETS[base] else f"{base}, house rules"
    elif not _is_label(label):
        sentence = "{source}: line {line}: name has to be a short text"
        line = _line_of(text, "name")
        raise NotationError(sentence, field="name", source=source, line=line)
    return TableRules(str(label), rules)


def house_rules_toml(table: TableRules) -> str:
    """The file that ``parse_house_rules`` reads back: a preset and what it changes."""
    import json

    value = rules_to_json(table.rules)
    fields = {"preset": value} if isinstance(value, str) else value
    assert isinstance(fields, dict)  # noqa: S101 - the other form of rules_to_json
    # JSON's strings, numbers, lists and booleans are TOML's.
    lines = [f"{name} = {json.dumps(entry)}" for name, entry in fields.items()]
    if _is_label(table.label) and table.label not in PRESETS:
        lines.insert(0, f"name = {json.dumps(table.label, ensure_ascii=False)}")
    return "\n".join([*lines, ""])


def _text_of(content: bytes, source: str) -> str:
    if len(content) > _TABLE_BYTES:
        sentence = "{source}: too large for a file of house rules"
        raise NotationError(sentence, source=source)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = "{source}: not text ({reason})"
        raise NotationError(sentence, source=source, reason=error.reason) from error
    if not text.strip():
        sentence = "{source}: empty; a file of house rules names a preset"
        raise NotationError(sentence, source=source)
    return text


def _is_label(label: object) -> bool:
    return (
        isinstance(label, str)
        and 0 < len(label.encode()) <= _LABEL_BYTES
        and label.isprintable()
        and label == label.strip()
        and not has_unseen(label)
    )


def _line_of(text: str, switch: str) -> int:
    import re

    pattern = re.compile(rf"""\s*["']?{re.escape(switch)}["']?\s*=""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return number
    return 1
