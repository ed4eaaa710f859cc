"""What a screen shows, as plain values: everything ``render`` needs and no more.

A view knows nothing of terminals, keys or connections; the same view always
gives the same picture. Texts may hold cards: an ``int`` in a ``Text`` is a face,
which the renderer writes in the screen's own letters and colours.
"""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import Position

Text = tuple[str | int, ...]
"""Pieces of a sentence; an ``int`` is a card's face."""


@dataclass(frozen=True, slots=True)
class LogItem:
    """One thing that happened."""

    text: Text
    """What happened, ``R-5`` and the card."""
    kind: str = "move"
    """move, call, note or chat: decides the style, never the place."""
    fresh: bool = False
    """One of the last two moves."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log: a turn, a call, a chat line."""

    head: str
    """Turn number and player, or blank."""
    items: tuple[LogItem, ...]
    """What happened, in order."""


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
class Scrubber:
    """The replay's line: where we are and what lies ahead."""

    place: int
    """Moves played so far."""
    length: int
    """Moves in the log."""
    marks: tuple[tuple[int, str], ...] = ()
    """Places worth a look and their signs: ``!`` a call, ``~`` a reconnection."""
    left: str = ""
    """Text before the line."""
    right: str = ""
    """Text after it."""
    playing: bool = False
    """Whether it runs."""


@dataclass(frozen=True, slots=True)
class BarPiece:
    """One part of the bar at the top."""

    text: str
    """What it says."""
    weight: int
    """The pieces of least weight go first where room is short."""
    style: str = ""
    """Class name over the bar's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """One table as one seat sees it."""

    position: Position
    """The position that is shown."""
    seat: Seat
    """Whose side is at the bottom."""
    bar: tuple[BarPiece, ...] = ()
    """The line at the top, in order."""
    picked: int | None = None
    """The pile whose top card is picked."""
    cursor: int | None = None
    """The pile the cursor stands on."""
    targets: frozenset[int] = frozenset()
    """Piles to point out; only where both agreed to assistance."""
    marks: frozenset[int] = frozenset()
    """Piles whose top card has just been moved."""
    found: int | None = None
    """A face to light up wherever it lies."""
    hidden: bytes | None = None
    """The faces of all slots, where a replay shows face-down cards."""
    log: tuple[LogEntry, ...] = ()
    """What happened, oldest first."""
    log_scroll: int = 0
    """Rows scrolled back from the newest."""
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
    scrubber: Scrubber | None = None
    """The replay's line; takes the message's place."""


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


View = TableView | PageView
