"""Catalogues: complete where it shows, true to the source, and never too wide."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from wcwidth import wcswidth

import crapette_p2p.ui
from crapette_p2p.ui.catalogues import language_of, words_of
from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.input.keymap import REPLAY_KEYS, TABLE_KEYS
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.refusals import SENTENCES
from crapette_p2p.ui.render import KeyHit, render
from tests.ui.pictures import table_view

LANGUAGES = ("pl", "ru", "fr", "de")
FORMS = {"pl": 3, "ru": 3, "fr": 2, "de": 2}
FIELD = re.compile(r"\{\w+\}")


def said_in_source() -> set[str]:
    """Every text constant of the package's screens."""
    root = Path(crapette_p2p.ui.__file__).parent
    return {
        node.value
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_translation_has_lost_its_sentence(lang: str) -> None:
    """Every English sentence of a catalogue is said somewhere."""
    assert words_of(lang).catalogue.keys() <= said_in_source()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_fields_and_plural_forms_are_kept(lang: str) -> None:
    """The same fields in every form; as many forms as the language has."""
    for english, forms in words_of(lang).catalogue.items():
        for form in forms:
            assert sorted(FIELD.findall(form)) == sorted(FIELD.findall(english))
        assert len(forms) in {1, FORMS[lang]}


def test_all_languages_say_the_same() -> None:
    """What one catalogue translates all do."""
    keys = [words_of(lang).catalogue.keys() for lang in LANGUAGES]
    assert all(other == keys[0] for other in keys)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_shows_most_is_translated(lang: str) -> None:
    """The key lines and every refusal."""
    known = words_of(lang).catalogue
    labels = {b.label for b in (*TABLE_KEYS, *REPLAY_KEYS) if b.weight > 2 and b.label}
    assert labels <= known.keys()
    assert set(SENTENCES.values()) <= known.keys()


@pytest.mark.parametrize(
    ("lang", "number", "text"),
    [
        ("pl", 1, "1 karta"),
        ("pl", 3, "3 karty"),
        ("pl", 12, "12 kart"),
        ("pl", 22, "22 karty"),
        ("ru", 1, "1 карта"),
        ("ru", 4, "4 карты"),
        ("ru", 11, "11 карт"),
        ("ru", 21, "21 карта"),
        ("fr", 0, "0 carte"),
        ("fr", 2, "2 cartes"),
        ("de", 1, "1 Karte"),
        ("de", 0, "0 Karten"),
        ("en", 1, "1 card"),
        ("en", 5, "5 cards"),
    ],
)
def test_counts_have_the_right_form(lang: str, number: int, text: str) -> None:
    """Polish and Russian have three."""
    assert words_of(lang).count("{n} card", "{n} cards", number) == text


class Pseudo(Mapping[str, tuple[str, ...]]):
    """A language that is 40 % longer and full of accents."""

    def __getitem__(self, key: str) -> tuple[str, ...]:
        """Any sentence, stretched."""
        return (key + "é" * max(1, len(key) * 2 // 5),)

    def __iter__(self) -> Iterator[str]:
        """It knows everything, and lists nothing."""
        return iter(())

    def __len__(self) -> int:
        """See ``__iter__``."""
        return 0


@pytest.mark.parametrize(
    "words",
    [*map(words_of, LANGUAGES), Words("pl", Pseudo())],
    ids=[*LANGUAGES, "pseudo"],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_every_language_fits_every_size(words: Words, seat: int) -> None:
    """Rows stay exact, the key line begins with help, whose turn it is stands."""
    view = table_view(words, seat)
    turn = words("► YOUR MOVE") if seat == 0 else words("{name} plays …", name="Ala")
    for cols, rows in ((60, 18), (80, 24), (100, 30), (120, 40), (140, 45)):
        frame = render(view, cols, rows, Theme(words=words))
        assert all(wcswidth(line) == cols for line in frame.text())
        assert frame.hit(1, rows - 1) == KeyHit("?")
        assert turn in frame.text()[0]


@pytest.mark.parametrize(
    ("setting", "environ", "lang"),
    [
        ("de", {"LANG": "pl_PL.UTF-8"}, "de"),
        ("", {"LANG": "pl_PL.UTF-8"}, "pl"),
        ("", {"LC_ALL": "ru_RU", "LANG": "pl_PL"}, "ru"),
        ("", {"LC_MESSAGES": "fr", "LANG": "pl_PL"}, "fr"),
        ("", {"LANG": "C.UTF-8"}, "en"),
        ("", {"LANG": "ja_JP"}, "en"),
        ("", {}, "en"),
    ],
)
def test_the_language_is_set_or_the_locales(
    setting: str, environ: dict[str, str], lang: str
) -> None:
    """Flag or config, then LC_ALL, LC_MESSAGES, LANG, else English."""
    assert language_of(setting, environ) == lang


def test_an_unknown_language_is_english() -> None:
    """Nothing breaks, nothing is looked for on the disk."""
    assert words_of("../../etc/passwd").lang == "en"
