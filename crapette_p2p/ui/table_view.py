"""What the table shows, as plain values, and what it consists of."""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import Position
from crapette_p2p.ui.view import BarPiece, Choice, Dialog, PageView, Prompt, Text


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
class Flight:
    """A card between two piles, for the eye alone."""

    source: int
    """The pile it comes from."""
    target: int
    """The pile it goes to."""
    face: int
    """The card."""
    share: float
    """How far it has come, 0 to 1."""


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
    flight: Flight | None = None
    """A card that is on its way."""
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


View = TableView | PageView
