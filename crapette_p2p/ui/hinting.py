"""**Pure**: a piece of advice in words: what to do, and why."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from crapette_p2p.bot import Hint
from crapette_p2p.engine import (
    AnswerDraw,
    Discard,
    Grant,
    Move,
    Pass,
    Position,
    Stop,
    Turn,
    format_action,
)
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.lines import Speech
from crapette_p2p.ui.play.places import pile_name
from crapette_p2p.ui.view import Text

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "duty-reserve": "the reserve has to go to its foundation first",
        "duty-foundation": "it has to go to its foundation first",
        "duty-space": "a space has to be filled from the reserve first",
        "foundation": "there it is out of the way for good",
        "load": "the opponent has one more to get rid of",
        "reserve": "that makes your reserve smaller",
        "waste": "that makes your waste smaller",
        "space": "the reserve fills the space",
        "place": "there the drawn card has its place",
        "prepare": "it makes room for what comes next",
    }
)
"""Why a play is advised, by the bot's code for it."""


def hint_text(hint: Hint | None, position: Position, seat: int, words: Words) -> Text:
    """One sentence."""
    action = None if hint is None else hint.action
    match action:
        case Move(source, target):
            assert hint is not None  # noqa: S101 - it holds the action
            where: Text = (words("Perhaps "), position.top(source))
            goal = f" → {pile_name(target, seat, words)}"
            reason = REASONS.get(hint.reason, "")
            return (*where, goal, f": {words(reason)}" if reason else "")
        case Turn():
            return (words("Perhaps turn up a card: nothing better is to be played."),)
        case Discard():
            return (words("Perhaps discard the drawn card: no place is better."),)
        case Pass():
            return (words("Perhaps pass: nothing is left to draw."),)
        case Stop():
            named = format_action(action).removeprefix("stop ")
            return (words("Perhaps call Stop!: {move} was missed.", move=named),)
        case Grant():
            return (words("Perhaps grant the end: nothing was missed."),)
        case AnswerDraw(accept=True):
            return (words("Perhaps agree to the draw."),)
        case AnswerDraw():
            return (words("Perhaps decline the draw."),)
        case _:
            return (words("There is nothing to advise now."),)


def hint_line(hint: Hint | None, position: Position, speech: Speech) -> str:
    """The same to be read out: pile names in words, no sign between them."""
    words, seat = speech.words, speech.seat
    action = None if hint is None else hint.action
    if hint is not None and isinstance(action, Move):
        move = words(
            "Perhaps {source} to {target}, {card}",
            source=speech.pile(action.source, seat),
            target=speech.pile(action.target, seat),
            card=speech.card(position.top(action.source)),
        )
        reason = REASONS.get(hint.reason)
        return f"{move}: {words(reason)}." if reason else f"{move}."
    text = hint_text(hint, position, seat, words)
    return "".join(speech.card(p) if isinstance(p, int) else p for p in text)
