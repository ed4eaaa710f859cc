"""Vectors of public states and of what may arrive in which session state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crapette_p2p import canonical
from crapette_p2p.engine import PRESETS
from crapette_p2p.gamelog.game import encode_state
from tests.vectors.making.received import fresh, in_play
from tests.vectors.making.wire import lawful_values
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_log import RUNNERS
from tests.vectors.spec_pages import table
from tests.vectors.values import to_json

SIDES: Final[dict[tuple[str, str], frozenset[str]]] = {
    ("HELLO", "listener"): frozenset(),
    ("HOST", "dialler"): frozenset(),
    ("AUTH", "listener"): frozenset(),
    ("READY", "dialler"): frozenset(),
    ("WAIT_HUMAN", "listener"): frozenset(),
    ("RESUMING", "either"): frozenset(),
    ("RESUMING", "waits for START"): frozenset({"accepted, not started"}),
    ("SYNCING", "shorter"): frozenset({"shorter"}),
    ("SYNCING", "longer"): frozenset({"longer"}),
    ("LOBBY", "role 0"): frozenset(),
    ("LOBBY", "role 1"): frozenset({"role 1"}),
    ("LOBBY", "after a game"): frozenset({"of the finished game"}),
    ("PROPOSED", "has proposed"): frozenset({"after PROPOSE"}),
    ("PROPOSED", "is asked"): frozenset(),
    ("PROPOSED", "has accepted"): frozenset({"after ACCEPT"}),
    ("COMMIT", "length 0"): frozenset({"at length 0"}),
    ("COMMIT", "length 1"): frozenset(),
    ("CHALLENGE", "role 0"): frozenset(),
    ("REVEAL", "role 0"): frozenset(),
    ("DEAL", "role 0"): frozenset(),
    ("PLAY", "role 0"): frozenset(),
    ("OPENING", "role 0"): frozenset(),
    ("ENDING", "role 0"): frozenset(),
    ("OVER", "role 0"): frozenset(),
    ("AUDIT", "role 0"): frozenset(),
}
"""The states in which bytes are read, and which conditions hold there."""


def files() -> Iterator[VectorFile]:
    """All files of this module."""
    yield VectorFile("state-hashes", "state-hashes", "spec/40-log.md#5", _states())
    spec = "spec/60-session.md#1"
    yield VectorFile("session-states", "session-states", spec, list(_sessions()))


def _states() -> list[Group]:
    group = Group("of-games")
    for preset in PRESETS:
        for after in (0, 1, 7, 19):
            game = in_play(preset, 3, after=after)
            _add_state(group, f"{preset}, {after} actions", encode_state(game.state))
    begun = Group("set-up")
    game = fresh("crapette")
    for length in range(10):
        _add_state(begun, f"{length} events", encode_state(game.state))
        owed = game.owed()
        assert owed is not None
        game.event(*owed)
    _add_state(begun, "just dealt", encode_state(game.state))
    return [begun, group]


def _add_state(group: Group, comment: str, data: bytes) -> None:
    given: Json = {"state": to_json(canonical.decode(data))}
    group.add(comment, given, RUNNERS["state-hashes"](given, {}))


def _sessions() -> Iterator[Group]:
    """Every message in every state; what is lawful follows from the table."""
    found = table("session-states")
    allowed = {state["name"]: state["may_arrive"] for state in found["states"]}
    samples = _samples()
    for (state, side), holding in SIDES.items():
        group = Group(f"{state.lower()}-{side.replace(' ', '-')}")
        for name, payload in samples.items():
            if (side, name) == ("waits for START", "RESUME"):
                continue  # allowed twice, and this side has had both
            condition = allowed[state].get(name)
            may = condition == "always" or condition in holding
            given = {"state": state, "side": side, "holds": sorted(holding)}
            given |= {"message": name, "payload": payload}
            group.add("", given, code=None if may else 104)
        yield group


def _samples() -> dict[str, str]:
    """One well-formed message of each type but BYE, as small as can be."""
    found = {}
    for entry in table("message-tags")["messages"]:
        if entry["name"] != "BYE":
            fields = [lawful_values(field)[0] for field in entry["fields"]]
            found[entry["name"]] = canonical.encode([entry["type"], *fields]).hex()
    return found
