"""The grid that everything is drawn on, and the finished frame.

A cell holds a character (two-cell characters are followed by an empty cell), a
style (class names, blanks between) and a target for the mouse. A ``Frame`` has
exactly ``rows`` rows of exactly ``cols`` cells.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from crapette_p2p.ui.render.cells import char_width, clean


@dataclass(frozen=True, slots=True)
class PileHit:
    """A press here means the pile."""

    pile: int


@dataclass(frozen=True, slots=True)
class KeyHit:
    """A press here means the key."""

    key: str


@dataclass(frozen=True, slots=True)
class SeekHit:
    """A press here means this place of the replay."""

    place: int


Hit = PileHit | KeyHit | SeekHit
Fragment = tuple[str, str]
"""Style (class names) and text."""

_ASCII_PAIRS: Final = (
    ("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝", "+++++++++++++++++"),
    ("─│╎╌║═░█▌●○·‥…–—", "-||-|=##|*o.:.--"),
    ("►▸◄→←↑↓▾✓✗␣×−•", ">><><^vv+x_x-*"),
    ("«»‹›’‘“”", "<><>''\"\""),
    ("♠♥♦♣łŁßøØæŒœ", "SHDClLsoOaOo"),
    ("абвгдеёжзийклмноп", "abvgdeezziyklmnop"),
    ("рстуфхцчшщъыьэюя", "rstufhccwwqyqeua"),
    ("АБВГДЕЁЖЗИЙКЛМНОП", "ABVGDEEZZIYKLMNOP"),
    ("РСТУФХЦЧШЩЪЫЬЭЮЯ", "RSTUFHCCWWQYQEUA"),
)
_ASCII: Final = str.maketrans(
    "".join(signs for signs, _ in _ASCII_PAIRS),
    "".join(plain for _, plain in _ASCII_PAIRS),
)
_NO_LETTER: Final = "."


def to_ascii(char: str) -> str:
    """One ASCII character that stands for ``char``."""
    plain = char.translate(_ASCII)
    if plain.isascii():
        return plain
    base = unicodedata.normalize("NFKD", plain)[0]
    return base if base.isascii() else _NO_LETTER


@dataclass(frozen=True, slots=True)
class Frame:
    """One finished picture."""

    cols: int
    """Cells in every row."""
    rows: int
    """How many rows."""
    lines: tuple[tuple[Fragment, ...], ...]
    """Each row as styled fragments."""
    hits: tuple[tuple[Hit | None, ...], ...]
    """What a press on each cell means."""
    cursor: tuple[int, int] | None = None
    """Where the terminal's cursor stands (column, row); None = hidden."""

    def text(self) -> list[str]:
        """The rows as plain text."""
        return ["".join(text for _, text in line) for line in self.lines]

    def hit(self, x: int, y: int) -> Hit | None:
        """What a press on column ``x``, row ``y`` means."""
        if 0 <= y < self.rows and 0 <= x < self.cols:
            return self.hits[y][x]
        return None


class Canvas:
    """A grid to draw on; whatever leaves it is clipped."""

    def __init__(self, cols: int, rows: int, *, ascii_only: bool = False) -> None:
        self.cols = cols
        self.rows = rows
        self.ascii_only = ascii_only
        self.cursor: tuple[int, int] | None = None
        self._chars = [[" "] * cols for _ in range(rows)]
        self._styles = [[""] * cols for _ in range(rows)]
        self._hits: list[list[Hit | None]] = [[None] * cols for _ in range(rows)]

    def put(
        self, x: int, y: int, text: str, style: str = "", hit: Hit | None = None
    ) -> int:
        """Write ``text`` from column ``x``; the column after it."""
        cells = _single_cells(text, self.ascii_only)
        if cells is not None:
            self._put_cells(x, y, cells, style, hit)
            return x + len(cells)
        for char in clean(text):
            x = self._put_char(x, y, char, style, hit)
        return x

    def _put_cells(
        self, x: int, y: int, cells: tuple[str, ...], style: str, hit: Hit | None
    ) -> None:
        """Write characters of one cell each, the usual case, in one go."""
        first, last = max(x, 0), min(x + len(cells), self.cols)
        if not (0 <= y < self.rows and first < last):
            return
        row = self._chars[y]
        if row[first] == "" and first:
            row[first - 1] = " "
        if last < self.cols and row[last] == "":
            row[last] = " "
        row[first:last] = cells[first - x : last - x]
        self._styles[y][first:last] = [style] * (last - first)
        if hit is not None:
            self._hits[y][first:last] = [hit] * (last - first)

    def _put_char(self, x: int, y: int, char: str, style: str, hit: Hit | None) -> int:
        width = char_width(char)
        if width == 0:
            self._join(x, y, char)
            return x
        if self.ascii_only:
            char, width = to_ascii(char), 1
        if 0 <= y < self.rows and 0 <= x <= self.cols - width:
            self._clear_halves(x, y, width)
            self._chars[y][x] = char
            if width == 2:
                self._chars[y][x + 1] = ""
            for column in range(x, x + width):
                self._styles[y][column] = style
                self._hits[y][column] = hit or self._hits[y][column]
        return x + width

    def _join(self, x: int, y: int, mark: str) -> None:
        if self.ascii_only or not (0 <= y < self.rows and 0 < x <= self.cols):
            return
        before = x - 1 if self._chars[y][x - 1] else x - 2
        if before >= 0:
            self._chars[y][before] += mark

    def _clear_halves(self, x: int, y: int, width: int) -> None:
        """Blank what would be left of two-cell characters written over."""
        row = self._chars[y]
        if row[x] == "" and x:
            row[x - 1] = " "
        after = x + width
        if after < self.cols and row[after] == "":
            row[after] = " "

    def area(self, x: int, y: int, width: int, height: int, hit: Hit | None) -> None:
        """Make a rectangle mean ``hit`` without drawing."""
        for row in range(max(y, 0), min(y + height, self.rows)):
            for column in range(max(x, 0), min(x + width, self.cols)):
                self._hits[row][column] = hit

    def blank(self, x: int, y: int, width: int, height: int, style: str = "") -> None:
        """Empty a rectangle: blanks, one style, no target."""
        self.area(x, y, width, height, None)
        for row in range(max(y, 0), min(y + height, self.rows)):
            self.put(x, row, " " * width, style)

    def frame(self) -> Frame:
        """The finished picture."""
        lines = tuple(
            _fragments(chars, styles)
            for chars, styles in zip(self._chars, self._styles, strict=True)
        )
        hits = tuple(tuple(row) for row in self._hits)
        return Frame(self.cols, self.rows, lines, hits, self.cursor)


@lru_cache(maxsize=8192)
def _single_cells(text: str, ascii_only: bool) -> tuple[str, ...] | None:
    """What is written for a text whose characters take a cell each, else None."""
    plain = text if text.isascii() and text.isprintable() else clean(text)
    if any(char_width(char) != 1 for char in plain):
        return None
    return tuple(map(to_ascii, plain)) if ascii_only else tuple(plain)


def _fragments(chars: list[str], styles: list[str]) -> tuple[Fragment, ...]:
    """Neighbouring cells of one style as one fragment."""
    fragments: list[Fragment] = []
    end = 0
    for style, cells in groupby(styles):
        start, end = end, end + len(list(cells))
        fragments.append((style, "".join(chars[start:end])))
    return tuple(fragments)
