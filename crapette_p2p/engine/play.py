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
from crapette_p2p.engine.layout import DRAWN, RESERVE, WASTE, Seat, other
from crapette_p2p.engine.listing import legal_with_offences
from crapette_p2p.engine.outcome import has_won, idle_limit, win_by
from crapette_p2p.engine.position import (
    Calls,
    Counters,
    Draft,
    End,
    EndReason,
    OffenceCode,
    OpenOffence,
    Position,
)
from crapette_p2p.engine.rules import refusal
from crapette_p2p.engine.ruleset import RuleSet
from crapette_p2p.engine.steps import (
    carry,
    count_move,
    drawn_to_waste,
    end_turn,
    turn_stock,
)
from crapette_p2p.engine.stop import call_stop
from crapette_p2p.errors import IllegalMove, NotationError

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
    if seat == position.active:
        # Most callers hand back what they were listed, or a shared instance.
        for listed, offence in legal_with_offences(position):
            if listed is action:
                return successor(position, listed, offence, seq=seq)
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
            rules, piles = position.rules, position.piles
            end = win_by(rules, piles, other(seat), EndReason.RESIGNED)
            return replace(position, end=end, offer=None, penalty=None)
        case OfferDraw():
            offered = position.offered | 1 << seat
            return replace(position, offer=Seat(seat), offered=offered, penalty=None)
        case AnswerDraw(accept=True):
            end = End(None, EndReason.AGREED)
            return replace(position, end=end, offer=None, penalty=None)
        case AnswerDraw():
            return replace(position, offer=None, penalty=None)


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
    """What follows a legal table action of the mover that is ``offence``.

    Nothing is checked: both come out of ``legal_with_offences``.
    """
    seat, rules = position.active, position.rules
    draft = Draft(position)
    draft.last_actor = seat
    if draft.offer == 1 - seat:
        draft.offer = None
    author = None
    if rules.enforcement == "call":
        author = draft.callable = seat
        _watch(draft, position, offence, seq)
    elif offence is not None and rules.enforcement == "automatic":
        drawn_to_waste(draft)
        end_turn(draft, lost=True, seq=seq)
        draft.penalty = offence
        return draft.sealed()
    kind = type(action)
    if kind is Discard:
        carry(draft, DRAWN + seat, WASTE + seat)
        end_turn(draft, provisional_by=author, seq=seq)
        return draft.sealed()
    if isinstance(action, Move):
        source, target = action.source, action.target
        carry(draft, source, target)
        count_move(draft, source, target)
    elif kind is Turn:
        turn_stock(draft)
    draft.acts += 1
    if kind is Turn:
        return draft.sealed()
    if not draft.piles[RESERVE + seat] and has_won(rules, draft.piles, seat):
        draft.offer = None
        draft.end = win_by(rules, draft.piles, seat, EndReason.EMPTY, author)
    elif kind is Pass:
        end_turn(draft, passed=True, provisional_by=author, seq=seq)
    return draft.sealed()


def _watch(
    draft: Draft, before: Position, offence: OffenceCode | None, seq: int
) -> None:
    """Keep the offences that can be called, and note this one if it is one."""
    if before.callable != before.active:
        # The caller's own first action closes his window and lifts his ban.
        draft.offences = ()
        calls = before.calls
        if calls.spent:
            draft.calls = Calls(False, calls.wrong, calls.to_sit_out)
    elif before.rules.stop_window == "action":
        draft.offences = ()
    if offence is not None:
        if before.offences:
            before = replace(before, offences=())
        draft.offences = (*draft.offences, OpenOffence(offence, seq, before))
