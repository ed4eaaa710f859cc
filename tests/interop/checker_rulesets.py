"""Rule sets as JSON and as a canonical array (spec 20, 3)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_uint,
    decode,
    encode,
)
from tests.interop.checker_crypto import sha
from tests.interop.checker_folder import table

DRAWN, RESERVE, COLUMN = 1, 2, 4


@dataclass(frozen=True)
class Rules:
    """The 17 switches as the numbers of the canonical array, in its order."""

    reserve_size: int
    starter: int
    tie_break: int
    ace_high_for_start: int
    opens_with_turn: int
    foundation_duty: int
    reserve_first: int
    fill_spaces_before_turn: int
    space_sources: int
    own_waste_playable: int
    enforcement: int
    missed_card_played_by: int
    stop_window: int
    wrong_call: int
    win_needs_tableau: int
    blocked_result: int
    scoring: int

    @property
    def array(self) -> tuple[int, ...]:
        """The canonical array."""
        return tuple(getattr(self, field.name) for field in fields(self))

    @property
    def packed(self) -> bytes:
        """The bytes of the canonical array."""
        return encode(self.array)

    @property
    def digest(self) -> bytes:
        """The hash that a genesis names."""
        return sha("crapette/1/rules", self.packed)

    @property
    def calls(self) -> bool:
        """Whether the opponent can call Stop."""
        return self.enforcement == 2


def _range(switch: Mapping[str, Any]) -> tuple[int, ...]:
    kind = switch["type"]
    if kind == "number":
        return tuple(switch["values"])
    count = {"boolean": 2, "mask": 8, "choice": len(switch.get("values", ()))}[kind]
    return tuple(range(count))


def from_array(numbers: Value) -> Rules:
    """Take the canonical array.

    Args:
        numbers: A decoded value.

    Returns:
        The rule set.

    Raises:
        ProtocolError: 300.
    """
    switches = table("switches")["switches"]
    items = as_array(numbers, len(switches), len(switches), 300)
    values = []
    for item, switch in zip(items, switches, strict=True):
        value = as_uint(item, 0, 255, 300)
        if value not in _range(switch):
            raise ProtocolError(300, switch["name"])
        values.append(value)
    rules = Rules(*values)
    alone = rules.reserve_first or rules.fill_spaces_before_turn
    if alone and not rules.foundation_duty:
        raise ProtocolError(300, "without foundation_duty")
    return rules


def from_bytes(data: bytes) -> Rules:
    """Take the bytes of the canonical array; anything wrong is 300."""
    try:
        return from_array(decode(data))
    except ProtocolError as error:
        raise ProtocolError(300, str(error)) from error


def from_json(spec: Any) -> Rules:  # noqa: ANN401
    """Take a rule set as JSON.

    Args:
        spec: A preset's name, or an object.

    Returns:
        The rule set.

    Raises:
        ProtocolError: 300.
    """
    found = table("switches")
    presets = {preset["name"]: preset["array"] for preset in found["presets"]}
    if isinstance(spec, str):
        spec = {"preset": spec}
    if not isinstance(spec, dict):
        raise ProtocolError(300, "no rule set")
    rest = dict(spec)
    name = rest.pop("preset", found["default_preset"])
    if not isinstance(name, str) or name not in presets:
        raise ProtocolError(300, "no such preset")
    numbers = list(presets[name])
    for at, switch in enumerate(found["switches"]):
        if switch["name"] in rest:
            numbers[at] = _number(rest.pop(switch["name"]), switch)
    if rest:
        raise ProtocolError(300, "no such switch")
    return from_array(tuple(numbers))


def _number(value: Any, switch: Mapping[str, Any]) -> int:  # noqa: ANN401
    kind, good = switch["type"], False
    number = 0
    if kind == "number":
        good = isinstance(value, int) and not isinstance(value, bool)
        number = value if good else 0
    elif kind == "boolean":
        good, number = isinstance(value, bool), int(value is True)
    elif kind == "choice":
        good = isinstance(value, str) and value in switch["values"]
        number = switch["values"].index(value) if good else 0
    elif isinstance(value, list) and all(isinstance(v, str) for v in value):
        good = set(value) <= set(switch["values"]) and len(set(value)) == len(value)
        bits = dict(zip(switch["values"], switch["bits"], strict=True))
        number = sum(bits[v] for v in value) if good else 0
    if not good:
        raise ProtocolError(300, switch["name"])
    return number
