"""**Pure**: why a play is refused, in words, with the cards it is about.

A refusal speaks of the tried play only: never that some other play was due,
unless the rule set itself refuses offences (``forbid``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crapette_p2p.cards import KING, UNKNOWN, is_red, rank_of
from crapette_p2p.engine.actions import Action, Move
from crapette_p2p.engine.position import Position
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.view import Text

SENTENCES: Final = {
    "game-over": "The deal is over.",
    "end-is-provisional": "The deal has ended, if it is granted: no more plays.",
    "opening-owed": "Wait: a card is being turned up.",
    "not-your-turn": "It is not your turn.",
    "turn-comes-first": "Under these rules a turn begins by turning a card (Space).",
    "card-is-drawn": "A card is drawn already: play it or discard it.",
    "nothing-to-turn": "There is nothing left to turn.",
    "nothing-drawn": "There is no drawn card to discard: turn one with Space.",
    "cards-left": "You can pass only when there is nothing left to turn.",
    "no-source": "No card can be played from there.",
    "no-card": "There is no card.",
    "unknown-card": "Nobody has seen that card yet.",
    "too-many-actions": "400 actions in this turn: only foundations, Space and d now.",
    "no-target": "No card can be laid there.",
    "nothing-to-load": "That pile is empty: there is nothing to load.",
    "space-source": "Only the reserve or the drawn card fills a space here.",
    "other-foundation": "That goes on the other foundation of its suit.",
    "reserve-first": "The reserve's top card goes to its foundation first.",
    "missed-foundation": "A card has to go to a foundation first.",
    "unfilled-space": "Fill the space from your reserve first.",
    "no-calls": "There are no Stop! calls in this game.",
    "nothing-to-call": "There is nothing to call Stop! about now.",
    "call-spent": "You have called wrongly: no more Stop! before your next turn.",
    "column-misfit": "That card does not go on that fan.",
    "foundation-misfit": "That card does not go to a foundation yet.",
    "load-misfit": "That card does not go on the opponent's pile.",
    "no-offer": "No draw is offered.",
    "offer-stands": "A draw is offered already.",
    "already-offered": "You may offer a draw once a turn.",
    "nothing-to-grant": "There is nothing to grant.",
    "not-yours-to-grant": "The other player grants this.",
}
"""Refusal of the engine → sentence."""


def refusal_text(code: str, position: Position, action: Action, words: Words) -> Text:
    """Why ``action`` is refused in ``position``."""
    teller = _ABOUT_CARDS.get(code)
    if teller is not None and isinstance(action, Move):
        face = position.top(action.source)
        if 0 <= face < UNKNOWN:
            return teller(position, face, action.target, words)
    return (refusal_sentence(code, words),)


def refusal_sentence(code: str, words: Words) -> str:
    """Why an action is refused, without the cards it is about."""
    return words(SENTENCES.get(code, "That is not possible now."))


def _column(position: Position, face: int, target: int, words: Words) -> Text:
    under = position.top(target)
    if under < 0:
        return (face, words(" does not go there"))
    same = is_red(face) == is_red(under)
    why = words(" (same colour)") if same else words(" (not one rank lower)")
    if rank_of(face) == KING:
        why = words(" (a king goes only into a space)")
    return (face, words(" does not go on "), under, why)


def _foundation(position: Position, face: int, target: int, words: Words) -> Text:
    del position, target
    return (face, words(" does not go to a foundation yet"))


def _load(position: Position, face: int, target: int, words: Words) -> Text:
    under = position.top(target)
    why = words(" (same suit, one rank apart)")
    return (face, words(" does not go on the opponent's "), under, why)


_ABOUT_CARDS: Final[dict[str, Callable[[Position, int, int, Words], Text]]] = {
    "column-misfit": _column,
    "foundation-misfit": _foundation,
    "load-misfit": _load,
}


def goes_nowhere(face: int, words: Words) -> Text:
    """No pile takes the card."""
    return (face, words(" goes nowhere now"))
