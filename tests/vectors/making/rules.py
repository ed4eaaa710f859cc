"""Vectors of cards, moves, positions and rule sets."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

from crapette_p2p import canonical
from crapette_p2p.cards import CARD_NAMES
from crapette_p2p.engine import (
    PRESETS,
    Position,
    RuleSet,
    legal_with_offences,
    parse_action,
    play,
    position_to_json,
    rules_to_array,
    rules_to_json,
)
from crapette_p2p.engine.actions import Action, Move, Turn
from crapette_p2p.engine.layout import SEAT_NAMES, PileId
from crapette_p2p.engine.notation import format_action
from crapette_p2p.engine.rules import refusal
from crapette_p2p.engine.ruleset import CHOICES, SWITCHES, problem
from crapette_p2p.errors import IllegalMove, NotationError
from tests.vectors.making.picking import Picker, game
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_rules import RUNNERS
from tests.vectors.values import Refused

SPEC: Final = "spec/20-rules.md"
NOTATION: Final = "spec/10-cards-and-notation.md"
_ODD_MOVES: Final = (
    *("stop R-F", "grant", "accept-draw A", "pass", "discard", "turn", "8-OR"),
)
LEAVING_CARDS: Final = ("A", "B", "tableau", "foundations", "to_move", "turn_opened")


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    yield VectorFile("cards", "cards", NOTATION + "#1", [_cards(), _bad_cards()])
    yield VectorFile("positions", "positions", NOTATION + "#5", list(_positions()))
    yield VectorFile("rulesets", "rulesets", SPEC + "#3", list(_rulesets()))
    yield VectorFile("duties", "duties", SPEC + "#5", list(_duties()))
    yield VectorFile("rulings", "rulings", SPEC, list(_rulings()))


def _cards() -> Group:
    group = Group("every-card")
    for code, name in enumerate(CARD_NAMES):
        group.add("", {"text": name}, {"card": code, "text": name})
    for suit, sign in zip("CDSH", "♣♦♠♥", strict=True):
        name = "T" + suit
        code = CARD_NAMES.index(name)
        for text in (f"10{suit}", f"10{sign}", f"t{suit.lower()}", f" 10{sign} "):
            group.add("another spelling", {"text": text}, {"card": code, "text": name})
    return group


def _bad_cards() -> Group:
    group = Group("no-card")
    texts = [
        "",
        " ",
        "A",
        "S",
        "SA",
        "1S",
        "0S",
        "11S",
        "100S",
        "TTS",
        "10",
        "??",
        "?S",
    ]
    texts += [
        "AX",
        "AS ♠",
        "ASS",
        "A-S",
        "А♠",
        "АS",
        "7",
        "♠7",
        "♠",
        "Joker",
        "A\u200bS",
    ]
    texts += [rank + "X" for rank in "23456789TJQK"]
    for text in texts:
        group.add("", {"text": text}, code="notation")
    return group


def sample(rules: RuleSet, label: str, count: int, steps: int) -> Iterator[Json]:
    """Positions of a game, spread over it, the last one included."""
    positions = [after for *_, after in game(rules, label, steps=steps)]
    step = max(1, len(positions) // count)
    for position in positions[step - 1 :: step][:count]:
        yield position_to_json(position)


def _positions() -> Iterator[Group]:
    whole = Group("written-and-read-back")
    for name, rules in PRESETS.items():
        for written in sample(rules, f"positions {name}", 5, 150):
            whole.add("", {"position": written}, written)
    house = replace(PRESETS["crapette"], reserve_size=11, own_waste_playable=True)
    for written in sample(house, "positions house", 4, 120):
        whole.add("rules of a house", {"position": written}, written)
    yield whole
    short = Group("without-counters")
    for name, rules in PRESETS.items():
        for written in sample(rules, f"short {name}", 2, 90):
            plain = {k: v for k, v in written.items() if k in LEAVING_CARDS}
            plain |= {"format": written["format"], "rules": written["rules"]}
            result = RUNNERS["positions"]({"position": plain}, {})
            short.add("counters start afresh", {"position": plain}, result)
    yield short
    yield _unopened()
    yield _broken_positions()


def _unopened() -> Group:
    """A card that is turned up and not opened yet stands as an unseen one."""
    group = Group("not-opened-yet")
    (good,) = sample(PRESETS["garibaldka"], "unopened", 1, 9)
    for name in "AB":
        turned = _changed({**good, "to_move": name}, f"{name}.drawn", "??")
        turned = {**turned, "turn_opened": True}
        del turned["counters"]
        for side in "AB":
            others = {"stock": 20} if side == name else {"stock": 20, "drawn": None}
            turned[side] = {**turned[side], **others}
        add_outcome(group, "positions", "a drawn card", {"position": turned})
        top = _changed(good, f"{name}.reserve", ["??"] * 3)
        add_outcome(group, "positions", "a reserve", {"position": top})
    return group


def _broken_positions() -> Group:
    group = Group("broken")
    (good,) = sample(PRESETS["crapette"], "broken", 1, 40)
    changes: list[tuple[str, object]] = [
        *[(name, None) for name in ("format", "to_move", "turn_opened", "tableau")],
        *[(name, None) for name in ("foundations", "A", "B", "A.reserve", "B.stock")],
        ("format", "crapette-position/2"),
        ("to_move", "C"),
        ("turn_opened", 1),
        ("tableau", [[]] * 7),
        ("tableau", [[]] * 9),
        ("tableau.0", "5H"),
        ("tableau.0", ["??"]),
        ("tableau.3", ["1H"]),
        ("tableau.3", ["5H", "5H", "5H"]),
        ("tableau.0", ["AS"] * 3),
        ("foundations.S", [13, 13]),
        ("foundations.C", [13, 13]),
        ("foundations.S", [14, 0]),
        ("foundations.S", [-1, 0]),
        ("foundations.S", [1]),
        ("foundations.X", [0, 0]),
        ("A.reserve", ["??"] * 104),
        ("A.stock", 105),
        ("A.stock", -1),
        ("A.waste", ["??"]),
        ("A.drawn", "5"),
        ("A.drawn", ""),
        ("B.drawn", 5),
        ("rules", "poker"),
        ("rules", {"preset": "crapette", "reserve_size": 10}),
        ("rules", {"preset": "russian-bank", "reserve_first": True}),
        ("counters", []),
        ("counters.idle", -1),
        ("counters.callable", "C"),
        ("counters.wrong", [0]),
    ]
    for name, value in changes:
        broken = _changed(good, name, value)
        add_outcome(group, "positions", f"{name} is {value!r}", {"position": broken})
    return group


def _changed(good: Json, name: str, value: object) -> Json:
    """The position with one field changed, or left out where ``value`` is None."""
    broken = deepcopy(good)
    at: Any = broken
    *path, last = name.split(".")
    for part in path:
        at = at[int(part) if isinstance(at, list) else part]
    if value is None:
        del at[last]
    else:
        at[int(last) if isinstance(at, list) else last] = value
    return broken


def add_outcome(
    group: Group, kind: str, comment: str, given: Json, common: Json | None = None
) -> None:
    """Add a test with whatever the code under test answers."""
    try:
        output = RUNNERS[kind](given, common or group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)


def _rulesets() -> Iterator[Group]:
    named = Group("presets-and-house-rules")
    for name, rules in PRESETS.items():
        add_outcome(named, "rulesets", name, {"rules": name})
        for switch in SWITCHES:
            for value in _other_values(rules, switch):
                changed = replace(rules, **{switch: value})  # type: ignore[arg-type] # by name
                if problem(changed) is None:
                    written = rules_to_json(changed)
                    add_outcome(named, "rulesets", switch, {"rules": written})
    yield named
    refused = Group("refused-bytes")
    for comment, row in _bad_arrays():
        refused.add(comment, {"bytes": canonical.encode(row).hex()}, code=300)
    good = canonical.encode(rules_to_array(RuleSet())).hex()
    for comment, data in (("a byte after it", good + "00"), ("cut", good[:-2])):
        refused.add(comment, {"bytes": data}, code=300)
    yield refused
    texts = Group("refused-json")
    for value in ("", "Crapette", 7, None, ["crapette"], {"preset": "x"}):
        texts.add("no preset", {"rules": value}, code=300)
    for switch in SWITCHES:
        for wrong in (None, -1, "x", 1.5):
            texts.add(
                switch, {"rules": {"preset": "crapette", switch: wrong}}, code=300
            )
    texts.add("no such switch", {"rules": {"no_such": True}}, code=300)
    yield texts


def _other_values(rules: RuleSet, switch: str) -> list[object]:
    value = getattr(rules, switch)
    if switch in CHOICES:
        return [other for other in CHOICES[switch] if other != value]
    if switch == "reserve_size":
        return [11, 12]
    if switch == "space_sources":
        return [frozenset(), frozenset({"reserve"}), frozenset({"column", "drawn"})]
    return [not value]


def _bad_arrays() -> Iterator[tuple[str, list[object]]]:
    good: list[object] = list(rules_to_array(RuleSet()))
    yield "one too few", good[:-1]
    yield "one too many", [*good, 0]
    yield "empty", []
    yield "reserve_first without foundation_duty", [*good[:5], 0, 1, 0, *good[8:]]
    yield "spaces without foundation_duty", [*good[:5], 0, 0, 1, *good[8:]]
    tops = {name: len(values) for name, values in CHOICES.items()}
    tops |= {"reserve_size": 14, "space_sources": 8}
    for place, name in enumerate(SWITCHES):
        yield f"{name} too high", [*good[:place], tops.get(name, 2), *good[place + 1 :]]
        yield f"{name} not a number", [*good[:place], True, *good[place + 1 :]]
    yield "a reserve of 10", [10, *good[1:]]


def _duties() -> Iterator[Group]:
    picker = Picker("duties")
    for name, rules in PRESETS.items():
        for variant in (rules, replace(rules, own_waste_playable=True)):
            positions = [before for before, *_ in game(variant, "duty", steps=160)]
            label = name if variant is rules else f"{name}-own-waste"
            group = Group(label)
            for position in positions[7::40]:
                written = {"position": position_to_json(position)}
                add_outcome(group, "duties", "all that may be played", written)
                for action in _refused_actions(position, picker):
                    text = format_action(action)
                    given = {**written, "action": text}
                    add_outcome(group, "duties", "", given)
            yield group


def _refused_actions(position: Position, picker: Picker) -> list[Action]:
    """Some actions of the mover that are refused, each for another reason."""
    seat = position.active
    sources = [*range(8), 16 + seat, 20 + seat, 22 + seat]
    targets = [*range(16), 17 - seat, 23 - seat]
    found: dict[str, Action] = {}
    moves = [Move(PileId(s), PileId(t)) for s in sources for t in targets if s != t]
    candidates: list[Action] = [Turn(), *picker.shuffled(moves)]
    for action in candidates:
        why = refusal(position, seat, action)
        if why is None or why == "other-foundation":
            continue
        if parse_action(format_action(action), position)[1] == action:
            found.setdefault(why, action)
    assert not set(found.values()) & {a for a, _ in legal_with_offences(position)}
    return list(found.values())


def _rulings() -> Iterator[Group]:
    for name, rules in PRESETS.items():
        group = Group(name)
        for variant in _variants(rules):
            for seed in range(2):
                label = f"rulings {name} {seed}"
                _add_line(group, variant, label, skip=25 + 30 * seed, length=9)
        yield group


def _variants(rules: RuleSet) -> list[RuleSet]:
    found = [rules, replace(rules, space_sources=frozenset({"reserve", "column"}))]
    if rules.foundation_duty and rules.enforcement != "none":
        found += [replace(rules, enforcement=e) for e in ("forbid", "automatic")]
        for player in CHOICES["missed_card_played_by"]:
            for window in CHOICES["stop_window"]:
                found.append(
                    replace(
                        rules,
                        enforcement="call",
                        missed_card_played_by=player,
                        stop_window=window,
                    )
                )
    return found


def _add_line(
    group: Group, rules: RuleSet, label: str, *, skip: int, length: int
) -> None:
    """A line out of a game, and the same line with something refused at its end."""
    steps = list(game(rules, label, steps=skip + length))[skip:]
    if not steps:
        return
    first = steps[0][0]
    if first.offences or first.end is not None:
        return  # positions in JSON do not say what lies before an open offence
    written = position_to_json(first)
    texts = [f"{SEAT_NAMES[s]}:{format_action(a)}" for _, s, a, _ in steps]
    look = [*LEAVING_CARDS, "counters"]
    given: Json = {"position": written, "moves": texts, "look": look}
    add_outcome(group, "rulings", "", given)
    last = steps[-1][3]
    wrong = _first_refused(last)
    if wrong is not None:
        given = {"position": written, "moves": [*texts, wrong]}
        add_outcome(group, "rulings", "the last one is refused", given)


def _first_refused(position: Position) -> str | None:
    for text in (
        "stop R-F",
        "grant",
        "accept-draw A",
        "pass",
        "discard",
        "turn",
        "8-OR",
    ):
        try:
            seat, action = parse_action(text, position)
            play(position, seat, action)
        except IllegalMove:
            return text
        except NotationError:
            continue
    return None
