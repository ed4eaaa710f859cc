"""Catalogues: every sentence in every language, and never too wide."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from wcwidth import wcswidth

from crapette_p2p.ui.catalogues import language_of, words_of
from crapette_p2p.ui.faces import Theme
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.render import KeyHit, render
from tests.ui.pictures import table_view

ROOT = Path(__file__).parent.parent.parent
LANGUAGES = ("pl", "ru", "fr", "de")


@pytest.mark.slow
def test_no_catalogue_is_stale_or_misses_a_sentence() -> None:
    """Template, translations, fields, plural forms and compiled files fit."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "make_catalogues.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout + done.stderr == "", "run scripts/catalogues, then translate"
    assert done.returncode == 0


def test_french_leaves_no_mark_alone() -> None:
    """Only no-break blanks before ``! ? : ;`` and inside of quotation marks."""
    path = ROOT / "crapette_p2p" / "ui" / "locale" / "fr.po"
    lines = path.read_text("utf-8").splitlines()
    said = [line for line in lines if line.startswith(("msgstr", '"'))]
    assert sum("\u00a0" in line for line in said) > 400
    assert [line for line in said if re.search(r"\w [!?:;»]+(?=[ \"])|« ", line)] == []


def test_english_reads_no_catalogue() -> None:
    """It stands in the source."""
    code = (
        "import sys; from crapette_p2p.ui.catalogues import words_of;"
        "words_of('en')('help'); assert 'gettext' not in sys.modules;"
        "words_of('pl')('help'); assert 'gettext' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


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


def stretched(text: str) -> str:
    """A language that is 40 % longer and full of accents."""
    return text + "é" * max(1, len(text) * 2 // 5)


@pytest.mark.parametrize(
    "words",
    [*map(words_of, LANGUAGES), Words("pl", stretched)],
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


@pytest.mark.parametrize("lang", ["en", *LANGUAGES])
def test_the_smallest_table_names_the_keys_of_a_turn(lang: str) -> None:
    """Help, fans, reserve, draw, discard and the call stand there at 60 columns."""
    words = words_of(lang)
    frame = render(table_view(words), 60, 18, Theme(words=words))
    shown = {hit.key for hit in frame.hits[-1] if isinstance(hit, KeyHit)}
    assert {"?", "c", " ", "d", "!"} <= shown
    assert "1-8" in frame.text()[-1]


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
