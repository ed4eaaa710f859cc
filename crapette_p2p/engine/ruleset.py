"""Frozen options in which the printed rules differ, and the four presets.

Values, defaults and refused combinations: 20-rules.md 3 of the
specification. The order of the fields is the order of the canonical array (3.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from crapette_p2p.cards import shown
from crapette_p2p.errors import NotationError


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every switch of the rules; text values are spelt as in files and JSON."""

    reserve_size: int = 13
    """11, 12 or 13 cards."""
    starter: str = "lower"
    """Whose reserve top starts: higher, lower."""
    tie_break: str = "columns-reversed"
    """columns-then-suit, columns-reversed."""
    ace_high_for_start: bool = False
    """Whether an ace ranks above the king in choosing the starter."""
    opens_with_turn: bool = False
    """The first action of a turn is ``turn``, unless there is nothing to turn."""
    foundation_duty: bool = True
    """A fitting available card has to go up first."""
    reserve_first: bool = True
    """A fitting reserve top goes before other foundation plays."""
    fill_spaces_before_turn: bool = True
    """Spaces are filled from the reserve before ``turn``."""
    space_sources: frozenset[str] = frozenset({"drawn", "reserve", "column"})
    """What may fill a space."""
    own_waste_playable: bool = False
    """Whether the own waste's top is a source (``W``)."""
    enforcement: str = "call"
    """none, automatic, call, forbid."""
    missed_card_played_by: str = "offender"
    """After an upheld Stop: nobody, caller, offender."""
    stop_window: str = "turn"
    """turn, action."""
    wrong_call: str = "third-costs-turn"
    """no-more-this-turn, third-costs-turn."""
    win_needs_tableau: str = "none"
    """none, own4, all8."""
    blocked_result: str = "difference"
    """draw, difference."""
    scoring: str = "hoyle"
    """deal, hoyle."""

    @property
    def has_duties(self) -> bool:
        """Whether any duty is in force."""
        return self.enforcement != "none" and self.foundation_duty

    @property
    def has_calls(self) -> bool:
        """Whether offences are called by the opponent."""
        return self.enforcement == "call"


CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "starter": ("higher", "lower"),
    "tie_break": ("columns-then-suit", "columns-reversed"),
    "enforcement": ("none", "automatic", "call", "forbid"),
    "missed_card_played_by": ("nobody", "caller", "offender"),
    "stop_window": ("turn", "action"),
    "wrong_call": ("no-more-this-turn", "third-costs-turn"),
    "win_needs_tableau": ("none", "own4", "all8"),
    "blocked_result": ("draw", "difference"),
    "scoring": ("deal", "hoyle"),
}
"""The values of each enumerated switch; the place is the wire value."""
SPACE_BITS: Final = {"drawn": 1, "reserve": 2, "column": 4}
RESERVE_SIZES: Final = (11, 12, 13)
SWITCHES: Final = tuple(field.name for field in fields(RuleSet))

_KNOCK: Final = RuleSet(
    starter="higher",
    tie_break="columns-then-suit",
    opens_with_turn=True,
    reserve_first=False,
    fill_spaces_before_turn=False,
    missed_card_played_by="caller",
    blocked_result="draw",
    scoring="deal",
)
PRESETS: Final[Mapping[str, RuleSet]] = {
    "garibaldka": replace(
        _KNOCK,
        space_sources=frozenset({"drawn", "reserve"}),
        enforcement="automatic",
        missed_card_played_by="nobody",
    ),
    "russian-bank": replace(
        _KNOCK,
        foundation_duty=False,
        enforcement="none",
        missed_card_played_by="nobody",
    ),
    "russian-bank-knock": _KNOCK,
    "crapette": RuleSet(),
}
DEFAULT_PRESET: Final = "crapette"
MATCH_TARGETS: Final = {"deal": 1, "hoyle": 300}
"""What a match is played to where nobody says otherwise."""


PROBLEMS: Final = {
    "size": "has to be 11, 12 or 13",
    "choice": "has to be one of {known}",
    "subset": "has to be a subset of drawn, reserve, column",
    "duty": "needs foundation_duty",
}
"""What a switch has to be; ``known`` are the values it may take."""


def problem(rules: RuleSet) -> tuple[str, str] | None:
    """The first switch that is wrong and why (in PROBLEMS); None if none is."""
    if rules.reserve_size not in RESERVE_SIZES:
        return "reserve_size", "size"
    for name, values in CHOICES.items():
        if getattr(rules, name) not in values:
            return name, "choice"
    if not rules.space_sources <= SPACE_BITS.keys():
        return "space_sources", "subset"
    if not rules.foundation_duty:
        for name in ("reserve_first", "fill_spaces_before_turn"):
            if getattr(rules, name):
                return name, "duty"
    return None


def known_of(switch: str) -> str:
    """The values of a switch that has a few named ones, for ``problem``."""
    return ", ".join(CHOICES.get(switch, ()))


