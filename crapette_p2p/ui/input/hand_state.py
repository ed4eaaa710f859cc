"""**Pure**: what a player has typed and picked, and what comes of a key."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crapette_p2p.engine import Action, Position
from crapette_p2p.engine.layout import Seat
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.view import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInput:
    """What has been typed and picked at the table."""

    picked: int | None = None
    """The pile whose top card waits for its destination."""
    typed: str = ""
    """Keys of an unfinished command: ``!`` and its source, or ``v``."""
    cursor: int | None = None
    """The pile the cursor stands on, once an arrow key was pressed."""
    message: Text = ()
    """What the last key came to; empty = the usual sentence stands."""
    is_error: bool = False
    """Whether that was a refusal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the machine has to know of the world."""

    position: Position
    """The position on the screen."""
    latest: Position
    """The newest position; a Stop! is about this one."""
    seat: Seat
    """Ours."""
    may_act: bool
    """Whether a move can be made now (our turn, nothing on its way)."""
    confirm_stop: bool = False
    """Whether a Stop! wants Enter after its two keys."""
    words: Words = ENGLISH
    """Language of what is said."""


@dataclass(frozen=True, slots=True)
class Do:
    """An action to be made."""

    action: Action
    """Which."""


@dataclass(frozen=True, slots=True)
class Look:
    """A pile to be shown in full."""

    pile: int
    """Which."""


@dataclass(frozen=True, slots=True)
class Open:
    """Something of the screen's own: help, palette, find, talk, leave."""

    what: str
    """The key that asks for it."""


Wish = Do | Look | Open
Step = tuple[TableInput, tuple[Wish, ...]]
"""The next state and what is wanted."""


def said(state: TableInput, scene: Scene, sentence: str) -> TableInput:
    """The state with a sentence on the message line."""
    return replace(state, message=(scene.words(sentence),))


def refused(state: TableInput, text: Text) -> TableInput:
    """The state with the reason why something cannot be done."""
    return replace(state, message=text, is_error=True)
