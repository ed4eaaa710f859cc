"""Five languages, whole: the line mode, the rules, pages at 60 columns, a change."""

from __future__ import annotations

import pytest
from wcwidth import wcswidth

from crapette_p2p.engine import Seat
from crapette_p2p.engine.notation import parse_action
from crapette_p2p.engine.play import play
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.faces import card_name
from crapette_p2p.ui.failure_texts import FAILURES
from crapette_p2p.ui.input.keymap import REPLAY_KEYS, TABLE_KEYS
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.lines import Speech, action_lines, table_lines
from crapette_p2p.ui.render import render
from crapette_p2p.ui.rulebook import heading_of, sections
from crapette_p2p.ui.screens.reading import keys_page
from crapette_p2p.ui.screens.rules_page import rules_page
from crapette_p2p.ui.screens.settings_page import SettingsScreen
from crapette_p2p.ui.settings import Settings
from crapette_p2p.ui.typed import help_lines
from crapette_p2p.ui.wording import explain
from tests.ui.test_catalogues import LANGUAGES, stretched
from tests.ui.test_lines import position


def speech(lang: str, seat: int = 0) -> Speech:
    """A reader of one language."""
    words = words_of(lang)
    return Speech(seat=Seat(seat), names=("Ala", "Olek"), words=words, spoken=True)


def said(lang: str, move: str, seat: int) -> list[str]:
    """What a reader is told of a move."""
    before = position()
    author, action = parse_action(move, before)
    after = play(before, author, action)
    told = action_lines(
        action, author, before=before, after=after, speech=speech(lang, seat)
    )
    return list(told)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_line_mode_has_no_english_left(lang: str) -> None:
    """No line of the table, of the help or of a move is as in English."""
    english = {
        *table_lines(position(), speech("en"), turn=3),
        *help_lines(words_of("en"), assist=True),
        *said("en", "R-4", 0),
    }
    own = [
        *table_lines(position(), speech(lang), turn=3),
        *help_lines(words_of(lang), assist=True),
        *said(lang, "R-4", 0),
    ]
    assert len(own) >= len(english)
    assert not english & set(own)


def test_two_readers_may_have_two_languages() -> None:
    """One move, told in Polish to its player and in Russian to the other."""
    assert said("pl", "R-4", 0) == [
        "ty: siódemka kier, skąd magazynek, dokąd kolumna 4."
    ]
    assert said("ru", "R-4", 1) == [
        "Ala: семёрка червей, откуда склад, куда колонка 4."
    ]


@pytest.mark.parametrize(
    ("lang", "name"),
    [
        ("en", "queen of spades"),
        ("pl", "dama pik"),
        ("ru", "дама пик"),
        ("fr", "dame de pique"),
        ("de", "Pik Dame"),
    ],
)
def test_cards_by_name(lang: str, name: str) -> None:
    """As a player says it."""
    assert card_name(2 * 13 + 11, words_of(lang)) == name


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_are_told_in_every_language(lang: str, preset: str) -> None:
    """Section by section, no sentence left in English."""
    english, own = sections(PRESETS[preset]), sections(PRESETS[preset], words_of(lang))
    assert len(english) - 1 <= len(own) <= len(english)
    for ours, theirs in zip(english[:7], own, strict=False):
        assert ours.heading != theirs.heading
        assert len(ours.sentences) == len(theirs.sentences)
        assert not set(ours.sentences) & set(theirs.sentences)


@pytest.mark.parametrize(
    ("preset", "lang", "term"),
    [
        ("garibaldka", "en", "magazynek – reserve"),
        ("russian-bank", "pl", "склад (магазин, чемодан) – magazynek"),
        ("crapette", "ru", "écart – сброс"),
    ],
)
def test_a_preset_names_things_as_its_country_does(
    preset: str, lang: str, term: str
) -> None:
    """Polish, Russian and French terms, with ours beside them."""
    text = sections(PRESETS[preset], words_of(lang))[-1].sentences[0]
    assert term in text
    assert heading_of(PRESETS[preset], words_of(lang))


@pytest.mark.parametrize("lang", ["en", *LANGUAGES])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_sentence_of_terms_ends_in_one_mark(preset: str, lang: str) -> None:
    """``Stop!`` has its own; and what is called alike is not explained by itself."""
    for section in sections(PRESETS[preset], words_of(lang)):
        for sentence in section.sentences:
            assert sentence[-2:] not in ("!.", "..")
    terms = sections(PRESETS[preset], words_of(lang))[-1].sentences[0]
    assert "Crapette\u00a0!\u00a0» – Crapette" not in terms


@pytest.mark.parametrize("lang", LANGUAGES)
def test_failures_are_explained_in_every_language(lang: str) -> None:
    """Sentence and hint, with the facts of the failure."""
    for code in FAILURES:
        told, english = explain(code, {}, words_of(lang)), explain(code, {})
        assert told.sentence
        assert bool(told.hint) == bool(english.hint)


@pytest.mark.parametrize(
    "words",
    [*map(words_of, LANGUAGES), Words("pl", stretched)],
    ids=[*LANGUAGES, "pseudo"],
)
def test_pages_fit_60_columns(words: Words) -> None:
    """Settings, keys and rules: every row exact, however long the words are."""
    desk = Desk(words_of=lambda _: words)
    pages = [
        SettingsScreen(desk),
        keys_page(desk, (*TABLE_KEYS, *REPLAY_KEYS)),
        *(rules_page(desk, rules) for rules in PRESETS.values()),
    ]
    for page in pages:
        page.size = (60, 18)
        frame = render(page.view(0.0), 60, 18, desk.theme)
        assert all(wcswidth(line) == 60 for line in frame.text())


def test_a_change_of_the_language_is_drawn_at_once() -> None:
    """The settings page speaks the language it has just been given."""
    desk = Desk(settings=Settings(lang="en"), words_of=words_of)
    page = SettingsScreen(desk)
    seen = []
    for lang in ("pl", "ru", "fr", "de", "en"):
        desk.change("lang", lang)
        page.size = (80, 24)
        seen.append(render(page.view(0.0), 80, 24, desk.theme).text()[0].strip())
    titles = ("Ustawienia", "Настройки", "Réglages", "Einstellungen", "Settings")
    assert all(title in row for title, row in zip(titles, seen, strict=True))