def parse_rules(value: object, *, field: str = "rules") -> RuleSet:
    """Read a preset's name or ``{"preset": …, switch: value, …}``.

    Raises NotationError naming the switch and the offending value.
    """
    if isinstance(value, str):
        return _preset(value, field)
    if not isinstance(value, Mapping):
        message = "{field}: a preset's name or an object, not {token}"
        raise NotationError(message, field=field, token=shown(value))
    switches = dict(value)
    rules = _preset(switches.pop("preset", DEFAULT_PRESET), field)
    changes = {n: _switch_value(n, v, field) for n, v in switches.items()}
    rules = replace(rules, **changes)  # type: ignore[arg-type] # each is checked
    wrong = problem(rules)
    if wrong is not None:
        name, why = wrong[0], PROBLEMS[wrong[1]]
        where, token = f"{field}.{name}", _token(name, switches, rules)
        raise NotationError(
            "{field} {why} ({token})",
            field=where,
            token=token,
            why=why,
            known=known_of(name),
        )
    return rules


def _token(name: str, switches: Mapping[object, object], rules: RuleSet) -> str:
    """What is wrong about a switch, as it was written if it was."""
    if name == "space_sources":
        return min(shown(s) for s in rules.space_sources - SPACE_BITS.keys())
    return shown(switches.get(name, getattr(rules, name)))


def _preset(name: object, field: str) -> RuleSet:
    if not isinstance(name, str) or name not in PRESETS:
        known = ", ".join(PRESETS)
        message = "{field}: no preset {token} (there are: {known})"
        raise NotationError(message, field=field, token=shown(name), known=known)
    return PRESETS[name]


def _switch_value(name: object, value: object, field: str) -> object:
    where = f"{field}.{shown(name)}"
    if not isinstance(name, str) or name not in SWITCHES:
        raise NotationError("{field}: no such switch", field=where, token=shown(name))
    if name == "space_sources":
        if isinstance(value, (list, tuple, set, frozenset)):
            names = [item for item in value if isinstance(item, str)]
            if len(names) == len(value):
                return frozenset(names)
    elif name == "reserve_size":
        if type(value) is int:
            return value
    elif name in CHOICES:
        if isinstance(value, str):
            return value
    elif type(value) is bool:
        return value
    token = shown(value)
    raise NotationError("{field}: not {token}", field=where, token=token)


def rules_to_json(rules: RuleSet) -> object:
    """The shortest form ``parse_rules`` reads back: a name or preset + changes."""
    for name, preset in PRESETS.items():
        if preset == rules:
            return name
    name = min(PRESETS, key=lambda n: len(_changes(PRESETS[n], rules)))
    return {"preset": name, **_changes(PRESETS[name], rules)}


def _changes(base: RuleSet, rules: RuleSet) -> dict[str, object]:
    changed: dict[str, object] = {}
    for name in SWITCHES:
        value = getattr(rules, name)
        if value != getattr(base, name):
            changed[name] = (
                [s for s in SPACE_BITS if s in value]
                if name == "space_sources"
                else value
            )
    return changed


def rules_to_array(rules: RuleSet) -> list[int]:
    """One unsigned int per switch, in order (20-rules.md 3.4)."""
    return [_wire_value(name, getattr(rules, name)) for name in SWITCHES]


def _wire_value(name: str, value: object) -> int:
    if name in CHOICES:
        return CHOICES[name].index(str(value))
    if isinstance(value, frozenset):
        return sum(SPACE_BITS[source] for source in value)
    return int(value)  # type: ignore[call-overload, no-any-return] # int or bool here


def rules_from_array(array: object) -> RuleSet:
    """Read ``rules_to_array`` back; raise NotationError (wire code 300)."""
    if not isinstance(array, (list, tuple)) or len(array) != len(SWITCHES):
        raise NotationError("ruleset: wrong length", field="ruleset")
    if any(type(value) is not int or value < 0 for value in array):
        raise NotationError("ruleset: only unsigned integers", field="ruleset")
    changes = {n: _read_wire(n, v) for n, v in zip(SWITCHES, array, strict=True)}
    rules = RuleSet(**changes)  # type: ignore[arg-type] # _read_wire gives each its type
    wrong = problem(rules)
    if wrong is not None:
        name, why = wrong[0], PROBLEMS[wrong[1]]
        known = known_of(name)
        raise NotationError("ruleset: {field} {why}", field=name, why=why, known=known)
    return rules


def _read_wire(name: str, value: int) -> object:
    if name == "reserve_size":
        return value
    if name == "space_sources":
        if value < 8:
            return frozenset(s for s, bit in SPACE_BITS.items() if value & bit)
    elif name in CHOICES:
        if value < len(CHOICES[name]):
            return CHOICES[name][value]
    elif value < 2:
        return bool(value)
    raise NotationError(
        "ruleset: {field} has no value {token}", field=name, token=str(value)
    )
