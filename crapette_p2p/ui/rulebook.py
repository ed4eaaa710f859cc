"""**Pure**: a rule set → the rules in words, switch by switch.

The same sentences serve the presets and house rules: each says what one switch
(rules.md 3) means at the table, so a text can never drift from what is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from crapette_p2p.engine.ruleset import MATCH_TARGETS, PRESETS, RuleSet

ORIGINS: Final = {
    "garibaldka": "Garibaldka, as printed in Poland",
    "russian-bank": "Русский банк (Russian Bank)",
    "russian-bank-knock": "Русский банк with the knock",
    "crapette": "Crapette, the international game",
}
"""Preset → its heading."""


@dataclass(frozen=True, slots=True)
class Section:
    """One heading and its sentences."""

    heading: str
    """Two or three words."""
    sentences: tuple[str, ...]
    """Whole sentences; each is a paragraph of its own."""


def heading_of(rules: RuleSet) -> str:
    """What the rule set is called; house rules by the preset they come from."""
    for name, preset in PRESETS.items():
        if preset == rules:
            return ORIGINS[name]
    return "House rules"


def sections(rules: RuleSet) -> tuple[Section, ...]:
    """The whole text."""
    parts = (
        ("The aim", _aim(rules)),
        ("The deal", _deal(rules)),
        ("Your turn", _turn(rules)),
        ("Where cards go", _places(rules)),
        ("What must be played first", _duties(rules)),
        ("An offence", _offence(rules)),
        ("The end", _end(rules)),
    )
    return tuple(Section(heading, tuple(text)) for heading, text in parts)


def _aim(rules: RuleSet) -> Iterator[str]:
    yield (
        "Two players, a deck of 52 cards each. Whoever first gets rid of all his own "
        "cards (reserve, stock, drawn card and waste) by a move of his own wins; a "
        "discard never wins."
    )
    if rules.win_needs_tableau == "own4":
        yield "The four columns you dealt have to be empty too."
    elif rules.win_needs_tableau == "all8":
        yield "All eight columns have to be empty too."


def _deal(rules: RuleSet) -> Iterator[str]:
    yield (
        f"From the top of his deck each player lays {rules.reserve_size} cards on his "
        "reserve, the last one face up, then four columns of one card; the rest is his "
        "stock, face down. The eight columns and the eight foundations are common."
    )
    better = "higher" if rules.starter == "higher" else "lower"
    high = " The ace counts high for this." if rules.ace_high_for_start else ""
    yield f"The player with the {better} card on his reserve begins.{high}"
    if rules.tie_break == "columns-then-suit":
        yield (
            "If they are equal, the own columns decide in the order of the deal, then "
            "the suit of the reserve's card (spades, hearts, diamonds, clubs), then "
            "lot."
        )
    else:
        yield (
            "If they are equal, the own columns decide from the last dealt to the "
            f"first (again the {better} card), then lot."
        )


def _turn(rules: RuleSet) -> Iterator[str]:
    if rules.opens_with_turn:
        yield (
            "A turn opens by turning up the top card of the stock. Then play as many "
            "cards as you like, one at a time."
        )
    else:
        yield "Play as many cards as you like, one at a time, in any order."
    sources = "your reserve, the drawn card and the columns"
    if rules.own_waste_playable:
        sources = "your reserve, your waste, the drawn card and the columns"
    yield f"Only top cards move: from {sources}. A run moves card by card."
    yield (
        "At any time, while no drawn card lies open, you may turn up the next card of "
        "your stock. When the stock is used up, the waste is turned over, unshuffled, "
        "and becomes the stock."
    )
    yield (
        "The turn ends when you lay the drawn card on your waste. With no card left "
        "to turn or to discard you pass."
    )


def _places(rules: RuleSet) -> Iterator[str]:
    yield "A foundation begins with an ace and goes up in suit to the king."
    yield (
        "On a column a card goes one rank lower and of the other colour: a red seven "
        "on a black eight."
    )
    names = {"drawn": "the drawn card", "reserve": "your reserve", "column": "a column"}
    sources = [names[name] for name in names if name in rules.space_sources]
    if sources:
        yield f"An empty column takes any card from {_either(sources)}."
    else:
        yield "An empty column stays empty."
    yield (
        "You may load your opponent: on his reserve or his waste, if it is not empty, "
        "goes a card of the same suit, one rank higher or lower; ace and king are no "
        "neighbours. Nothing ever leaves a foundation or a pile of the opponent."
    )


def _duties(rules: RuleSet) -> Iterator[str]:
    if not rules.has_duties:
        yield "Nothing: whatever can be played may be played in any order."
        return
    yield (
        "A card that fits a foundation (your reserve's top, the drawn card, a column's "
        "top) has to go there before anything else."
    )
    if rules.reserve_first:
        yield "If your reserve's card is one of them, it goes first."
    if rules.fill_spaces_before_turn:
        yield (
            "Before a card is turned up, empty columns are filled from the reserve, as "
            "long as it lasts."
        )
    if rules.opens_with_turn:
        yield "The card that opens a turn may always be turned up."


def _offence(rules: RuleSet) -> Iterator[str]:
    if not rules.has_duties:
        yield "There is none."
    elif rules.enforcement == "forbid":
        yield "The program refuses it and says what has to be played first."
    elif rules.enforcement == "automatic":
        yield (
            "It is undone at once, a drawn card goes to the offender's waste, and the "
            "opponent's turn begins. Ending a turn while something has to be played "
            "is refused."
        )
    else:
        yield from _calls(rules)


def _calls(rules: RuleSet) -> Iterator[str]:
    if rules.stop_window == "turn":
        when = "until the end of that turn, and then until his own first action"
    else:
        when = "until the offender's next action"
    yield (
        f'The opponent may call "Stop!", {when}. He names the play that was missed, '
        'for example "stop 5-F" or "stop R-3".'
    )
    played = {
        "nobody": "nobody makes the missed play",
        "caller": "the caller makes the missed play",
        "offender": "the missed play is made",
    }[rules.missed_card_played_by]
    yield (
        f"If he is right, the offence is undone, {played}, a drawn card goes to the "
        "offender's waste, and the caller's turn begins."
    )
    yield "If he is wrong, nothing changes and he may not call again in that turn."
    if rules.wrong_call == "third-costs-turn":
        yield "Every third wrong call of a deal costs the caller his next turn."
    yield (
        "A play that would end the deal is final only when the opponent has granted "
        "it, or has called Stop and was wrong."
    )


def _end(rules: RuleSet) -> Iterator[str]:
    yield (
        "A deal is blocked when many turns in a row (at least eight) bring neither a "
        "card to a foundation nor fewer cards in the players' own piles, or when both "
        "players pass one after the other."
    )
    if rules.blocked_result == "draw":
        yield "A blocked deal is a draw."
    else:
        yield (
            "Then the player with fewer cards (a card in the reserve counts two) "
            "scores the difference."
        )
    target = MATCH_TARGETS[rules.scoring]
    if rules.scoring == "hoyle":
        yield (
            "The winner scores 30, one point for each card the loser has in stock and "
            "waste, and two for each in his reserve. A match is usually played to "
            f"{target} points."
        )
    else:
        yield "The winner scores 1. A match is first to the agreed number of deals."


def _either(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " or " + names[-1]
