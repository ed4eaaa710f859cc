"""C: two events with one number, and calls: wrong, late, twice, at the end."""

from __future__ import annotations

from itertools import product

import pytest

from crapette_p2p.engine import legal_with_offences
from crapette_p2p.engine.actions import (
    DISCARD,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    Action,
    Move,
)
from crapette_p2p.engine.layout import other, reserve
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType, action_to_body
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.session.commands import Act
from tests.adversarial.by_hand import ByHand, dealt
from tests.adversarial.calling import (
    KNOCK,
    ending,
    play_carelessly,
    right_stop,
    wrong_stop,
)
from tests.adversarial.hostile import Hostile
from tests.adversarial.verdicts import Court
from tests.helpers.driving import (
    act,
    log_of,
    position_of,
    require_closed,
    require_equal,
    state_of,
)
from tests.helpers.first_turns import a_move, table_with_mover
from tests.helpers.forging import records_of, require_one_signature
from tests.helpers.pair import Pair

# C5 -------------------------------------------------------------------------------


def named(pair: Pair, what: str, mover: int) -> Action:
    """An action by its name in the table below."""
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


COLLISIONS = [
    ("MOVE", "STOP", "other"),
    ("END", "STOP", "other"),
    ("DRAW", "STOP", "other"),
    ("RESIGN", "STOP", "mover"),
    ("MOVE", "RESIGN", "other"),
    ("RESIGN", "RESIGN", "role 0"),
    ("MOVE", "DRAW", "mover"),
    ("DRAW", "DRAW", "role 0"),
]


@pytest.mark.parametrize(("ours", "theirs", "winner"), COLLISIONS)
@pytest.mark.parametrize(("mover", "first"), list(product((0, 1), (0, 1))))
def test_c05_collisions_in_every_order(
    ours: str, theirs: str, winner: str, mover: int, first: int
) -> None:
    """C5: the same log on both sides, whoever hears of the other first."""
    pair = table_with_mover(mover)
    number = state_of(pair.players[0]).length
    actions = {mover: named(pair, ours, mover), 1 - mover: named(pair, theirs, mover)}
    for side, action in actions.items():
        pair.command(side, Act(action))
    pair.deliver(first)
    pair.deliver(1 - first)
    pair.pump()
    seat = {"mover": mover, "other": 1 - mover, "role 0": 0}[winner]
    event = log_of(pair.players[0]).entries[number].signed.event
    assert (event.author, event.type) == (seat, action_to_body(actions[seat])[0])
    require_equal(pair)
    require_one_signature(pair)


@pytest.mark.parametrize("mover", [0, 1])
def test_c05_two_stops_cannot_collide(mover: int, court: Court) -> None:
    """C5, P3: at most one player's actions are callable: the mover's STOP is 404."""
    pair = table_with_mover(mover)
    hostile = Hostile(pair, 1 - mover)
    hostile.notice_now()
    hostile.say(hostile.action(wrong_stop(1 - mover)))
    court.convict(hostile.require(404, proven=True))


# C6 -------------------------------------------------------------------------------


def test_c06_a_wrong_stop_takes_its_number_and_the_move_is_made_again(
    court: Court,
) -> None:
    """C6: the number is spent, no second call in that turn, the move stays open."""
    pair = table_with_mover(0)
    move = named(pair, "MOVE", 0)
    number = state_of(pair.players[0]).length
    pair.command(0, Act(move))
    pair.command(1, Act(wrong_stop(0)))
    pair.pump()
    assert state_of(pair.players[0]).length == number + 1
    assert not pair.players[1].live.may(wrong_stop(0))
    act(pair, 0, move)
    require_equal(pair)
    hostile = Hostile(pair, 0)
    hostile.notice_now()
    hostile.say(hostile.action(wrong_stop(0)))
    court.convict(hostile.require(404, proven=True))


