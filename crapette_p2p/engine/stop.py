"""Judging a Stop!: which offence it names, what is undone, who is to move.

Theory of operation. The opponent names the missed play. The call is upheld iff
that play was due before an action that is an open offence, the earliest one
that fits (20-rules.md 6). Upheld: (1) the position before the offending action is
restored, cards seen since and draw talk apart; (2) the named play is made, or
not, as ``missed_card_played_by`` says; (3) a drawn card still up goes to the
offender's waste; (4) the caller's turn begins. Wrong: nothing on the table
changes, the caller may not call again before his own next first action, and
with ``third-costs-turn`` every third wrong call of the deal costs him a turn.

Where the rules are silent: one upheld call settles the turn, so that nothing in
it can be called again; a turn that the caller sits out is no action of his, so
his window stays open over it; and a wrong call made in the caller's own turn,
before his first action, costs the turn after that one.

For the counters the offender's turn is lost in any case. A play by the
``offender`` falls into that lost turn; a play by the ``caller`` is progress of
the turn that he thereby begins.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.engine.actions import Stop
from crapette_p2p.engine.duties import due_plays
from crapette_p2p.engine.fit import EMPTY, FIRST_FOUNDATION, foundation_for
from crapette_p2p.engine.layout import FOUNDATIONS, PileId
from crapette_p2p.engine.outcome import has_won, win_by
from crapette_p2p.engine.position import (
    Calls,
    Counters,
    Draft,
    EndReason,
    OpenOffence,
    Position,
)
from crapette_p2p.engine.steps import (
    begin_turn,
    carry,
    count_move,
    drawn_to_waste,
    end_turn,
)
from crapette_p2p.errors import NotationError

CALLS_THAT_COST: Final = 3
"""Every so many wrong calls of a deal cost the caller a turn."""


def call_stop(position: Position, stop: Stop, *, seq: int = 0) -> Position:
    """What follows a lawful call by the opponent of ``position.callable``."""
    offence = judge(position, stop)
    if offence is None:
        return _wrong(position)
    return _upheld(position, stop, offence, seq)


def judge(position: Position, stop: Stop) -> OpenOffence | None:
    """The earliest open offence before which the named play was due, or None."""
    for offence in position.offences:
        for due in due_plays(offence.before):
            if due.source == stop.source and due.target == stop.target:
                return offence
    return None


def resolve_stop(position: Position, source: int, target_text: str) -> Stop:
    """The exact call a player means by ``5-F`` (``source`` 4) or ``R-3``.

    Looks at what was due before the open offences first, then at the tops as
    they lie, so that a wrong call can be named too.
    """
    text = target_text.strip().upper()
    if len(text) == 1 and text in "12345678":
        return Stop(PileId(source), PileId(int(text) - 1))
    if text != "F":
        message = "stop: a missed play goes to F or a column, not {token!r}"
        raise NotationError(message, field="stop", token=target_text)
    for offence in position.offences:
        for due in due_plays(offence.before):
            if due.source == source and 8 <= due.target < 16:
                return Stop(due.source, due.target)
    slots = position.piles[source]
    face = position.faces[slots[-1]] if slots else EMPTY
    target = foundation_for(position.piles, face) or FIRST_FOUNDATION[face]
    return Stop(PileId(source), PileId(target or FOUNDATIONS[0]))


def _wrong(position: Position) -> Position:
    caller = 1 if position.callable == 0 else 0
    end = position.end
    if end is not None:
        end = replace(end, provisional_by=None)
    wrong = list(position.calls.wrong)
    wrong[caller] += 1
    to_sit_out = list(position.calls.to_sit_out)
    costly = position.rules.wrong_call == "third-costs-turn"
    if costly and wrong[caller] % CALLS_THAT_COST == 0:
        to_sit_out[caller] += 1
    calls = Calls(True, (wrong[0], wrong[1]), (to_sit_out[0], to_sit_out[1]))
    return replace(position, calls=calls, end=end)


def _upheld(position: Position, stop: Stop, offence: OpenOffence, seq: int) -> Position:
    draft = Draft(offence.before)
    offender, mode = draft.active, draft.rules.missed_card_played_by
    # Cards seen since stay known, and draw talk is no part of what is undone.
    draft.faces = position.faces
    draft.offer, draft.offered = position.offer, position.offered
    draft.callable, draft.offences, draft.last_actor = None, (), offender
    if mode == "caller":
        # The lost turn is counted before the play that begins the caller's.
        was = draft.counters
        draft.counters = Counters(was.idle + 1, False, was.limit, was.min_personal)
    if mode != "nobody":
        carry(draft, stop.source, stop.target)
        count_move(draft, stop.source, stop.target)
        if has_won(draft.rules, draft.piles, offender):
            draft.offer = None
            draft.end = win_by(draft.rules, draft.piles, offender, EndReason.EMPTY)
            return draft.sealed()
    drawn_to_waste(draft)
    if mode == "caller":
        begin_turn(draft, seq=seq)
    else:
        end_turn(draft, lost=True, seq=seq)
    return draft.sealed()
