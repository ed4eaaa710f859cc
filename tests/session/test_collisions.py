"""Two events with one number: the types alone decide, on both sides alike."""

from __future__ import annotations

from itertools import product

import pytest

from crapette_p2p.engine import legal_actions
from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DISCARD,
    OFFER_DRAW,
    RESIGN,
    TURN,
    Action,
    Stop,
)
from crapette_p2p.engine.layout import PileId, Seat, other, reserve
from crapette_p2p.errors import IllegalMove
from crapette_p2p.gamelog.events import action_to_body, decode_event
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import ActionDropped, EventVoid
from crapette_p2p.session.states import State
from tests.helpers.driving import (
    act,
    log_of,
    position_of,
    require_equal,
    side_of,
    state_of,
)
from tests.helpers.first_turns import a_move, table_with_mover
from tests.helpers.forging import records_of, require_one_signature
from tests.helpers.pair import Pair, play_pair


def collide(pair: Pair, first: int, actions: dict[int, Action]) -> int:
    """Both act at once; ``first`` says whose bytes arrive first. The number."""
    number = state_of(pair.players[0]).length
    for seat, action in actions.items():
        pair.command(side_of(pair, seat), Act(action))
    pair.deliver(first)
    pair.deliver(1 - first)
    pair.pump()
    return number


def wrong_stop(mover: int) -> Stop:
    """A call that names a play which is never due."""
    return Stop(reserve(mover), PileId(15))


def named(pair: Pair, what: str, mover: int) -> Action:
    """An action by its name in the tables below."""
    move = a_move(pair)
    assert move is not None
    actions: dict[str, Action] = {
        "MOVE": move,
        "END": DISCARD,
        "STOP": wrong_stop(mover),
        "RESIGN": RESIGN,
        "DRAW": OFFER_DRAW,
    }
    return actions[what]


# What the mover does, what the other does, who wins ("mover", "other", or "role 0").
TABLE = [
    ("MOVE", "STOP", "other"),
    ("END", "STOP", "other"),
    ("DRAW", "STOP", "other"),
    ("RESIGN", "STOP", "mover"),
    ("MOVE", "RESIGN", "other"),
    ("END", "RESIGN", "other"),
    ("RESIGN", "RESIGN", "role 0"),
    ("MOVE", "DRAW", "mover"),
    ("END", "DRAW", "mover"),
    ("RESIGN", "DRAW", "mover"),
    ("DRAW", "RESIGN", "other"),
    ("DRAW", "DRAW", "role 0"),
]


@pytest.mark.parametrize(("ours", "theirs", "winner"), TABLE)
@pytest.mark.parametrize(("mover", "first"), list(product((0, 1), (0, 1))))
def test_both_sides_agree_on_the_winner(
    ours: str, theirs: str, winner: str, mover: int, first: int
) -> None:
    """C5, P1: the same log on both sides in every order of delivery."""
    pair = table_with_mover(mover)
    actions = {mover: named(pair, ours, mover), 1 - mover: named(pair, theirs, mover)}
    number = collide(pair, first, actions)
    seat = {"mover": mover, "other": 1 - mover, "role 0": 0}[winner]
    require_equal(pair)
    require_one_signature(pair)
    event = log_of(pair.players[0]).entries[number].signed.event
    assert event.author == seat
    assert (event.type, event.body) == action_to_body(actions[seat])
    loser = pair.players[side_of(pair, 1 - seat)]
    assert loser.of(EventVoid) == [EventVoid(actions[1 - seat])]
    (void,) = records_of(pair.players[side_of(pair, seat)], RecordKind.VOID)
    assert isinstance(void[0], bytes)
    assert decode_event(void[0]).author == 1 - seat
    assert not records_of(loser, RecordKind.VOID)


@pytest.mark.parametrize("mover", [0, 1])
def test_a_void_action_is_not_proposed_again_by_itself(mover: int) -> None:
    """P1: after the collision its owner decides; a STOP leaves the move possible."""
    pair = table_with_mover(mover)
    move = named(pair, "MOVE", mover)
    number = collide(pair, 0, {mover: move, 1 - mover: wrong_stop(mover)})
    assert state_of(pair.players[0]).length == number + 1
    act(pair, mover, move)
    event = log_of(pair.players[0]).entries[number + 1].signed.event
    assert (event.type, event.body) == action_to_body(move)
    require_equal(pair)


