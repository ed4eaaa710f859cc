"""Boxes that ask: what they say, which keys answer, and when they listen.

A box that opens by itself takes no key for its first second: a key that was
meant for the table must not answer it. Enter gives the safe answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from crapette_p2p.ui.language import Words
from crapette_p2p.ui.view import Choice, Dialog, Text

DEAF: Final = 1.0
"""Seconds for which a box that opened by itself takes no key."""
_YES: Final = {"pl": "t", "ru": "д", "fr": "o", "de": "j"}
_NO: Final = {"pl": "n", "ru": "н", "fr": "n", "de": "n"}
Answer = Callable[[float], None]


@dataclass(slots=True, kw_only=True)
class Question:
    """One open box."""

    name: str
    """What kind of box: grant, draw, leave, lost, over …"""
    title: str
    """In its edge."""
    lines: tuple[Text, ...] | Callable[[float], tuple[Text, ...]]
    """The body; a function where it changes with time."""
    choices: tuple[Choice, ...]
    """What is offered."""
    answers: Mapping[str, Answer]
    """Key → what it does; the box is closed before."""
    opened: float
    """When it opened."""
    by_itself: bool = False
    """Whether it opened without a key of the player."""

    def dialog(self, now: float) -> Dialog:
        """What is drawn."""
        lines = self.lines(now) if callable(self.lines) else self.lines
        return Dialog(self.title, lines, self.choices)

    def listens(self, now: float) -> bool:
        """Whether keys are taken already."""
        return not self.by_itself or now - self.opened >= DEAF


def yes_no_keys(words: Words) -> tuple[frozenset[str], frozenset[str]]:
    """Keys that mean yes and no: the language's own pair and y, n."""
    yes = frozenset({"y", "Y", *_both_cases(_YES.get(words.lang, "y"))})
    no = frozenset({"n", "N", *_both_cases(_NO.get(words.lang, "n"))})
    return yes, no


def _both_cases(letter: str) -> tuple[str, str]:
    return letter, letter.upper()


def yes_cap(words: Words) -> str:
    """The yes key as it is called on the screen."""
    return _YES.get(words.lang, "y")


def no_cap(words: Words) -> str:
    """The no key as it is called on the screen."""
    return _NO.get(words.lang, "n")


def yes_no(words: Words, yes: Answer, no: Answer) -> dict[str, Answer]:
    """The answers of a yes-or-no box; Enter and Esc are the safe no."""
    yes_keys, no_keys = yes_no_keys(words)
    return (
        dict.fromkeys(yes_keys, yes)
        | dict.fromkeys(no_keys, no)
        | {"enter": no, "escape": no}
    )
