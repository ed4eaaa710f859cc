"""**Pure**: a position → a picture in SVG, and a game → a page that steps through it.

The geometry is that of the screen: own side at the bottom, foundations in the
middle, fans growing outwards. A page holds everything it shows and loads nothing.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.cards import UNKNOWN, is_red, rank_of, suit_of
from crapette_p2p.engine.layout import (
    DRAWN,
    RESERVE,
    STOCK,
    WASTE,
    Seat,
    other,
)
from crapette_p2p.engine.position import Position
from crapette_p2p.ui.faces import SYMBOLS, rank_letters

WIDTH: Final = 1000
HEIGHT: Final = 560
_CARD: Final = (50, 70)
_STEP: Final = 26
"""How far the cards of a fan lie apart."""
_ROW: Final = 82
_FIRST_ROW: Final = 116
_CENTRE: Final = WIDTH // 2
_FOUNDATION_ROWS: Final = ((12, 13), (14, 15), (10, 11), (8, 9))
"""Spades, hearts, diamonds, clubs, as on the screen."""
_STYLE: Final = (
    "text{font:bold 17px sans-serif;text-anchor:middle}.s{font-size:12px;fill:#444}"
    ".b{fill:#111}.r{fill:#c00}rect{stroke:#555;fill:#fff}.d{fill:#69c}.e{fill:none;"
    "stroke-dasharray:4}.n{font-size:13px;fill:#222;text-anchor:start}"
)


@dataclass(frozen=True, slots=True)
class Shot:
    """One moment of a game."""

    caption: str
    """What led to it."""
    position: Position
    """The table."""


def svg(shot: Shot, names: Sequence[str], *, bottom: int = 0) -> str:
    """One picture as a file of its own."""
    body = "".join(_body(shot.position, names, Seat(bottom)))
    caption = _text(12, HEIGHT - 8, shot.caption, "n")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<style>{_STYLE}</style>{body}{caption}</svg>\n"
    )


def page(
    shots: Iterable[Shot], names: Sequence[str], *, title: str, bottom: int = 0
) -> Iterator[str]:
    """A web page in pieces: the arrow keys and the slider walk through the game."""
    yield _HEAD.format(title=html.escape(title), style=_STYLE)
    count = 0
    for count, shot in enumerate(shots, 1):  # noqa: B007 - how many there were
        body = "".join(_body(shot.position, names, Seat(bottom)))
        caption = html.escape(shot.caption)
        yield (
            f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}">{body}</svg>'
            f"<figcaption>{caption}</figcaption></figure>\n"
        )
    yield _TAIL.format(last=max(count - 1, 0))


def _body(position: Position, names: Sequence[str], bottom: Seat) -> Iterator[str]:
    yield from _side(position, other(bottom), 14, names)
    for row, (first, second) in enumerate(_FOUNDATION_ROWS):
        y = _FIRST_ROW + row * _ROW
        yield _pile(position, first, _CENTRE - 56, y)
        yield _pile(position, second, _CENTRE + 6, y)
        yield from _fan(position, row, y, towards=-1)
        yield from _fan(position, row + 4, y, towards=1)
    yield from _side(position, bottom, _FIRST_ROW + 4 * _ROW, names)


def _side(
    position: Position, seat: Seat, y: int, names: Sequence[str]
) -> Iterator[str]:
    mark = "► " if position.active == seat and position.end is None else ""
    yield _text(12, y + 40, f"{mark}{names[seat]}", "n")
    for place, kind in enumerate((STOCK, DRAWN, WASTE, RESERVE)):
        x = _CENTRE - 130 + place * 70
        pile = kind + seat
        yield _pile(position, pile, x, y, face_down=kind == STOCK)
        count = len(position.piles[pile])
        if count:
            yield _text(x + 25, y + 84, str(count), "s")


def _fan(position: Position, column: int, y: int, *, towards: int) -> Iterator[str]:
    base = _CENTRE - 125 if towards < 0 else _CENTRE + 75
    slots = position.piles[column]
    yield _text(base + (60 if towards < 0 else -10), y + 40, str(column + 1), "s")
    if not slots:
        yield _empty(base, y)
    for place, slot in enumerate(slots):
        yield _card(position.faces[slot], base + towards * _STEP * place, y)


def _pile(
    position: Position, pile: int, x: int, y: int, *, face_down: bool = False
) -> str:
    if not position.piles[pile]:
        return _empty(x, y)
    return _card(UNKNOWN if face_down else position.top(pile), x, y)


def _empty(x: int, y: int) -> str:
    return _rect(x, y, ' class="e"')


def _card(face: int, x: int, y: int) -> str:
    if face == UNKNOWN:
        return _rect(x, y, ' class="d"')
    colour = "r" if is_red(face) else "b"
    sign = SYMBOLS[suit_of(face)]
    rank = rank_letters("en")[rank_of(face) - 1]
    corner = _text(x + 14, y + 20, f"{rank}{sign}", f"{colour} s")
    return _rect(x, y, "") + corner + _text(x + 28, y + 50, f"{rank}{sign}", colour)


def _rect(x: int, y: int, extra: str) -> str:
    wide, high = _CARD
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="5"{extra}/>'


def _text(x: int, y: int, text: str, style: str) -> str:
    return f'<text x="{x}" y="{y}" class="{style}">{html.escape(text)}</text>'


_HEAD: Final = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>{style}body{{font-family:sans-serif;margin:1em auto;max-width:60em}}
figure{{display:none;margin:0}}figure.on{{display:block}}input{{width:100%}}</style>
</head><body><h1>{title}</h1><input type="range" id="at" min="0" value="0">
"""
_TAIL: Final = """\
<p>Arrow keys: one move. Home, End: first and last.</p>
<script>
const shots = document.querySelectorAll("figure"), at = document.getElementById("at");
at.max = {last};
function show() {{ shots.forEach((s, i) => s.className = i == at.value ? "on" : ""); }}
at.oninput = show; at.focus(); show();
</script></body></html>
"""
