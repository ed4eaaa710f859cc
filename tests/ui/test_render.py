"""Pictures: goldens by tier and look, exact rows, the mouse's map, any position."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine.layout import PILE_COUNT, Seat
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.ruleset import RuleSet
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.faces import PLAIN_THEME, Theme
from crapette_p2p.ui.input.editing import LONGEST
from crapette_p2p.ui.language import LANGUAGES, Words
from crapette_p2p.ui.render import Frame, KeyHit, PileHit, SeekHit, render
from crapette_p2p.ui.render.cells import char_width
from crapette_p2p.ui.table_view import (
    LogEntry,
    LogItem,
    Scrubber,
    TableView,
)
from crapette_p2p.ui.view import BarPiece, Choice, Dialog, PageView, Prompt, Row
from tests.ui.boards import MIDGAME
from tests.ui.pictures import GOLDENS, PICTURES, TABLE, picture

SIZES = [(60, 18), (80, 24), (90, 27), (100, 30), (120, 40), (140, 45), (200, 60)]
THEMES = [
    PLAIN_THEME,
    Theme(letters=True),
    Theme(ascii_only=True),
    *(Theme(words=Words(lang)) for lang in ("pl", "ru", "fr", "de")),
]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_was(name: str) -> None:
    """Every golden is reproduced, character by character."""
    golden = (GOLDENS / f"{name}.txt").read_text(encoding="utf-8")
    assert picture(name) == golden


def test_a_long_line_costs_what_is_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """A book that was pasted must not slow every key: its end alone is measured."""
    measured: list[str] = []

    def measuring(text: str) -> int:
        measured.append(text)
        return sum(map(char_width, text))

    monkeypatch.setattr("crapette_p2p.ui.render.bars.text_width", measuring)
    text = "ąb " * (LONGEST // 3)
    view = PageView(title="", prompt=Prompt("say:", text, len(text)))
    assert text[-70:].strip() in "\n".join(render(view, 80, 24).text())
    assert any(part.strip() and part in text for part in measured)
    assert sum(map(len, measured)) < 1000


def test_every_golden_has_its_picture() -> None:
    """No golden is left behind by a picture that is gone."""
    assert {path.stem for path in GOLDENS.glob("*.txt")} == PICTURES.keys()


def check(frame: Frame, cols: int, rows: int) -> None:
    """Exactly ``rows`` rows of ``cols`` cells, nothing that could drive a terminal."""
    assert len(frame.lines) == len(frame.hits) == rows
    for text, hits in zip(frame.text(), frame.hits, strict=True):
        assert wcswidth(text) == cols
        assert len(hits) == cols
        assert text.isprintable()
        assert not any("\ufe00" <= c <= "\ufe0f" for c in text)
        assert not any(0x1F0A0 <= ord(c) <= 0x1F0FF for c in text)
    if frame.cursor is not None:
        x, y = frame.cursor
        assert 0 <= x < cols
        assert 0 <= y < rows


@pytest.mark.parametrize(("cols", "rows"), SIZES)
@pytest.mark.parametrize("theme", THEMES, ids=lambda t: f"{t.words.lang}-{t.suits}")
def test_rows_are_exact_at_every_size_and_look(
    cols: int, rows: int, theme: Theme
) -> None:
    """Each row takes exactly the terminal's cells, by wcwidth's count."""
    check(render(TABLE, cols, rows, theme), cols, rows)


def test_ascii_is_ascii() -> None:
    """The ASCII look has no other character, and no question mark but help's."""
    text = "".join(render(TABLE, 80, 24, Theme(ascii_only=True)).text())
    assert text.isascii()
    assert text.count("?") == 1


@pytest.mark.parametrize(("cols", "rows"), SIZES)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_on_the_screen_is_its_piles(
    cols: int, rows: int, seat: int, lang: str
) -> None:
    """Wherever a pile's card is drawn, a press means that pile; all can be hit."""
    theme = Theme(words=words_of(lang))
    view = replace(TABLE, seat=Seat(seat), picked=None, marks=frozenset())
    frame = render(view, cols, rows, theme)
    hit = {h.pile for row in frame.hits for h in row if isinstance(h, PileHit)}
    assert hit == set(range(PILE_COUNT))
    for pile in range(PILE_COUNT):
        face = MIDGAME.top(pile)
        if face in {-1, UNKNOWN}:
            continue
        cell = theme.cell(face)
        places = [
            (x, y)
            for y, line in enumerate(frame.text())
            for x in range(cols - 2)
            if line[x : x + 3] == cell and frame.hit(x, y) == PileHit(pile)
        ]
        for x, y in places:
            assert {frame.hit(x + n, y) for n in range(3)} == {PileHit(pile)}
        assert places, f"pile {pile} is nowhere"


def test_the_sides_change_and_the_columns_do_not() -> None:
    """Seen by B the own piles are B's, and every fan stands where it stood."""
    a, b = (
        render(replace(TABLE, seat=Seat(seat), picked=None), 80, 24) for seat in (0, 1)
    )
    assert a.text()[6:13] == b.text()[6:13]
    rows = range(6, 13)
    assert [a.hits[y] for y in rows] == [b.hits[y] for y in rows]
    assert a.hit(22, 15) == PileHit(16)
    assert b.hit(22, 15) == PileHit(17)


@pytest.mark.parametrize("lang", ["en", "pl", "ru", "fr", "de"])
def test_the_key_line_begins_with_help(lang: str) -> None:
    """However narrow, the way to the help page is in sight."""
    for cols in (60, 61, 66, 80, 100):
        frame = render(TABLE, cols, 24, Theme(words=Words(lang)))
        assert frame.text()[-1].startswith(" ? ")
        assert frame.hit(1, 23) == KeyHit("?")


