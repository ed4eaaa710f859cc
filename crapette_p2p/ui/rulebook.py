"""**Pure**: a rule set → the rules in words, switch by switch.

The same sentences serve the presets and house rules: each says what one switch
(rules.md 3) means at the table, so a text can never drift from what is played.
A preset also names things as the country it comes from does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from crapette_p2p.engine.ruleset import MATCH_TARGETS, PRESETS, RuleSet
from crapette_p2p.ui.language import ENGLISH, Words

ORIGINS: Final = {
    "garibaldka": "Garibaldka, as printed in Poland",
    "russian-bank": "Russian Bank (Русский банк)",
    "russian-bank-knock": "Russian Bank with the knock",
    "crapette": "Crapette, the international game",
}
"""Preset → its heading."""
_THINGS: Final = (
    *("reserve", "stock", "drawn card", "waste", "columns", "foundations"),
    *("to load", "duty", "offence", "Stop!"),
)
"""What has a name of its own in each country."""
_RUSSIAN: Final = (
    *("склад (магазин, чемодан)", "закрытая колода"),
    *("открытая карта колоды", "открытая колода"),
    *("вспомогательные", "базовые", "подложить", "обязанность", "ошибка", "стук"),
)
_TERMS: Final = {
    "garibaldka": (
        *("magazynek", "karty z ręki", "odkryta karta z ręki", "śmietnik", "baza"),
        *("miejsca na asy", "dorzucić", "przymus", "błąd", "stop"),
    ),
    "russian-bank": _RUSSIAN,
    "russian-bank-knock": _RUSSIAN,
    "crapette": (
        *("crapette", "talon", "carte du talon", "écart", "colonnes"),
        *(
            "piles centrales",
            "charger",
            "obligation",
            "faute",
            "«\u00a0Crapette\u00a0!\u00a0»",
        ),
    ),
}
"""Preset → what its country calls THINGS."""


@dataclass(frozen=True, slots=True)
class Section:
    """One heading and its sentences."""

    heading: str
    """Two or three words."""
    sentences: tuple[str, ...]
    """Whole sentences; each is a paragraph of its own."""


def heading_of(rules: RuleSet, words: Words = ENGLISH) -> str:
    """What the rule set is called; house rules have no other name here."""
    preset = _preset_of(rules)
    return words(ORIGINS[preset]) if preset else words("House rules")


def sections(rules: RuleSet, words: Words = ENGLISH) -> tuple[Section, ...]:
    """The whole text."""
    parts = (
        (words("The aim"), _aim(rules, words)),
        (words("The deal"), _deal(rules, words)),
        (words("Your turn"), _turn(rules, words)),
        (words("Where cards go"), _places(rules, words)),
        (words("What must be played first"), _duties(rules, words)),
        (words("An offence"), _offence(rules, words)),
        (words("The end"), _end(rules, words)),
        (words("Its own words"), _terms(rules, words)),
    )
    texts = (Section(heading, tuple(text)) for heading, text in parts)
    return tuple(section for section in texts if section.sentences)


def _preset_of(rules: RuleSet) -> str:
    return next((name for name, preset in PRESETS.items() if preset == rules), "")


def _aim(rules: RuleSet, words: Words) -> Iterator[str]:
    yield words(
        "Two players, a deck of 52 cards each. Whoever first gets rid of all his own "
        "cards (reserve, stock, drawn card and waste) by a move of his own wins; a "
        "discard never wins."
    )
    if rules.win_needs_tableau == "own4":
        yield words("The four columns you dealt have to be empty too.")
    elif rules.win_needs_tableau == "all8":
        yield words("All eight columns have to be empty too.")


def _deal(rules: RuleSet, words: Words) -> Iterator[str]:
    yield words(
        "From the top of his deck each player lays {n} cards on his reserve, the last "
        "one face up, then four columns of one card; the rest is his stock, face "
        "down. The eight columns and the eight foundations are common.",
        n=rules.reserve_size,
    )
    higher = rules.starter == "higher"
    yield (
        words("The player with the higher card on his reserve begins.")
        if higher
        else words("The player with the lower card on his reserve begins.")
    )
    if rules.ace_high_for_start:
        yield words("The ace counts high for this.")
    if rules.tie_break == "columns-then-suit":
        yield words(
            "If they are equal, the own columns decide in the order of the deal, then "
            "the suit of the reserve's card (spades, hearts, diamonds, clubs), then "
            "lot."
        )
    elif higher:
        yield words(
            "If they are equal, the own columns decide from the last dealt to the "
            "first (again the higher card), then lot."
        )
    else:
        yield words(
            "If they are equal, the own columns decide from the last dealt to the "
            "first (again the lower card), then lot."
        )


def _turn(rules: RuleSet, words: Words) -> Iterator[str]:
    if rules.opens_with_turn:
        yield words(
            "A turn opens by turning up the top card of the stock. Then play as many "
            "cards as you like, one at a time."
        )
    else:
        yield words("Play as many cards as you like, one at a time, in any order.")
    if rules.own_waste_playable:
        yield words(
            "Only top cards move: from your reserve, your waste, the drawn card and "
            "the columns. A run moves card by card."
        )
    else:
        yield words(
            "Only top cards move: from your reserve, the drawn card and the columns. "
            "A run moves card by card."
        )
    yield words(
        "At any time, while no drawn card lies open, you may turn up the next card of "
        "your stock. When the stock is used up, the waste is turned over, unshuffled, "
        "and becomes the stock."
    )
    yield words(
        "The turn ends when you lay the drawn card on your waste. With no card left "
        "to turn or to discard you pass."
    )


def _places(rules: RuleSet, words: Words) -> Iterator[str]:
    yield words("A foundation begins with an ace and goes up in suit to the king.")
    yield words(
        "On a column a card goes one rank lower and of the other colour: a red seven "
        "on a black eight."
    )
    names = {
        "drawn": words("the drawn card"),
        "reserve": words("the reserve"),
        "column": words("another column"),
    }
    sources = [text for name, text in names.items() if name in rules.space_sources]
    if sources:
        yield words(
            "An empty column takes any card. Where it may come from: {sources}.",
            sources=", ".join(sources),
        )
    else:
        yield words("An empty column stays empty.")
    yield words(
        "You may load your opponent: on his reserve or his waste, if it is not empty, "
        "goes a card of the same suit, one rank higher or lower; ace and king are no "
        "neighbours. Nothing ever leaves a foundation or a pile of the opponent."
    )


def _duties(rules: RuleSet, words: Words) -> Iterator[str]:
    if not rules.has_duties:
        yield words("Nothing: whatever can be played may be played in any order.")
        return
    yield words(
        "A card that fits a foundation (your reserve's top, the drawn card, a column's "
        "top) has to go there before anything else."
    )
    if rules.reserve_first:
        yield words("If your reserve's card is one of them, it goes first.")
    if rules.fill_spaces_before_turn:
        yield words(
            "Before a card is turned up, empty columns are filled from the reserve, as "
            "long as it lasts."
        )
    if rules.opens_with_turn:
        yield words("The card that opens a turn may always be turned up.")


def _offence(rules: RuleSet, words: Words) -> Iterator[str]:
    if not rules.has_duties:
        yield words("There is none.")
    elif rules.enforcement == "forbid":
        yield words("The program refuses it and says what has to be played first.")
    elif rules.enforcement == "automatic":
        yield words(
            "It is undone at once, a drawn card goes to the offender's waste, and the "
            "opponent's turn begins. Ending a turn while something has to be played "
            "is refused."
        )
    else:
        yield from _calls(rules, words)


def _calls(rules: RuleSet, words: Words) -> Iterator[str]:
    if rules.stop_window == "turn":
        yield words(
            'The opponent may call "Stop!" until the end of that turn, and then until '
            "his own first action."
        )
    else:
        yield words('The opponent may call "Stop!" until the offender\'s next action.')
    yield words(
        'He names the play that was missed, for example "stop 5-F" or "stop R-3".'
    )
    yield words(
        {
            "nobody": "If he is right, the offence is undone and nobody makes the "
            "missed play.",
            "caller": "If he is right, the offence is undone and he makes the missed "
            "play himself.",
            "offender": "If he is right, the offence is undone and the missed play is "
            "made.",
        }[rules.missed_card_played_by]
    )
    yield words(
        "A drawn card goes to the offender's waste, and the caller's turn begins."
    )
    yield words("If he is wrong, nothing changes and he may not call again that turn.")
    if rules.wrong_call == "third-costs-turn":
        yield words("Every third wrong call of a deal costs the caller his next turn.")
    yield words(
        "A play that would end the deal is final only when the opponent has granted "
        "it, or has called Stop and was wrong."
    )


def _end(rules: RuleSet, words: Words) -> Iterator[str]:
    yield words(
        "A deal is blocked when many turns in a row (at least eight) bring neither a "
        "card to a foundation nor fewer cards in the players' own piles, or when both "
        "players pass one after the other."
    )
    if rules.blocked_result == "draw":
        yield words("A blocked deal is a draw.")
    else:
        yield words(
            "Then the player with fewer cards (a card in the reserve counts two) "
            "scores the difference."
        )
    if rules.scoring == "hoyle":
        yield words(
            "The winner scores 30, one point for each card the loser has in stock and "
            "waste, and two for each in his reserve. A match is usually played to {n} "
            "points.",
            n=MATCH_TARGETS[rules.scoring],
        )
    else:
        yield words(
            "The winner scores 1. A match is first to the agreed number of deals."
        )


def _terms(rules: RuleSet, words: Words) -> Iterator[str]:
    """What the preset's country calls things, where that is not what we say."""
    terms = _TERMS.get(_preset_of(rules), ())
    said = tuple(words(thing) for thing in _THINGS)
    pairs = zip(terms, said, strict=False)
    told = ", ".join(
        f"{term} – {ours}" for term, ours in pairs if ours not in (term, term[2:-2])
    )
    if told:  # "Stop!" has a mark of its own
        yield told if told.endswith("!") else f"{told}."
