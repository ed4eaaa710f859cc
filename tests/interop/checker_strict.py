"""Text and positions that are refused, and which part of them (spec 10, 4 and 5)."""

from collections import Counter
from typing import Any

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_folder import table
from tests.interop.checker_play import Play
from tests.interop.checker_positions import (
    RANKS,
    SUITS,
    read_card,
    read_named,
    read_play,
)
from tests.interop.checker_rulesets import from_json

FORMAT = "crapette-position/1"
DRAWS = ("offer-draw", "accept-draw", "decline-draw")


def wrong(field: str) -> ProtocolError:
    """What a broken field is refused with."""
    return ProtocolError("notation", field)


def read_action(play: Play, text: str) -> tuple[int, list[Any], str]:
    """Take the text of an action.

    Args:
        play: The deal it is about.
        text: The text.

    Returns:
        The role, the action as a list, and its usual text.

    Raises:
        ProtocolError: `notation`.
    """
    words = text.upper().split()
    front: int | None = None
    if words and words[0][:2] in ("A:", "B:"):
        front = "AB".index(words[0][0])
        words[0] = words[0][2:]
    if not words or not words[0]:
        raise wrong(text)
    verb, rest = words[0].lower(), words[1:]
    if verb == "resign" or verb in DRAWS:
        return _talk(play, verb, rest, front)
    last = play.last_actor
    mover = play.table.counts.active if front is None else front
    other = 1 - (play.table.counts.active if last is None else last)
    caller = other if front is None else front
    if verb in ("turn", "pass", "grant") and not rest:
        return caller if verb == "grant" else mover, [verb], verb
    if verb == "discard":
        _check_card(play, 20 + mover, rest)
        return mover, [verb], verb
    if verb == "stop" and rest:
        named = read_named(play, rest[0], 1 - caller)
        if named.target >= 16 or len(rest) > 2:
            raise wrong(text)
        return caller, ["stop", named.source, named.target], f"stop {rest[0]}"
    move = read_play(play, words[0], mover)
    _check_card(play, move.source, rest)
    return mover, ["move", move.source, move.target], words[0]


def _check_card(play: Play, pile: int, rest: list[str]) -> None:
    if len(rest) > 1 or (rest and read_card(rest[0]) != play.table.top(pile)):
        raise wrong(" ".join(rest))


def _talk(
    play: Play, verb: str, rest: list[str], front: int | None
) -> tuple[int, list[Any], str]:
    behind = "AB".find(rest[0]) if len(rest) == 1 and len(rest[0]) == 1 else -1
    if rest and (behind < 0 or front not in (None, behind)):
        raise wrong(verb)
    role = play.table.counts.active if front is None else front
    role = behind if rest else role
    action: list[Any] = [verb]
    if verb in ("accept-draw", "decline-draw"):
        action = ["answer-draw", verb == "accept-draw"]
    return role, action, f"{verb} {'AB'[role]}"


def check_position(found: Any) -> None:  # noqa: ANN401
    """Refuse a broken position.

    Args:
        found: The object.

    Raises:
        ProtocolError: `notation` with the field.
    """
    if not isinstance(found, dict):
        raise wrong("")
    if found.get("format") != FORMAT:
        raise wrong("format")
    _check_rules(found.get("rules", "crapette"))
    if found.get("to_move") not in ("A", "B"):
        raise wrong("to_move")
    if not isinstance(found.get("turn_opened"), bool):
        raise wrong("turn_opened")
    _check_cards(found)
    for name in "AB":
        mover = found["to_move"] == name and found["turn_opened"]
        if found[name].get("drawn") is not None and not mover:
            raise wrong(f"{name}.drawn")
    if "counters" in found:
        _check_counters(found["counters"])


def _check_rules(rules: Any) -> None:  # noqa: ANN401
    try:
        from_json(rules)
    except ProtocolError as error:
        known = [switch["name"] for switch in table("switches")["switches"]]
        names = list(rules) if isinstance(rules, dict) else []
        for name in known:
            rest = {key: rules[key] for key in names if key != name}
            if name in names and _taken(rest):
                raise wrong(f"rules.{name}") from error
        raise wrong("rules") from error


def _taken(rules: Any) -> bool:  # noqa: ANN401
    try:
        from_json(rules)
    except ProtocolError:
        return False
    return True


def _check_cards(found: dict[str, Any]) -> None:
    seen: Counter[int] = Counter()
    count = 0

    def take(cards: Any, field: str, *, unseen: bool) -> None:  # noqa: ANN401
        nonlocal count
        if not isinstance(cards, list):
            raise wrong(field)
        for text in cards:
            if not isinstance(text, str):
                raise wrong(field)
            count += 1
            if text == "??" and unseen:
                continue
            try:
                seen[read_card(text)] += 1
            except ProtocolError as error:
                raise wrong(field) from error
        if count > 104 or any(number > 2 for number in seen.values()):
            raise wrong(field)

    columns = found.get("tableau")
    if not isinstance(columns, list) or len(columns) != 8:
        raise wrong("tableau")
    for at, column in enumerate(columns):
        take(column, f"tableau.{at}", unseen=False)
    heights = found.get("foundations")
    if not isinstance(heights, dict) or set(heights) - set(SUITS):
        raise wrong("foundations")
    for suit in SUITS:
        pair = heights.get(suit)
        if not isinstance(pair, list) or len(pair) != 2:
            raise wrong(f"foundations.{suit}")
        for height in pair:
            if type(height) is not int or not 0 <= height <= 13:
                raise wrong(f"foundations.{suit}")
            cards = [rank + suit for rank in RANKS[:height]]
            take(cards, f"foundations.{suit}", unseen=False)
    for name in "AB":
        if not isinstance(found.get(name), dict):
            raise wrong(name)
        take(found[name].get("reserve"), f"{name}.reserve", unseen=True)
        stock = found[name].get("stock")
        if type(stock) is int and 0 <= stock <= 104:
            stock = ["??"] * stock
        take(stock, f"{name}.stock", unseen=True)
        drawn = found[name].get("drawn")
        if drawn is not None:
            take([drawn], f"{name}.drawn", unseen=True)
        take(found[name].get("waste"), f"{name}.waste", unseen=False)


def _check_counters(found: Any) -> None:  # noqa: ANN401
    if not isinstance(found, dict):
        raise wrong("counters")
    for name in ("idle", "limit", "fewest", "passes", "actions"):
        if name in found and (type(found[name]) is not int or found[name] < 0):
            raise wrong(f"counters.{name}")
    for name in ("last_actor", "callable", "offer"):
        if found.get(name) not in ("A", "B", None):
            raise wrong(f"counters.{name}")
    for name in ("wrong", "to_sit_out"):
        pair = found.get(name, [0, 0])
        if not isinstance(pair, list) or len(pair) != 2:
            raise wrong(f"counters.{name}")
