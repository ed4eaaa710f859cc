"""``crapette rules``, and files of house rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crapette_p2p.engine.ruleset import PRESETS, SWITCHES, parse_rules
from crapette_p2p.errors import NotationError
from crapette_p2p.ui.house_rules import find_rules, parse_house_rules
from crapette_p2p.ui.rulebook import sections
from tests.cli.commands import Crapette


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_text(crapette: Crapette, name: str) -> None:
    """The text of a preset fits 80 columns and has a sentence in each section."""
    done = crapette("rules", name)
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 80
    assert name in done.out.splitlines()[0]
    assert all(section.sentences for section in sections(PRESETS[name]))


def test_the_texts_differ_where_the_rules_do() -> None:
    """No two presets read the same."""
    texts = [sections(rules) for rules in PRESETS.values()]
    assert len(set(texts)) == len(texts)


def test_without_a_name_the_presets_are_listed(crapette: Crapette) -> None:
    """``crapette rules`` lists the presets."""
    listed = [line.split()[0] for line in crapette("rules").out.splitlines()[:4]]
    assert listed == list(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_json_lists_every_switch(crapette: Crapette, name: str) -> None:
    """``--json`` gives every switch, in a form that is read back."""
    answer = json.loads(crapette("rules", name, "--json").out)
    assert answer["v"] == 1
    assert list(answer["switches"]) == list(SWITCHES)
    assert parse_rules(answer["switches"]) == PRESETS[name]
    assert parse_rules(answer["rules"]) == PRESETS[name]


def test_house_rules(crapette: Crapette, tmp_path: Path) -> None:
    """A file names a preset, what it changes, and itself."""
    path = tmp_path / "ours.toml"
    path.write_text('name = "Sunday"\npreset = "garibaldka"\nreserve_size = 11\n')
    done = crapette("rules", str(path))
    assert done.out.splitlines()[0] == "House rules (Sunday)"
    assert "lays 11 cards" in done.out
    found = find_rules(str(path))
    assert (found.label, found.rules.reserve_size) == ("Sunday", 11)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("", "empty"),
        ('preset = "crapette"', "crapette"),
        ("reserve_size = 12", "crapette, house rules"),
    ],
)
def test_labels(text: str, label: str) -> None:
    """A file without a name is called by its preset; an empty one is refused."""
    if not text:
        with pytest.raises(NotationError, match=label):
            parse_house_rules(b" \n", source="x.toml")
    else:
        assert parse_house_rules(text.encode(), source="x.toml").label == label


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# hm\nreserve_size = 10\n", "line 2: reserve_size has to be 11, 12 or 13"),
        ("\n\nenforcment = 'call'\n", "line 3: enforcment"),
        ("starter = 'first'\n", "line 1: starter has to be one of higher, lower"),
        ("foundation_duty = 'yes'\n", "line 1: foundation_duty"),
        ("preset = 'whist'\n", "line 1: preset: no preset"),
        ("foundation_duty = false\nreserve_first = true\n", "line 2: reserve_first"),
        ("a = \n", "line 1"),
        ("name = 7\n", "line 1: name"),
        ('name = "%s"\n' % ("x" * 33), "line 1: name"),
        ('name = "\u3164"\n', "line 1: name"),
        ('name = "crapette\ufe0f"\n', "line 1: name"),
        ('space_sources = ["drawn", "attic"]\n', "line 1: space_sources"),
    ],
)
def test_wrong_house_rules(
    crapette: Crapette, tmp_path: Path, text: str, said: str
) -> None:
    """What is wrong is said with the file, the line and the switch; exit 2."""
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    done = crapette("rules", str(path))
    assert done.code == 2
    assert str(path) in done.err
    assert said in done.err


@pytest.mark.parametrize("kind", ["directory", "missing.toml", "noise", "huge", "nul"])
def test_files_that_are_none(crapette: Crapette, tmp_path: Path, kind: str) -> None:
    """A directory, a missing file, noise and a huge file are refused with 2."""
    path = tmp_path / kind
    if kind == "directory":
        path.mkdir()
    elif kind == "noise":
        path.write_bytes(bytes(range(256)))
    elif kind == "huge":
        path.write_bytes(b"#" * 100_000)
    argument = "a\0b" if kind == "nul" else str(path)
    done = crapette("rules", argument)
    assert done.code == 2
    assert done.err.startswith("crapette: rules: ")
    assert len(done.err.splitlines()) == 2
