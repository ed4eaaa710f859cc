"""The rules of the log: which event may come next, and the state after it.

Theory of operation. ``step`` is the only maker of states: it judges one event
and returns the state after it, or the code that refuses it. ``problem`` and
``apply`` are its two faces, a question and a command; whoever has to judge *and*
apply (a session, a verifier) calls ``step``, so that no work is done twice.
Before seq 10 only the next event of the fixed sequence is legal (P8). From then
on the engine judges the play, and after each event the table is looked at: a card
that lies face up and was never opened is owed its two openings, and only they or
RESIGN are legal (P2). A final end is followed by both AUDITs and RESULT (P7).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.play import play, start, turn_up
from crapette_p2p.engine.position import Position
from crapette_p2p.errors import DealError, IllegalMove, LogError
from crapette_p2p.fairdeal import dealer
from crapette_p2p.fairdeal.dealer import Deal, Opening
from crapette_p2p.gamelog.bodies import (
    Body,
    read_audit,
    read_challenge,
    read_commit,
    read_openings,
    read_reveal,
)
from crapette_p2p.gamelog.events import (
    MAX_EVENTS,
    Event,
    EventType,
    body_to_action,
    encode_event,
    event_hash,
)
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis, game_id_of
from crapette_p2p.gamelog.state import (
    SETUP_EVENTS,
    SETUP_TYPES,
    GameState,
    OpeningDue,
    Owed,
    Phase,
    advanced,
    encode_state,
    owes,
    state_hash,
)

__all__ = [
    "GameState",
    "Owed",
    "Phase",
    "apply",
    "encode_state",
    "owes",
    "problem",
    "result_body",
    "start_game",
    "state_hash",
    "step",
]

NOT_LEGAL: Final = 404
_DEAL_CODES: Final = frozenset({302, 304, 405, 406, 408})
_CHAINED: Final = 6
"""Event hashes are needed up to seq 5, for the lot."""


def start_game(genesis: Genesis, game_id: bytes | None = None) -> GameState:
    """The state before the first event."""
    if game_id is None:
        game_id = game_id_of(encode_genesis(genesis))
    deal = Deal(game_id, genesis.k)
    return GameState(genesis=genesis, game_id=game_id, deal=deal, head=game_id)


def problem(state: GameState, author: int, kind: int, body: Body) -> int | None:
    """The code that refuses an event here, or None if it is legal."""
    found = step(state, author, kind, body)
    return found if isinstance(found, int) else None


def apply(state: GameState, author: int, kind: int, body: Body) -> GameState:
    """The state after an event; DealError or LogError with the code if refused."""
    found = step(state, author, kind, body)
    if isinstance(found, GameState):
        return found
    if found in _DEAL_CODES:
        what = f"event {state.length} (type {kind}) of seat {author} is refused"
        raise DealError(what, code=found, seat=author)
    raise LogError("event {seq} is not legal", code=found, seq=state.length)


def result_body(state: GameState) -> tuple[int | None, int, int]:
    """The only lawful body of RESULT: winner, reason, points."""
    end = state.final_end
    if end is None:
        raise LogError("the deal has no final end")
    winner = None if end.winner is None else int(end.winner)
    return winner, int(end.reason), end.points


def step(
    state: GameState, author: int, kind: int, body: Body, *, trusting: bool = False
) -> GameState | int:
    """Judge one event: the state after it, or the code that refuses it.

    ``trusting`` takes commitments, openings and audits on faith; a verifier goes
    on so behind a broken one, to say whether the play was lawful at least.
    """
    if author not in (0, 1):
        return NOT_LEGAL
    if state.position is None:
        return _set_up(state, author, kind, body, trusting)
    if state.length >= MAX_EVENTS:
        return NOT_LEGAL
    handler = _HANDLERS.get(kind)
    if handler is not None:
        return handler(state, author, body, trusting)
    return _play(state, author, kind, body)


def _set_up(
    state: GameState, author: int, kind: int, body: Body, trusting: bool
) -> GameState | int:
    seq = state.length
    if author != seq & 1 or kind != SETUP_TYPES[seq]:
        return NOT_LEGAL
    after = _SETUP[kind](state, author, body, trusting)
    if isinstance(after, int):
        return after
    if seq < _CHAINED:
        return _chained(after, state, author, kind, body)
    after = _one_more(after)
    return _begun(after) if seq + 1 == SETUP_EVENTS else after


def _chained(
    after: GameState, before: GameState, author: int, kind: int, body: Body
) -> GameState:
    """Follow the chain up to both REVEALs, whose hashes decide the lot."""
    event = Event(
        game_id=before.game_id,
        seq=before.length,
        author=Seat(author),
        prev=before.head,
        state=state_hash(before),
        type=kind,
        body=body,
    )
    head = event_hash(encode_event(event))
    lot = 0
    if before.length == _CHAINED - 1:
        lot = dealer.lot_of(before.game_id, before.head, head)
    return _one_more(after, head=head, lot=lot)


def _one_more(state: GameState, **changes: object) -> GameState:
    """One more event is final; the memo of the hash is not carried over."""
    return replace(state, length=state.length + 1, memo=[], **changes)  # type: ignore[arg-type] # fields by name


def _begun(state: GameState) -> GameState:
    position = start(state.genesis.rules, state.faces, lot=state.lot)
    return replace(state, position=position, memo=[])


def _commit(
    state: GameState, _author: int, body: Body, trusting: bool
) -> GameState | int:
    roots = read_commit(body, state.deal.k)
    if roots is None:
        return NOT_LEGAL
    wrong = dealer.commit_problem(state.deal, roots)
    if wrong is not None and not trusting:
        return wrong
    return replace(state, deal=dealer.commit(state.deal, roots))


def _challenge(
    state: GameState, _author: int, body: Body, _trusting: bool
) -> GameState | int:
    kept = read_challenge(body, state.deal.k)
    if kept is None:
        return NOT_LEGAL
    return replace(state, deal=dealer.challenge(state.deal, kept))


def _reveal(
    state: GameState, author: int, body: Body, trusting: bool
) -> GameState | int:
    found = read_reveal(body, state.deal.k)
    if found is None:
        return NOT_LEGAL
    wrong = None if trusting else dealer.reveal_problem(state.deal, author, *found)
    if wrong is not None:
        return wrong
    return replace(state, deal=dealer.reveal(state.deal, found[1]))


def lay_out_due(state: GameState) -> OpeningDue:
    """The opening that seq 6 to 9 of the fixed sequence owe."""
    positions = bytes(dealer.lay_out_positions(state.genesis.rules.reserve_size))
    author = state.length & 1
    if SETUP_TYPES[state.length] == EventType.OPEN_A:
        return OpeningDue(EventType.OPEN_A, 1 - author, positions)
    return OpeningDue(EventType.OPEN_B, author, positions, state.named[author])


def _lay_out(
    state: GameState, _author: int, body: Body, trusting: bool
) -> GameState | int:
    due = lay_out_due(state)
    found = _opened(state.deal, due, body, trusting)
    if isinstance(found, int):
        return found
    deal, openings = found
    values = bytes(opening.value for opening in openings)
    deck = due.deck
    if due.type == EventType.OPEN_A:
        named = (values, state.named[1]) if deck == 0 else (state.named[0], values)
        return replace(state, deal=deal, named=named)
    faces = bytearray(state.faces)
    for position, card in zip(due.positions, values, strict=True):
        faces[52 * deck + position] = card
    return replace(state, deal=deal, faces=bytes(faces))


def _opened(
    deal: Deal, due: OpeningDue, body: Body, trusting: bool
) -> tuple[Deal, tuple[Opening, ...]] | int:
    """Judge the lines of an opening that is owed now.

    404: another deck, number of lines or position. 405: a slot, card or salt
    that is not the committed one, or another slot than OPEN_A named.
    """
    found = read_openings(body)
    if found is None:
        return NOT_LEGAL
    deck, openings = found
    indices = bytes(opening.at for opening in openings)
    if deck != due.deck or len(openings) != len(due.positions):
        return NOT_LEGAL
    if due.type == EventType.OPEN_A:
        if indices != due.positions:
            return NOT_LEGAL
        wrong = dealer.first_half_problem(deal, deck, openings)
        deal = dealer.first_half(deal, deck, openings)
    else:
        if indices != due.slots:
            return dealer.BAD_OPENING
        wrong = dealer.second_half_problem(deal, deck, openings)
        deal = dealer.second_half(deal, deck, openings)
    if wrong is not None and not trusting:
        return wrong
    return deal, openings


def _open(
    state: GameState, author: int, body: Body, trusting: bool, kind: EventType
) -> GameState | int:
    """An opening in play: OPEN_A names the slot, OPEN_B turns the card up."""
    due, position = state.due, state.position
    if due is None or position is None or due.type != kind or due.author != author:
        return NOT_LEGAL
    found = _opened(state.deal, due, body, trusting)
    if isinstance(found, int):
        return found
    deal, ((_, value, _),) = found
    if kind == EventType.OPEN_A:
        named = OpeningDue(EventType.OPEN_B, due.deck, due.positions, bytes([value]))
        return advanced(state, deal=deal, due=named)
    slot = 52 * due.deck + due.positions[0]
    position = turn_up(position, slot, value)
    return advanced(state, deal=deal, position=position, due=_due_in(position))


def _open_a(
    state: GameState, author: int, body: Body, trusting: bool
) -> GameState | int:
    return _open(state, author, body, trusting, EventType.OPEN_A)


def _open_b(
    state: GameState, author: int, body: Body, trusting: bool
) -> GameState | int:
    return _open(state, author, body, trusting, EventType.OPEN_B)


def _due_in(position: Position) -> OpeningDue | None:
    """The opening the table calls for: a card face up that nobody has opened."""
    slot = position.unopened()
    if slot is None:
        return None
    if position.end is not None and position.end.provisional_by is None:
        return None
    return OpeningDue(EventType.OPEN_A, slot // 52, bytes([slot % 52]))


def _play(state: GameState, author: int, kind: int, body: Body) -> GameState | int:
    action = body_to_action(kind, body)
    if action is None or state.position is None:
        return NOT_LEGAL
    if state.due is not None and kind != EventType.RESIGN:
        return NOT_LEGAL
    try:
        position = play(state.position, Seat(author), action, seq=state.length)
    except IllegalMove:
        return NOT_LEGAL
    return advanced(state, position=position, due=_due_in(position))


def _audit(
    state: GameState, author: int, body: Body, trusting: bool
) -> GameState | int:
    if owes(state) != Owed(Seat(author), EventType.AUDIT):
        return NOT_LEGAL
    seeds = read_audit(body)
    if seeds is None:
        return NOT_LEGAL
    wrong = None if trusting else dealer.audit_problem(state.deal, author, seeds)
    if wrong is not None:
        return wrong
    return _one_more(state, audits=state.audits | 1 << author)


def _result(
    state: GameState, author: int, body: Body, _trusting: bool
) -> GameState | int:
    if owes(state) != Owed(Seat(author), EventType.RESULT):
        return NOT_LEGAL
    kinds = [type(value) for value in body]
    if body != result_body(state) or bool in kinds:
        return NOT_LEGAL
    return _one_more(state, done=True)


_Handler = Callable[[GameState, int, Body, bool], GameState | int]
_SETUP: Final[dict[int, _Handler]] = {
    EventType.COMMIT: _commit,
    EventType.CHALLENGE: _challenge,
    EventType.REVEAL: _reveal,
    EventType.OPEN_A: _lay_out,
    EventType.OPEN_B: _lay_out,
}
_HANDLERS: Final[dict[int, _Handler]] = {
    EventType.OPEN_A: _open_a,
    EventType.OPEN_B: _open_b,
    EventType.AUDIT: _audit,
    EventType.RESULT: _result,
}
