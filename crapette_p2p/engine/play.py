"""The maker of positions: the start, every action, and a card turned up.

Theory of operation. ``play`` checks an action with ``refusal``, asks which
offence it is, and makes the position that follows. ``successor`` is the same
without the checks, for an action (and its offence) out of
``legal_with_offences``: searches and perft live on it. An action is made in
steps (``engine/steps.py``): the cards move, progress is counted, a win is looked
for, and what ends the turn ends it. Under ``call`` an offence is remembered with
the position before it, so that a Stop can restore that (``engine/stop.py``);
under ``automatic`` the action is not made at all and the turn is lost. Chance
never enters: an unseen card that comes up lies there as 255 until ``turn_up``.
"""

from __future__ import annotations

from dataclasses import replace

from crapette_p2p.cards import UNKNOWN, rank_of, suit_of
from crapette_p2p.engine.actions import (
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    OfferDraw,
    Pass,
    Resign,
    Stop,
    TableAction,
    Turn,
)
from crapette_p2p.engine.duties import offence_of
from crapette_p2p.engine.layout import DRAWN, WASTE, Seat, other
from crapette_p2p.engine.outcome import has_won, idle_limit, win_by
from crapette_p2p.engine.position import (
    Calls,
    Counters,
    End,
    EndReason,
    OffenceCode,
    OpenOffence,
    Position,
)
from crapette_p2p.engine.rules import refusal
from crapette_p2p.engine.ruleset import RuleSet
from crapette_p2p.engine.steps import (
    carried,
    counted,
    drawn_to_waste,
    end_turn,
    turned,
)
from crapette_p2p.engine.stop import call_stop
from crapette_p2p.errors import IllegalMove, NotationError

LOT_A = 0
"""The lot with which A starts."""
_SUIT_FOR_START = (0, 1, 3, 2)
"""S > H > D > C, by suit number (clubs, diamonds, spades, hearts)."""


def start(rules: RuleSet, faces: bytes, *, lot: int) -> Position:
    """The position after the deal, with whoever starts to move.

    ``faces`` shows 104 slots (52 * deck + position in the deal), at least the ten
    cards of the lay-out; ``lot`` is the bit both players share.
    """
    if len(faces) != 104 or any(f > 51 and f != UNKNOWN for f in faces):
        raise NotationError("faces: 104 cards or 255", field="faces")
    size = rules.reserve_size
    piles = [b""] * 24
    for seat in (0, 1):
        deck = bytes(range(52 * seat, 52 * seat + 52))
        piles[16 + seat] = deck[:size]
        piles[18 + seat] = deck[: size + 3 : -1]
        for column in range(4):
            piles[4 * seat + column] = deck[size + column : size + column + 1]
    for pile in (*range(8), 16, 17):
        if faces[piles[pile][-1]] == UNKNOWN:
            raise NotationError("faces: the lay-out is not open", field="faces")
    starter = _starter(rules, faces, lot)
    counters = Counters(limit=idle_limit(tuple(piles)))
    return Position(rules, tuple(piles), faces, starter, counters=counters)


def _starter(rules: RuleSet, faces: bytes, lot: int) -> Seat:
    """Compare reserve tops, then as ``tie_break`` says, then the lot."""
    size = rules.reserve_size
    keys = []
    for deck in (0, 52):
        top = faces[deck + size - 1]
        columns = [_start_rank(rules, faces[deck + size + c]) for c in range(4)]
        if rules.tie_break == "columns-reversed":
            key = [_start_rank(rules, top), *columns[::-1]]
        else:
            suit = _SUIT_FOR_START[suit_of(top)]
            key = [_start_rank(rules, top), *columns, suit]
        keys.append(key)
    if keys[0] == keys[1]:
        return Seat(lot & 1)
    a_higher = keys[0] > keys[1]
    return Seat(0) if a_higher == (rules.starter == "higher") else Seat(1)


def _start_rank(rules: RuleSet, face: int) -> int:
    rank = rank_of(face)
    return 14 if rank == 1 and rules.ace_high_for_start else rank