def test_c06_a_stop_after_the_end_of_the_turn() -> None:
    """C6: the caller is the player to move by then; the call is upheld."""

    def ended(state: GameState) -> bool:
        position = state.position
        return (
            position is not None
            and bool(position.offences)
            and position.callable == other(position.active)
        )

    pair = play_carelessly("crapette", ended)
    caller = int(position_of(pair.players[0]).active)
    act(pair, caller, right_stop(state_of(pair.players[0])))
    assert log_of(pair.players[0]).entries[-1].signed.event.type >= EventType.OPEN_A
    assert not position_of(pair.players[0]).offences
    require_equal(pair)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["crapette", KNOCK])
def test_c06_an_upheld_stop_that_uncovers_a_card(preset: str) -> None:
    """C6, P2: the missed card is played for the offender; the next one is opened."""

    def uncovers(state: GameState) -> bool:
        position = state.position
        if position is None or not position.offences or state.due is not None:
            return False
        offender = position.callable
        stop = right_stop(state)
        return offender is not None and stop.source == reserve(offender)

    pair = play_carelessly(preset, uncovers)
    state = state_of(pair.players[0])
    number = state.length
    caller = other(position_of(pair.players[0]).callable or 0)
    act(pair, caller, right_stop(state))
    types = [e.signed.event.type for e in log_of(pair.players[0]).entries[number:]]
    assert types == [EventType.STOP, EventType.OPEN_A, EventType.OPEN_B]
    require_equal(pair)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blocked", "call"), [(False, False), (True, False), (True, True)]
)
def test_c06_a_provisional_end_becomes_final(*, blocked: bool, call: bool) -> None:
    """C6, P4: with the GRANT of the other player, or his wrong call."""
    pair, author = ending(blocked=blocked)
    act(pair, 1 - author, wrong_stop(author) if call else GRANT)
    require_closed(pair)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by_author", "kind", "body"),
    [
        (True, EventType.GRANT, ()),
        (True, EventType.RESIGN, ()),
        (False, EventType.RESIGN, ()),
        (False, EventType.TURN, ()),
        (True, EventType.AUDIT, (bytes(32), bytes(32))),
    ],
)
def test_c06_nothing_else_is_lawful_at_a_provisional_end(
    kind: EventType, body: Body, *, by_author: bool, court: Court
) -> None:
    """C6, P4: neither by the author nor by the other; no seed is opened there."""
    pair, author = ending(blocked=True)
    hostile = Hostile(pair, 1 - author if by_author else author)
    hostile.notice_now()
    hostile.say(hostile.event(kind, body))
    court.convict(hostile.require(404, proven=True))


def test_c06_draw_offers_against_every_play_stop_none_of_them() -> None:
    """C6, P1: each loses and is recorded once; the game goes on as it should."""
    cheat = player_to_move_is_honest()
    for number in range(30):
        length = cheat.state.length
        play = next_play(cheat)
        cheat.pair.command(cheat.victim, Act(play))
        cheat.say(cheat.action(OFFER_DRAW))
        cheat.acknowledge()
        event = cheat.log.entries[length].signed.event
        assert (event.type, event.body) == action_to_body(play), number
        cheat.settle()
        if int(position_of(cheat.honest).active) == cheat.seat:
            break
    assert records_of(cheat.honest, RecordKind.VOID)
    assert cheat.honest.closed is None


def player_to_move_is_honest() -> ByHand:
    """A deal that the victim begins."""
    for seed in range(1, 20):
        cheat = dealt("russian-bank", victim=0, seed=seed)
        if position_of(cheat.honest).active == 0:
            return cheat
    raise AssertionError("no such deal")


def next_play(cheat: ByHand) -> Action:
    """A move among columns that keeps the turn, if there is one."""
    listed = [a for a, _ in legal_with_offences(position_of(cheat.honest))]
    columns = [a for a in listed if isinstance(a, Move)]
    return (columns or listed)[0]
