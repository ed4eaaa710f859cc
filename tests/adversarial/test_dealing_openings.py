"""D: openings that are not owed, not committed, too early, or never made."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial

import pytest

from crapette_p2p.engine.actions import RESIGN, TURN, Stop
from crapette_p2p.engine.layout import PileId, other, reserve
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType, decode_event
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from crapette_p2p.session.effects import Persist, Send
from crapette_p2p.session.states import State
from tests.adversarial.by_hand import ByHand, dealt, started
from tests.adversarial.verdicts import Court
from tests.helpers.driving import drive, log_of, position_of, require_equal, state_of
from tests.helpers.keys import verify
from tests.helpers.pair import Pair, Player, play_pair, terms

SIDES = pytest.mark.parametrize("victim", [0, 1])
OPEN_A, OPEN_B = EventType.OPEN_A, EventType.OPEN_B
HALVES = pytest.mark.parametrize("kind", [OPEN_A, OPEN_B])
Line = tuple[object, object, object]


@cache
def _seed_for(preset: str, victim: int, mover: int) -> int:
    """A deal in which that seat begins."""
    for seed in range(1, 30):
        cheat = dealt(preset, victim=victim, seed=seed)
        if int(position_of(cheat.honest).active) == mover:
            return seed
    raise AssertionError("no such deal")


def opening(victim: int, kind: EventType, preset: str = "russian-bank") -> ByHand:
    """A card has been turned up, and the cheat owes his half of its opening."""
    mover = victim if kind == OPEN_A else 1 - victim
    cheat = dealt(preset, victim=victim, seed=_seed_for(preset, victim, mover))
    if mover == victim:
        cheat.pair.command(victim, Act(TURN))
    else:
        cheat.say(cheat.event(EventType.TURN))
    cheat.acknowledge()
    assert cheat.owes(kind)
    cheat.notice_now()
    return cheat


def line_of(cheat: ByHand) -> tuple[object, Line]:
    """Deck and line of the honest opening."""
    deck, lines = cheat.owed()[1]
    assert isinstance(lines, tuple)
    (line,) = lines
    return deck, line


def refused(cheat: ByHand, body: Body, code: int, court: Court) -> None:
    """An opening with that body is refused, provably."""
    cheat.say(cheat.event(cheat.owed()[0], body))
    court.convict(cheat.require(code, proven=True))


@SIDES
@HALVES
def test_d11_positions_nobody_called_for(
    victim: int, kind: EventType, court: Court
) -> None:
    """D11: another position or deck, none, or two at once: 404."""
    deck, (at, value, salt) = line_of(opening(victim, kind))
    assert isinstance(at, int)
    assert isinstance(deck, int)
    line = (at, value, salt)
    bodies: list[Body] = [
        (deck, ()),
        (deck, (line, line)),
        (deck, (line, ((at + 1) % 52, value, salt))),
        (1 - deck, (line,)),
        (2, (line,)),
        (deck,),
        (deck, (line,), 0),
        (deck, line),
        (deck, ((at, value),)),
    ]
    if kind == OPEN_A:
        bodies.append((deck, (((at + 1) % 52, value, salt),)))
    for body in bodies:
        refused(opening(victim, kind), body, 404, court)


@SIDES
@HALVES
def test_d12_lines_that_do_not_match(
    victim: int, kind: EventType, court: Court
) -> None:
    """D12: wrong slot, card or salt is 405; what is no card at all 404."""
    cheat = opening(victim, kind)
    deck, (at, value, salt) = line_of(cheat)
    assert isinstance(at, int)
    assert isinstance(deck, int)
    assert isinstance(value, int)
    layer = cheat.secrets.layer(
        cheat.log.game_id, cheat.seat, deck, cheat.state.deal.kept(cheat.seat, deck)
    )
    other_slot = (at + 1) % 52
    lines: list[tuple[Line, int]] = [
        ((at, (value + 1) % 52, salt), 405),
        ((at, value, bytes(32)), 405),
        ((at, value, layer.salts[other_slot]), 405),
        ((at, layer.perm[other_slot], layer.salts[other_slot]), 405),
        ((at, 52, salt), 404),
        ((at, 255, salt), 404),
        ((at, True, salt), 404),
        ((at, value, bytes(31)), 404),
        ((at, value, None), 404),
        ((52, value, salt), 404),
    ]
    if kind == OPEN_B:
        honest = (other_slot, layer.perm[other_slot], layer.salts[other_slot])
        lines.append((honest, 405))
    for line, code in lines:
        refused(opening(victim, kind), (deck, (line,)), code, court)


@SIDES
@pytest.mark.parametrize("kind", [OPEN_A, OPEN_B])
def test_d12_lines_of_the_lay_out(victim: int, kind: EventType, court: Court) -> None:
    """D12: the five lines of the lay-out: order, number, value and salt."""
    cheat = started(victim=victim)
    deck, lines = cheat.settle_until_owing(kind)[1]
    assert isinstance(lines, tuple)
    first, second, *rest = lines
    bodies: list[tuple[Body, int]] = [
        ((deck, lines[:4]), 404),
        ((deck, (*lines, first)), 404),
        ((deck, (second, first, *rest)), 404 if kind == OPEN_A else 405),
        ((deck, ((first[0], second[1], first[2]), second, *rest)), 405),
        ((deck, ((first[0], first[1], second[2]), second, *rest)), 405),
    ]
    for body, code in bodies:
        cheat = started(victim=victim)
        cheat.settle_until_owing(kind)
        refused(cheat, body, code, court)


@SIDES
def test_d13_the_second_half_first_or_by_the_wrong_hand(
    victim: int, court: Court
) -> None:
    """D13: OPEN_B while OPEN_A is owed, OPEN_A twice, either half by the other."""
    for kind, wrong_kind in ((OPEN_A, OPEN_B), (OPEN_B, OPEN_A)):
        cheat = opening(victim, kind)
        cheat.say(cheat.event(wrong_kind, cheat.owed()[1]))
        court.convict(cheat.require(404, proven=True))


@SIDES
@HALVES
def test_d13_the_victims_own_opening_comes_back(
    victim: int, kind: EventType, court: Court
) -> None:
    """D13: what the victim has just shown, signed by the cheat instead: 404."""
    cheat = opening(victim, OPEN_A if kind == OPEN_B else OPEN_B)
    if kind == OPEN_B:
        cheat.say(cheat.event(*cheat.owed()))
    else:
        mover = 1 - victim
        cheat = dealt(victim=victim, seed=_seed_for("russian-bank", victim, mover))
        cheat.say(cheat.event(EventType.TURN))
    game = cheat.session.open_game
    assert game is not None
    assert game.mine is not None
    assert game.mine.event.type == kind
    cheat.notice_now()
    cheat.say(cheat.event(kind, game.mine.event.body))
    court.convict(cheat.require(404, proven=True))


def openings_of(player: Player) -> Iterator[tuple[int, int]]:
    """For each OPEN_A sent: its number, and where in the trace that was."""
    for place, effect in enumerate(player.trace):
        if isinstance(effect, Send):
            message = wire.decode_message(effect.data[4:])
            if isinstance(message, wire.EventMessage):
                event = decode_event(message.event)
                if event.type == OPEN_A and event.seq >= 10:
                    yield event.seq, place


def has_length(length: int, state: GameState) -> bool:
    """Whether a game is that long."""
    return state.length >= length


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_d14_no_opening_leaves_before_its_turn_is_final(seed: int) -> None:
    """D14: at each OPEN_A we send, the ACK of the event before is on our disk."""
    rng = random.Random(seed)  # noqa: S311 - a repeatable game
    pair = play_pair("crapette", seed=seed, split="random")
    for length in range(20, 130, 10):
        drive(pair, rng, until=partial(has_length, length))
        if state_of(pair.players[0]).done:
            break
        pair.cut()
        pair.connect(dialler=rng.randrange(2))
    count = 0
    for player in pair.players:
        for seq, place in openings_of(player):
            before = [e for e in player.trace[:place] if isinstance(e, Persist)]
            assert any(e.kind == 3 and e.body[0] == seq - 1 for e in before)
            count += 1
    assert count >= 4


def debtors(cheat: ByHand) -> tuple[int | None, int | None]:
    """Who owes the next message, for the victim and for a stranger."""
    game = cheat.session.open_game
    assert game is not None
    (data,) = cheat.honest.disk.logs.values()
    return game.debtor, verify_log(data, verify).debtor


@SIDES
def test_d15_who_leaves_is_the_debtor(victim: int) -> None:
    """D15: after CHALLENGE, after the lay-out, before OPEN_A, before OPEN_B."""
    for kind in (EventType.REVEAL, OPEN_A, OPEN_B):
        cheat = started(victim=victim)
        cheat.settle_until_owing(kind)
        assert debtors(cheat) == (cheat.seat, cheat.seat)
    for kind in (OPEN_A, OPEN_B):
        cheat = opening(victim, kind)
        assert debtors(cheat) == (cheat.seat, cheat.seat)
        cheat.pair.wait(11)
        assert cheat.honest.closed == 106  # T_STEP; never an event of the game
        assert cheat.session.state is State.SUSPENDED
        assert debtors(cheat) == (cheat.seat, cheat.seat)
    cheat = dealt(victim=victim)
    mover = int(position_of(cheat.honest).active)
    assert debtors(cheat) == (mover, mover)


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
def test_d15_both_logs_name_the_same_debtor(side: int) -> None:
    """D15, P14: wherever one crashes; unless an event is on its way between them."""
    for step in range(1, 40, 2):
        pair = Pair()
        pair.players[side].crash_before = step
        pair.players[0].options["terms"] = terms("russian-bank")
        pair.connect()
        if pair.wire is not None:
            break
        games = [player.kept() for player in pair.players]
        if not all(games) or not all(game[0].started for game in games):
            continue
        left, right = games[0][0], games[1][0]
        if left.length == right.length and not (left.mine or right.mine):
            assert left.debtor == right.debtor
        for game in (left, right):
            if game.mine is not None:
                assert game.debtor == other(game.seat)


@SIDES
def test_d20_a_call_while_a_card_is_being_opened(victim: int, court: Court) -> None:
    """D20: STOP (and talk, and a move) during OPENING is 404; RESIGN is not."""
    for kind in (OPEN_A, OPEN_B):
        stop = Stop(reserve(victim), PileId(8))
        for wrong in (
            (EventType.STOP, (int(stop.source), int(stop.target))),
            (EventType.DRAW_OFFER, ()),
            (EventType.TURN, ()),
            (EventType.END, (0,)),
        ):
            cheat = opening(victim, kind, "crapette")
            cheat.say(cheat.event(*wrong))
            court.convict(cheat.require(404, proven=True))
        cheat = opening(victim, kind, "crapette")
        cheat.resign(cheat.seat)
        assert cheat.honest.closed is None
        assert cheat.state.winner == victim


# D21 ------------------------------------------------------------------------------


def collided(seed: int) -> tuple[Pair, int] | None:
    """A second TURN of a turn that a STOP made void; whose TURN it was."""
    pair = play_pair("crapette", seed=seed)

    def ready(state: GameState) -> bool:
        position = state.position
        if position is None or state.due is not None or position.end is not None:
            return False
        mover = int(position.active)
        stop = Stop(reserve(mover), PileId(15))
        may = pair.players[mover].live.may(TURN)
        return may and pair.players[1 - mover].live.may(stop)

    rng = random.Random(seed)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=ready)
    if state_of(pair.players[0]).done:
        return None
    mover = int(position_of(pair.players[0]).active)
    pair.command(mover, Act(TURN))
    pair.command(1 - mover, Act(Stop(reserve(mover), PileId(15))))
    pair.pump()
    return pair, mover


def test_d21_a_void_turn_has_shown_nothing() -> None:
    """D21: after STOP(n) made TURN(n) void, no salt of that card was ever sent."""
    pair, mover = next(found for seed in range(20) if (found := collided(seed)))
    require_equal(pair)
    log = log_of(pair.players[0])
    assert log.entries[-1].signed.event.type == EventType.STOP
    stock = position_of(pair.players[0]).piles[18 + mover]
    deck, position = divmod(stock[-1], 52)
    assert deck == mover
    said = b"".join(
        wire.encode_message(message)
        for player in pair.players
        for message in player.sent
    )
    for salt in salts_of(pair, deck, position):
        assert salt not in said
    # The same salts are there once the card is really turned up.
    if pair.attempt(mover, Act(TURN)):
        pair.pump()
        said = b"".join(
            wire.encode_message(message)
            for player in pair.players
            for message in player.sent
        )
        assert all(salt in said for salt in salts_of(pair, deck, position))


def salts_of(pair: Pair, deck: int, position: int) -> list[bytes]:
    """The salts of both halves of one card."""
    games = [player.kept()[-1] for player in pair.players]
    layers = []
    for game in games:
        assert game.secrets is not None
        kept = game.state.deal.kept(game.seat, deck)
        layers.append(game.secrets.layer(game.game_id, game.seat, deck, kept))
    first = layers[1 - deck]
    slot = first.perm[position]
    return [first.salts[position], layers[deck].salts[slot]]


def test_d21_a_turn_that_a_resignation_made_void() -> None:
    """D21: neither; the card stays face down in both logs."""
    pair = play_pair("russian-bank", seed=1)
    mover = int(position_of(pair.players[0]).active)
    top = position_of(pair.players[0]).piles[18 + mover][-1]
    salts = salts_of(pair, *divmod(top, 52))
    pair.command(mover, Act(TURN))
    pair.command(1 - mover, Act(RESIGN))
    pair.pump()
    assert state_of(pair.players[0]).winner == mover
    for player in pair.players:
        assert position_of(player).faces[top] == 255
        said = b"".join(wire.encode_message(message) for message in player.sent)
        assert not any(salt in said for salt in salts)