def test_draw_talk_never_stops_a_play() -> None:
    """P1: an offer signed against each of the other's plays voids none of them."""
    pair = table_with_mover(0)
    for _ in range(3):
        position = position_of(pair.players[0])
        if position.active != 0:
            break
        play = next(iter(legal_actions(position)))
        number = state_of(pair.players[0]).length
        pair.command(0, Act(play))
        pair.attempt(1, Act(OFFER_DRAW))
        pair.pump()
        event = log_of(pair.players[0]).entries[number].signed.event
        assert (event.type, event.body) == action_to_body(play)
    require_equal(pair)


def test_accepting_a_draw_does_not_beat_the_move_that_declines_it() -> None:
    """P1: role 0 cannot turn a play into a draw by answering an old offer."""
    pair = table_with_mover(1)
    act(pair, 1, OFFER_DRAW)
    move = named(pair, "MOVE", 1)
    number = collide(pair, 1, {1: move, 0: ACCEPT_DRAW})
    event = log_of(pair.players[0]).entries[number].signed.event
    assert (event.type, event.body) == action_to_body(move)
    assert pair.players[side_of(pair, 0)].of(EventVoid) == [EventVoid(ACCEPT_DRAW)]


def test_two_stops_cannot_collide() -> None:
    """P3: at most one player's actions are callable; the other's STOP is refused."""
    pair = table_with_mover(0)
    with pytest.raises(IllegalMove):
        pair.command(side_of(pair, 0), Act(wrong_stop(1)))


def test_a_stop_waits_until_the_opening_is_done() -> None:
    """P3: called while a card is being opened, it goes out right after."""
    pair = play_pair("crapette", seed=0)
    mover = position_of(pair.players[0]).active
    caller = side_of(pair, other(mover))
    pair.command(side_of(pair, mover), Act(TURN))
    pair.deliver(caller)  # the TURN is final there, the openings are owed
    assert pair.players[caller].live.state is State.OPENING
    pair.command(caller, Act(wrong_stop(mover)))
    assert state_of(pair.players[caller]).length == 11
    pair.pump()
    types = [e.signed.event.type for e in log_of(pair.players[0]).entries[10:]]
    assert types[:4] == [33, 4, 5, 35]
    require_equal(pair)


def test_a_stop_waits_for_the_confirmation_of_an_own_event() -> None:
    """P3: with an offer un-acked the Stop is queued, then sent."""
    pair = table_with_mover(0)
    caller = side_of(pair, 1)
    pair.command(caller, Act(OFFER_DRAW))
    pair.command(caller, Act(wrong_stop(0)))
    pair.pump()
    types = [e.signed.event.type for e in log_of(pair.players[0]).entries[-2:]]
    assert types == [37, 35]
    require_equal(pair)


def test_a_waiting_stop_that_became_impossible_is_dropped_with_a_word() -> None:
    """What waited and is refused when its turn comes is told, not sent."""
    pair = table_with_mover(0)
    caller = pair.players[side_of(pair, 1)]
    pair.command(side_of(pair, 1), Act(OFFER_DRAW))
    pair.command(side_of(pair, 1), Act(wrong_stop(0)))
    pair.command(side_of(pair, 0), Act(RESIGN))
    pair.pump()
    assert caller.of(ActionDropped)
    require_equal(pair)


def test_a_resignation_waits_for_the_confirmation_of_an_own_event() -> None:
    """Resigning is possible at any time, if need be a moment later."""
    pair = table_with_mover(0)
    pair.command(0, Act(named(pair, "MOVE", 0)))
    pair.command(0, Act(RESIGN))
    pair.pump()
    assert state_of(pair.players[0]).done
    assert state_of(pair.players[0]).winner == Seat(1)
    require_equal(pair)


def test_resigning_beats_an_opening() -> None:
    """P2: while a card is owed RESIGN is lawful and wins against the opening."""
    pair = play_pair("crapette", seed=0)
    mover = position_of(pair.players[0]).active
    side = side_of(pair, mover)
    pair.command(side, Act(TURN))
    pair.deliver(1 - side)  # ACK and OPEN_A are on their way
    pair.command(1 - side, Act(RESIGN))  # waits: OPEN_A is un-acked
    pair.pump()
    assert state_of(pair.players[0]).winner == mover
    require_equal(pair)
    require_one_signature(pair)
