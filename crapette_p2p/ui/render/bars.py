"""The bar at the top, the message, the key line, and a line being typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from crapette_p2p.ui.faces import Theme, card_style
from crapette_p2p.ui.render.canvas import Canvas, KeyHit, SeekHit
from crapette_p2p.ui.render.cells import (
    char_width,
    clean,
    clean_prose,
    cut,
    text_width,
    wrap,
)
from crapette_p2p.ui.view import BarPiece, Choice, Prompt, Text

if TYPE_CHECKING:  # brings the rules
    from crapette_p2p.ui.table_view import Scrubber

_BETWEEN: Final = " │ "


def text_cells(text: Text, theme: Theme) -> int:
    """Cells a text takes on this screen."""
    return text_width(plain_text(text, theme))


def plain_text(text: Text, theme: Theme) -> str:
    """The text with its cards in the screen's letters."""
    return "".join(
        theme.card(piece) if isinstance(piece, int) else clean_prose(piece)
        for piece in text
    )


def put_text(
    canvas: Canvas, at: tuple[int, int], text: Text, style: str, theme: Theme
) -> int:
    """Write a text with its cards in their colours; the column after it."""
    x, y = at
    for piece in text:
        if isinstance(piece, int):
            x = canvas.put(x, y, theme.card(piece), f"{card_style(piece)} {style}")
        else:
            x = canvas.put(x, y, piece, style)
    return x


def draw_bar(canvas: Canvas, pieces: Sequence[BarPiece]) -> None:
    """The one reverse-video line; what matters least goes first for want of room."""
    kept = [BarPiece(clean(p.text), p.weight, p.style) for p in pieces if p.text]
    while len(kept) > 1 and _bar_width(kept) > canvas.cols:
        weakest = min(kept, key=lambda piece: piece.weight)
        kept.remove(weakest)
    canvas.put(0, 0, " " * canvas.cols, "bar")
    x = 1
    for index, piece in enumerate(kept):
        if index:
            x = canvas.put(x, 0, _BETWEEN, "bar bar-edge")
        style = f"bar {piece.style}".rstrip()
        x = canvas.put(x, 0, cut(piece.text, max(canvas.cols - x, 0)), style)


def _bar_width(pieces: Sequence[BarPiece]) -> int:
    texts = sum(text_width(piece.text) for piece in pieces)
    return 2 + texts + len(_BETWEEN) * (len(pieces) - 1)


def message_lines(text: Text, cols: int, theme: Theme) -> list[Text]:
    """The sentence in lines that fit; nothing of it is ever cut off."""
    room = max(cols - 2, 1)
    if text_cells(text, theme) <= room:
        return [text]
    return [(line,) for line in wrap(plain_text(text, theme), room)]


def draw_message(canvas: Canvas, y: int, text: Text, style: str, theme: Theme) -> None:
    """One sentence that ends on row ``y``, over what is above where it is long."""
    lines = message_lines(text, canvas.cols, theme)[-max(y, 1) :]
    top = y - len(lines) + 1
    if len(lines) > 1:
        canvas.blank(0, top, canvas.cols, len(lines))
    for row, line in enumerate(lines, top):
        put_text(canvas, (1, row), line, style, theme)


def cap_of(choice: Choice) -> str:
    """What the key is called on the screen."""
    return choice.cap or choice.key


def _key_text(choice: Choice) -> str:
    return f"{cap_of(choice)} {choice.label}".rstrip()


def _keys_width(choices: Sequence[Choice], gap: int) -> int:
    widths = [text_width(_key_text(choice)) for choice in choices]
    return 2 + sum(widths) + gap * (len(widths) - 1)


def draw_keys(
    canvas: Canvas, y: int, lines: Sequence[tuple[Choice, ...]], *, x: int = 1
) -> None:
    """The longest key line that fits; each word is a button.

    Where not even the last one does, it loses labels from the left: the arrows
    explain themselves, and every key stays.
    """
    if not lines:
        return
    bare = [_unlabelled(lines[-1], count) for count in range(len(lines[-1]))]
    for line in (*lines, *bare):
        for gap in (3, 2):
            if _keys_width(line, gap) <= canvas.cols:
                _put_keys(canvas, (x, y), line, gap)
                return
    _put_keys(canvas, (x, y), lines[-1], 2)


