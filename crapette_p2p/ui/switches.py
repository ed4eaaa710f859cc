"""**Pure**: each switch of the rules in a few words, and how rule sets differ.

The editor of house rules and the question put to whoever joins use the same
words. ``rulebook.py`` says whole rules; here a switch is a line of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from crapette_p2p.engine.ruleset import (
    CHOICES,
    PRESETS,
    RESERVE_SIZES,
    SPACE_BITS,
    SWITCHES,
    RuleSet,
    problem,
)
from crapette_p2p.ui.language import ENGLISH, Words

NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "reserve_size": "cards in the reserve",
        "starter": "who begins",
        "tie_break": "if the reserve cards are equal",
        "ace_high_for_start": "the ace is high for beginning",
        "opens_with_turn": "a turn opens by turning up",
        "foundation_duty": "foundations have to be served",
        "reserve_first": "the reserve's card goes up first",
        "fill_spaces_before_turn": "fill spaces before turning up",
        "space_sources": "spaces are filled from",
        "own_waste_playable": "the own waste can be played",
        "enforcement": "an offence",
        "missed_card_played_by": "after Stop!, the missed play",
        "stop_window": "Stop! can be called until",
        "wrong_call": "wrong calls",
        "win_needs_tableau": "columns empty to win",
        "blocked_result": "a blocked deal",
        "scoring": "points",
    }
)
"""Switch → what it is about."""
VALUES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "starter": {"higher": "higher reserve card", "lower": "lower reserve card"},
        "tie_break": {
            "columns-then-suit": "columns in deal order, then suit",
            "columns-reversed": "columns from the last dealt",
        },
        "enforcement": {
            "none": "there is none",
            "automatic": "loses the turn by itself",
            "call": "the opponent calls Stop!",
            "forbid": "is refused",
        },
        "missed_card_played_by": {
            "nobody": "nobody makes it",
            "caller": "the caller makes it",
            "offender": "the offender makes it",
        },
        "stop_window": {"turn": "the caller acts", "action": "the next action"},
        "wrong_call": {
            "no-more-this-turn": "no more calls that turn",
            "third-costs-turn": "every third costs a turn",
        },
        "win_needs_tableau": {
            "none": "none",
            "own4": "the four own ones",
            "all8": "all eight",
        },
        "blocked_result": {"draw": "is a draw", "difference": "scores the difference"},
        "scoring": {"deal": "1 a deal", "hoyle": "30 and the cards left"},
    }
)
"""Switch → value → the value in words."""
SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {"drawn": "drawn card", "reserve": "reserve", "column": "columns"}
)
_SPACES: Final = tuple(
    frozenset(name for name, bit in SPACE_BITS.items() if bits & bit)
    for bits in range(8)
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One switch that is set otherwise than in a preset."""

    switch: str
    """Its name."""
    here: object
    """Its value in the rules at hand."""
    preset: object
    """Its value in the preset."""


def nearest_preset(rules: RuleSet) -> str:
    """The preset that differs in the fewest switches; the first of equals."""
    return min(PRESETS, key=lambda name: len(differences(rules, name)))


def differences(rules: RuleSet, preset: str) -> tuple[Difference, ...]:
    """What ``rules`` sets otherwise than the preset, in the order of the switches."""
    base = PRESETS[preset]
    return tuple(
        Difference(name, getattr(rules, name), getattr(base, name))
        for name in SWITCHES
        if getattr(rules, name) != getattr(base, name)
    )


def value_text(switch: str, value: object, words: Words = ENGLISH) -> str:
    """A switch's value in words."""
    if isinstance(value, bool):
        return words("yes") if value else words("no")
    if isinstance(value, frozenset):
        named = [words(text) for name, text in SOURCES.items() if name in value]
        return ", ".join(named) or words("nowhere")
    if switch in VALUES:
        return words(VALUES[switch][str(value)])
    return str(value)


def difference_lines(rules: RuleSet, words: Words = ENGLISH) -> list[str]:
    """How the rules differ from the nearest preset, a line each; none for a preset."""
    preset = nearest_preset(rules)
    return [
        words(
            "{switch}: {here} (in {preset}: {there})",
            switch=words(NAMES[found.switch]),
            here=value_text(found.switch, found.here, words),
            preset=preset,
            there=value_text(found.switch, found.preset, words),
        )
        for found in differences(rules, preset)
    ]


def changed(rules: RuleSet, switch: str, step: int) -> RuleSet:
    """The rules with the next (or previous) value of a switch, lawful or not."""
    value: object = getattr(rules, switch)
    values: tuple[object, ...] = (False, True)
    if switch == "reserve_size":
        values = RESERVE_SIZES
    elif switch == "space_sources":
        values = _SPACES
    elif switch in CHOICES:
        values = CHOICES[switch]
    following = values[(values.index(value) + step) % len(values)]
    return replace(rules, **{switch: following})  # type: ignore[arg-type] # its own type


def refusal_of(rules: RuleSet, words: Words = ENGLISH) -> str:
    """Why a combination of switches is refused, in words; empty if it is not."""
    wrong = problem(rules)
    if wrong is None:
        return ""
    return words(
        'Refused: "{switch}" needs "{other}".',
        switch=words(NAMES[wrong[0]]),
        other=words(NAMES["foundation_duty"]),
    )
