"""What a page shows, as plain values: everything ``render`` needs and no more.

The table's view is in ``table_view``, apart, because it brings the rules: the first
screen is a page. A view knows nothing of terminals, keys or connections; the same
view always gives the same picture. Texts may hold cards: an ``int`` in a ``Text`` is
a face, which the renderer writes in the screen's own letters and colours.
"""

from __future__ import annotations

from dataclasses import dataclass

Text = tuple[str | int, ...]
"""Pieces of a sentence; an ``int`` is a card's face."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that a dialog or key line offers."""

    key: str
    """The key that gives it, named as the input machine names keys."""
    label: str
    """What it does."""
    cap: str = ""
    """What the key is called on the screen, where that is not ``key``."""


@dataclass(frozen=True, slots=True)
class Dialog:
    """A box over the table."""

    title: str
    """Stands in the upper edge."""
    lines: tuple[Text, ...]
    """The body."""
    choices: tuple[Choice, ...] = ()
    """What can be answered."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A line being typed where the message stands."""

    label: str
    """In front of the text."""
    text: str
    """What is typed so far."""
    cursor: int
    """Place of the cursor in the text, in characters."""
    list_above: tuple[Choice, ...] = ()
    """What could be meant, best first."""
    chosen: int = -1
    """Which of the list is marked."""


@dataclass(frozen=True, slots=True)
class BarPiece:
    """One part of the bar at the top."""

    text: str
    """What it says."""
    weight: int
    """The pieces of least weight go first where room is short."""
    style: str = ""
    """Class name over the bar's own."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a page."""

    text: Text
    """What it says."""
    style: str = ""
    """Class name."""
    key: str = ""
    """A press on it means this key."""
    indent: int = 3
    """Blanks before it."""
    hang: int = 0
    """Blanks before what is wrapped to the next line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A screen of text: menu, waiting room, help."""

    title: str
    """Left in the bar."""
    status: str = ""
    """Right in the bar."""
    rows: tuple[Row, ...] = ()
    """The body."""
    scroll: int = 0
    """Rows scrolled down."""
    message: Text = ()
    """The line above the keys."""
    message_style: str = "message"
    """Its style class."""
    prompt: Prompt | None = None
    """A line being typed; takes the message's place."""
    dialog: Dialog | None = None
    """A box over everything."""
    key_lines: tuple[tuple[Choice, ...], ...] = ()
    """The key line in several lengths, longest first."""