def _unlabelled(line: tuple[Choice, ...], count: int) -> tuple[Choice, ...]:
    """The line without its first ``count`` labels."""
    first = (Choice(choice.key, "", cap_of(choice)) for choice in line[:count])
    return (*first, *line[count:])


def _put_keys(
    canvas: Canvas, at: tuple[int, int], choices: Sequence[Choice], gap: int
) -> None:
    x, y = at
    for choice in choices:
        text, cap = _key_text(choice), cap_of(choice)
        if x + text_width(text) > canvas.cols:
            return
        hit = KeyHit(choice.key)
        x = canvas.put(x, y, cap, "key", hit)
        x = canvas.put(x, y, text.removeprefix(cap), "key-label", hit) + gap


def draw_prompt(canvas: Canvas, y: int, prompt: Prompt) -> None:
    """A line being typed, its end in sight, with the cursor in it."""
    _draw_list(canvas, y, prompt)
    x = canvas.put(1, y, prompt.label + " ", "prompt")
    room = max(canvas.cols - x - 2, 1)
    start = _first_shown(prompt, room)
    cursor = x + text_width(clean(prompt.text[start : prompt.cursor]))
    shown, used = [], 0
    for char in clean(prompt.text[start:]):
        used += char_width(char)
        if used > room:
            break
        shown.append(char)
    canvas.put(x, y, "".join(shown), "typed")
    canvas.cursor = (min(cursor, canvas.cols - 1), y)


def _first_shown(prompt: Prompt, room: int) -> int:
    """The first character from which on all before the cursor has room."""
    # From the cursor back: only what is in sight is looked at, however long the line.
    start, used = prompt.cursor, 0
    while start and (used := used + char_width(prompt.text[start - 1])) <= room:
        start -= 1
    return start


def _draw_list(canvas: Canvas, y: int, prompt: Prompt) -> None:
    """What could be meant, upwards from the prompt, best next to it."""
    for index, choice in enumerate(prompt.list_above):
        row = y - 1 - index
        if row < 1:
            return
        style = "chosen" if index == prompt.chosen else "list"
        canvas.blank(0, row, canvas.cols, 1, style)
        sign = "►" if index == prompt.chosen else " "
        text = f"{sign} {cap_of(choice):<14} {choice.label}"
        canvas.put(1, row, cut(text, canvas.cols - 2), style, KeyHit(choice.key))


def draw_scrubber(canvas: Canvas, y: int, scrubber: Scrubber) -> None:
    """Where the replay is, with its marks; a press on the line seeks."""
    left = f"{'▸' if scrubber.playing else '▌▌'} {scrubber.left}  "
    x = canvas.put(1, y, left, "scrubber")
    width = canvas.cols - x - text_width(scrubber.right) - 5
    if width < 4:
        return
    line = ["─"] * width
    for place, sign in scrubber.marks:
        line[_column(place, scrubber.length, width)] = sign[:1]
    line[_column(scrubber.place, scrubber.length, width)] = "●"
    canvas.put(x, y, "├", "edge")
    _put_seek_line(canvas, (x + 1, y), line, scrubber.length)
    x = canvas.put(x + 1 + width, y, "┤", "edge")
    canvas.put(x + 2, y, scrubber.right, "scrubber")


def _column(place: int, length: int, width: int) -> int:
    return min(place * (width - 1) // max(length, 1), width - 1)


def _put_seek_line(
    canvas: Canvas, at: tuple[int, int], line: Sequence[str], length: int
) -> None:
    x, y = at
    span = max(len(line) - 1, 1)
    for index, sign in enumerate(line):
        style = {"─": "edge", "●": "picked"}.get(sign, "log-call")
        canvas.put(x + index, y, sign, style, SeekHit(-(-index * length // span)))