def turn_up(position: Position, slot: int, card: int) -> Position:
    """Show the face of the slot that ``position.unopened()`` names."""
    if slot != position.unopened():
        raise IllegalMove("opening-not-owed", f"slot {slot} is not to be opened")
    if not 0 <= card < 52:
        raise IllegalMove("opening-not-owed", f"{card} is no card")
    faces = bytearray(position.faces)
    faces[slot] = card
    return replace(position, faces=bytes(faces))


def play(position: Position, seat: int, action: Action, *, seq: int = 0) -> Position:
    """Make ``action`` for ``seat``; raise IllegalMove with the refusal's code.

    ``seq`` is the event number: offences remember it, and a turn that ends at
    16000 or later blocks the deal.
    """
    why = refusal(position, seat, action)
    if why is not None:
        raise IllegalMove(why)
    match action:
        case Move() | Turn() | Discard() | Pass():
            return successor(position, action, offence_of(position, action), seq=seq)
        case Stop():
            return call_stop(position, action, seq=seq)
        case Grant():
            return _granted(position)
        case Resign():
            end = win_by(
                position.rules, position.piles, other(seat), EndReason.RESIGNED
            )
            return replace(position, end=end, offer=None)
        case OfferDraw():
            offered = position.offered | 1 << seat
            return replace(position, offer=Seat(seat), offered=offered)
        case AnswerDraw(accept=True):
            return replace(position, end=End(None, EndReason.AGREED), offer=None)
        case AnswerDraw():
            return replace(position, offer=None)


def _granted(position: Position) -> Position:
    end = position.end
    if end is None:
        return position
    return replace(position, end=replace(end, provisional_by=None))


def successor(
    position: Position,
    action: TableAction,
    offence: OffenceCode | None,
    *,
    seq: int = 0,
) -> Position:
    """What follows a legal table action of the mover that is ``offence``."""
    seat = position.active
    before = position
    if position.offer == other(seat):
        position = replace(position, offer=None)
    if position.penalty is not None:
        position = replace(position, penalty=None)
    position = replace(position, last_actor=seat)
    if position.rules.has_calls:
        position = _watched(position, before, offence, seq)
    elif offence is not None and position.rules.enforcement == "automatic":
        lost = end_turn(drawn_to_waste(position), lost=True, seq=seq)
        return replace(lost, penalty=offence)
    return _made(position, action, seq)


def _watched(
    position: Position, before: Position, offence: OffenceCode | None, seq: int
) -> Position:
    """Note whose actions can be called, and the offence if it is one."""
    seat = position.active
    offences = position.offences
    calls = position.calls
    if position.callable != seat:
        # The caller's own first action closes his window and lifts his ban.
        offences = ()
        if calls.spent:
            calls = Calls(False, calls.wrong, calls.to_sit_out)
    elif position.rules.stop_window == "action":
        offences = ()
    if offence is not None:
        if before.offences:
            before = replace(before, offences=())
        offences = (*offences, OpenOffence(offence, seq, before))
    return replace(position, callable=seat, offences=offences, calls=calls)


def _made(position: Position, action: TableAction, seq: int) -> Position:
    """Make the action: cards, counters, a win, the end of the turn."""
    seat, piles, rules = position.active, position.piles, position.rules
    author = seat if rules.has_calls else None
    match action:
        case Move(source, target):
            piles = carried(piles, source, target)
            counters = counted(position.counters, piles, up=8 <= target < 16)
            position = replace(
                position, piles=piles, counters=counters, acts=position.acts + 1
            )
        case Turn():
            piles = turned(piles, seat)
            return replace(position, piles=piles, acts=position.acts + 1)
        case Discard():
            piles = carried(piles, DRAWN + seat, WASTE + seat)
            position = replace(position, piles=piles)
            return end_turn(position, provisional_by=author, seq=seq)
        case Pass():
            pass
    if has_won(rules, piles, seat):
        end = win_by(rules, piles, seat, EndReason.EMPTY, author)
        return replace(position, end=end, offer=None)
    if isinstance(action, Pass):
        return end_turn(position, passed=True, provisional_by=author, seq=seq)
    return position