def test_without_colour_everything_differs_in_text() -> None:
    """Picked, playable, just moved, pointed out, whose turn: all have signs."""
    plain = replace(TABLE, picked=None, marks=frozenset())
    signs = [
        render(plain, 80, 24).text(),
        render(replace(plain, picked=1), 80, 24).text(),
        render(replace(plain, marks=frozenset({1})), 80, 24).text(),
        render(replace(plain, targets=frozenset({1})), 80, 24).text(),
    ]
    rows = [lines[8] for lines in signs]
    assert [row[25:30] for row in rows] == ["[10♠]", ">10♠<", "{10♠}", "*10♠*"]


def test_a_long_fan_loses_its_brackets_then_its_middle() -> None:
    """Ten cards are whole at 80 columns; thirteen show how many are left out."""
    line = render(replace(TABLE, marks=frozenset()), 80, 24).text()[8]
    assert "K♠‥5‥ 7♣ 6♦ 5♠ 4♥ 3♣ 2♦[ A♠]" in line
    roomy = render(replace(TABLE, marks=frozenset()), 100, 30).text()[9]
    assert "K♠ Q♥ J♣10♦ 9♠ 8♥ 7♣ 6♦ 5♠ 4♥ 3♣ 2♦ A♠" in roomy


# Any position, any size ---------------------------------------------------------


def any_position(seed: int) -> Position:
    """Any cards in any piles, possible or not."""
    dice = random.Random(seed)  # noqa: S311 - a repeatable mess
    slots = dice.sample(range(104), 104)
    edges = [0, *sorted(dice.choices(range(105), k=PILE_COUNT - 1)), 104]
    piles = tuple(bytes(slots[a:b]) for a, b in itertools.pairwise(edges))
    unseen = dice.random()
    faces = bytes(
        UNKNOWN if dice.random() < unseen else dice.randrange(52) for _ in slots
    )
    return Position(RuleSet(), piles, faces, Seat(dice.randrange(2)))


texts = st.text(max_size=60)
pieces = st.lists(texts | st.integers(0, 51), max_size=5).map(tuple)
choices = st.lists(st.builds(Choice, texts, texts, texts), max_size=6).map(tuple)


@st.composite
def views(draw: st.DrawFn) -> TableView:
    """Anything a table screen could be asked to show."""
    pile = st.none() | st.integers(0, 23)
    items = st.lists(
        st.builds(LogItem, pieces, st.sampled_from(["move", "call", "chat"])),
        max_size=6,
    ).map(tuple)
    return TableView(
        position=any_position(draw(st.integers(0, 2**32))),
        seat=Seat(draw(st.integers(0, 1))),
        bar=draw(
            st.lists(st.builds(BarPiece, texts, st.integers(0, 9)), max_size=6).map(
                tuple
            )
        ),
        picked=draw(pile),
        cursor=draw(pile),
        targets=draw(st.frozensets(st.integers(0, 23), max_size=4)),
        marks=draw(st.frozensets(st.integers(0, 23), max_size=4)),
        found=draw(st.none() | st.integers(0, 51)),
        log=draw(st.lists(st.builds(LogEntry, texts, items), max_size=6).map(tuple)),
        log_scroll=draw(st.integers(0, 50)),
        message=draw(pieces),
        prompt=draw(
            st.none()
            | st.builds(
                lambda label, text, above: Prompt(label, text, len(text), above, 0),
                texts,
                texts,
                choices,
            )
        ),
        dialog=draw(
            st.none()
            | st.builds(Dialog, texts, st.lists(pieces, max_size=6).map(tuple), choices)
        ),
        key_lines=draw(st.lists(choices, max_size=3).map(tuple)),
        scrubber=draw(
            st.none()
            | st.builds(
                Scrubber,
                st.integers(0, 400),
                st.integers(400, 500),
                st.just(((7, "!"), (400, "~"))),
                texts,
                texts,
            )
        ),
    )


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    view=views(),
    cols=st.integers(1, 220),
    rows=st.integers(1, 70),
    theme=st.sampled_from(THEMES),
)
def test_anything_is_drawn_at_any_size(
    view: TableView, cols: int, rows: int, theme: Theme
) -> None:
    """No position, text or size raises, and no row is ever too wide."""
    check(render(view, cols, rows, theme), cols, rows)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    rows_of=st.lists(
        st.builds(Row, pieces, st.sampled_from(["", "chosen", "heading"]), texts),
        max_size=30,
    ),
    cols=st.integers(1, 120),
    rows=st.integers(1, 40),
    title=texts,
    status=texts,
    scroll=st.integers(0, 40),
)
def test_any_page_is_drawn_at_any_size(
    *, rows_of: list[Row], cols: int, rows: int, title: str, status: str, scroll: int
) -> None:
    """Pages of text obey the same rules."""
    page = PageView(title=title, status=status, rows=tuple(rows_of), scroll=scroll)
    check(render(page, cols, rows), cols, rows)


def test_the_replays_line_seeks() -> None:
    """Both ends of the line mean the first and the last place."""
    view = replace(TABLE, message=(), scrubber=Scrubber(5, 40, (), "5/40", "1×"))
    hits = [h for h in render(view, 80, 24).hits[22] if isinstance(h, SeekHit)]
    assert hits[0] == SeekHit(0)
    assert hits[-1] == SeekHit(40)
    assert [h.place for h in hits] == sorted(h.place for h in hits)
