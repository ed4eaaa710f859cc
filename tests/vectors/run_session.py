"""Runs the vectors of session states: brings a session there and hands it a message.

The sessions are real ones on a fake wire (``tests/helpers/pair.py``). States of a
game are reached by resuming a log that was made up to there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.state import Phase
from crapette_p2p.session.commands import Command
from crapette_p2p.session.messages import Resume
from crapette_p2p.session.notices import CardsToCompare, Notice
from crapette_p2p.session.states import State
from tests.helpers.fakegame import FakeGame, file_of
from tests.helpers.keys import real_key
from tests.helpers.pair import Pair, agreeable, make_player, terms
from tests.vectors.making.received import fresh, in_play, secret_of
from tests.vectors.values import Json, Refused

Reached = tuple[Pair, int]
"""A pair and which of the two is in the wanted state."""


def session_state(given: Json, _common: Json) -> object:
    """Whether a message may arrive in a state; 104 if not."""
    pair, side = REACH[given["state"], given["side"]]()
    player = pair.players[side]
    assert player.live.state.name == given["state"]
    pair.wire_clear(side)
    pair.held = [True, True]
    pair.inject(side, bytes.fromhex(given["payload"]))
    pair.held[side] = False
    pair.deliver(side)
    if player.closed == 104:
        raise Refused(104)
    return None


def _silent(_notice: Notice) -> None:
    """A person who has not answered yet."""


def _only_cards(notice: Notice) -> Command | None:
    """A person who sits down, and then thinks about the terms."""
    return agreeable(notice) if isinstance(notice, CardsToCompare) else None


def _pair(*, offers: bool = False) -> Pair:
    left, right = make_player("Ala"), make_player("Olek")
    if offers:
        left.options["terms"] = terms()
    pair = Pair(left, right)
    pair.join()
    return pair


def _frame(pair: Pair, side: int) -> None:
    """Deliver the next frame to a side, and its person's answer."""
    assert pair.wire is not None
    flight = pair.wire.flight[side]
    pair.deliver(side, 4 + int.from_bytes(flight[:4], "big"))


def _until(pair: Pair, side: int, state: State) -> Reached:
    """Carry on, frame by frame, until a side is in a state."""
    for _ in range(200):
        if pair.players[side].live.state is state:
            return pair, side
        assert pair.wire is not None
        for other in (side, 1 - side):
            if pair.players[other].answers:
                pair.command(other, pair.players[other].answers.pop(0))
                break
            if pair.wire.flight[other]:
                _frame(pair, other)
                break
    raise AssertionError(f"{state} is not reached")


def _login(side: int, state: State) -> Callable[[], Reached]:
    def reach() -> Reached:
        pair = _pair()
        if state is State.WAIT_HUMAN:
            pair.players[0].person = _silent
        return _until(pair, side, state)

    return reach


def _lobby(side: int) -> Callable[[], Reached]:
    def reach() -> Reached:
        pair = _pair()
        pair.pump()
        return pair, side

    return reach


def _proposed(side: int) -> Callable[[], Reached]:
    def reach() -> Reached:
        pair = _pair(offers=True)
        pair.players[1].person = _only_cards
        pair.pump()
        return pair, side

    return reach


def _accepted() -> Reached:
    pair, side = _until(_pair(offers=True), 1, State.PROPOSED)
    pair.command(1, pair.players[1].answers.pop(0))
    return pair, side


def _await_start() -> Reached:
    """START was lost; both have named the deal that only role 0 has started."""
    pair, side = _accepted()
    _frame(pair, 0)
    pair.join()
    player = pair.players[side]
    named = len(player.sent)
    while sum(isinstance(m, Resume) for m in player.sent[named:]) < 2:
        assert pair.wire is not None
        _frame(pair, 0 if pair.wire.flight[0] else 1)
    return pair, side


def _resumed(
    make: Callable[[], FakeGame], side: int, state: State, *, behind: int = 0
) -> Callable[[], Reached]:
    """Both come back to a game; role 1 lacks the last ``behind`` events."""

    def reach() -> Reached:
        game = make()
        players = []
        for role, name in enumerate(game.names):
            player = make_player(name, key=real_key(secret_of(name)))
            kept = game.records[: -2 * behind or None] if role == 1 else game.records
            player.disk.logs[game.game_id] = file_of(kept)
            secrets = game.secrets[role]
            for deck, seeds in enumerate((secrets.seeds0, secrets.seeds1)):
                player.disk.seeds[game.game_id, deck] = seeds
            players.append(player)
        pair = Pair(players[0], players[1])
        pair.join()
        return _until(pair, side, state)

    return reach


def _after_set_up(length: int) -> Callable[[], FakeGame]:
    def make() -> FakeGame:
        game = fresh("crapette")
        while game.log.length < length:
            owed = game.owed()
            assert owed is not None
            game.event(*owed)
        return game

    return make


def _resigned(events: int) -> Callable[[], FakeGame]:
    """So many events after a resignation."""

    def make() -> FakeGame:
        game = in_play("garibaldka", 3, after=5)
        position = game.state.position
        assert position is not None
        game.event(position.active, EventType.RESIGN, ())
        for _ in range(events):
            owed = game.owed()
            assert owed is not None
            game.event(*owed)
        return game

    return make


def _in_play() -> FakeGame:
    return in_play("crapette", 1, after=6)


def _opening() -> FakeGame:
    return in_play("crapette", 4, want=Phase.OPENING)


@cache
def _ending() -> FakeGame:
    return in_play("crapette", 4, want=Phase.ENDING)


def _games() -> dict[tuple[str, str], Callable[[], Reached]]:
    found: dict[tuple[str, str], Callable[[], Reached]] = {
        ("COMMIT", "length 0"): _resumed(_after_set_up(0), 0, State.COMMIT),
        ("COMMIT", "length 1"): _resumed(_after_set_up(1), 0, State.COMMIT),
        ("SYNCING", "shorter"): _resumed(_in_play, 1, State.SYNCING, behind=3),
        ("SYNCING", "longer"): _resumed(_in_play, 0, State.SYNCING, behind=3),
        ("LOBBY", "after a game"): _resumed(_resigned(2), 0, State.LOBBY),
    }
    for name, make in (
        ("CHALLENGE", _after_set_up(2)),
        ("REVEAL", _after_set_up(4)),
        ("DEAL", _after_set_up(6)),
        ("PLAY", _in_play),
        ("OPENING", _opening),
        ("ENDING", _ending),
        ("OVER", _resigned(0)),
        ("AUDIT", _resigned(1)),
    ):
        found[name, "role 0"] = _resumed(make, 0, State[name])
    return found


REACH: Final = {
    ("HELLO", "listener"): _login(0, State.HELLO),
    ("HOST", "dialler"): _login(1, State.HOST),
    ("AUTH", "listener"): _login(0, State.AUTH),
    ("READY", "dialler"): _login(1, State.READY),
    ("WAIT_HUMAN", "listener"): _login(0, State.WAIT_HUMAN),
    ("RESUMING", "either"): _login(0, State.RESUMING),
    ("RESUMING", "waits for START"): _await_start,
    ("LOBBY", "role 0"): _lobby(0),
    ("LOBBY", "role 1"): _lobby(1),
    ("PROPOSED", "has proposed"): _proposed(0),
    ("PROPOSED", "is asked"): _proposed(1),
    ("PROPOSED", "has accepted"): _accepted,
} | _games()
"""How each state is reached, by its name and by what this side is in it."""

RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {
    "session-states": session_state,
}
