"""**Pure**: what went wrong, as a sentence and what to do next, found by code.

Every failure of the net layer has a stable code; the sentences stand once, in
``ui/failure_texts.py``, for the screen, the line mode and the command line. A player
can act on each: no class names, no wire codes but for those that are proof of cheating.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crapette_p2p.ui.failure_texts import FAILURES
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.reasons import reason_text


@dataclass(frozen=True, slots=True)
class Explanation:
    """What happened and what helps."""

    sentence: str
    """What happened, with which input."""
    hint: str = ""
    """What to do next; may be empty."""


_FOR_THE_OTHER: Final = frozenset(
    {
        *("no-answer", "not-crapette-far", "nobody-compares", "name-not-shown"),
        *("bad-fingerprint", "not-let-in", "guest-refused"),
    }
)
"""Failures whose hint names a command for the other player's computer."""


def explain(code: str, facts: Mapping[str, str], words: Words = ENGLISH) -> Explanation:
    """The sentence and the hint of a failure, with its facts filled in."""
    sentence, hint = FAILURES.get(code, ("It did not work ({code}).", ""))
    values = _Facts(facts, code=code)
    if "reason" in values:
        values["reason"] = reason_text(values["reason"], words)
    theirs = code in _FOR_THE_OTHER
    return Explanation(
        words.filled(sentence, values), words.filled(hint, values, theirs=theirs)
    )


def not_kept_there(name: str, words: Words = ENGLISH) -> str:
    """The other came back, and their program does not know the game."""
    return words("{name} came from a computer where this game is not kept.", name=name)


def brought_text(name: str, words: Words = ENGLISH) -> str:
    """The other lacked the end of a deal that was closed here, and has it now."""
    return words(
        "{name} has the end of your last deal now: it is closed on both sides.",
        name=name,
    )


def restored_text(path: str, words: Words = ENGLISH) -> str:
    """Somebody has removed the log while it was written."""
    return words(
        "The file of this game was removed; it has been written again, whole: {path}",
        path=_plain(path),
    )


class _Facts(dict[str, str]):
    """Facts by name; one that is missing reads as a question mark."""

    def __init__(self, facts: Mapping[str, str], *, code: str) -> None:
        super().__init__({key: _plain(value) for key, value in facts.items()})
        self["code"] = code

    def __missing__(self, key: str) -> str:
        return "?"


def _plain(text: str) -> str:
    """What came from outside, without anything that could drive a terminal."""
    kept = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return "".join(kept)[:200]
