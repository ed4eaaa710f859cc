"""Openings in play: owed exactly when an unseen card comes up, and only then."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import RESIGN, TURN, Move, Stop, Turn
from crapette_p2p.engine.layout import drawn
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType, action_to_body, body_to_action
from crapette_p2p.gamelog.game import apply, problem, start_game
from crapette_p2p.gamelog.state import GameState, Owed, Phase, owes
from tests.helpers.fakegame import FakeGame, make_genesis, play_game, turns


def turned(seed: int = 0) -> tuple[FakeGame, int]:
    """A game in which somebody has just turned his stock; and who."""
    game = FakeGame(make_genesis("russian-bank", k=2, seed=seed), seed=seed)
    game.set_up()
    assert game.state.position is not None
    mover = game.state.position.active
    game.act(mover, TURN)
    return game, mover


def owed_event(game: FakeGame) -> tuple[int, EventType, Body]:
    """What is owed now."""
    made = game.owed()
    assert made is not None
    return made


def test_the_opponent_opens_first_and_the_owner_last() -> None:
    """TURN, then OPEN_A by the other, then OPEN_B by the mover: the card is up."""
    game, mover = turned()
    assert game.state.phase == Phase.OPENING
    assert owes(game.state) == Owed(1 - mover, EventType.OPEN_A)  # type: ignore[arg-type] # a seat
    game.event(*owed_event(game))
    assert owes(game.state) == Owed(mover, EventType.OPEN_B)  # type: ignore[arg-type] # a seat
    position = game.state.position
    assert position is not None
    assert position.top(drawn(mover)) == 255
    game.event(*owed_event(game))
    position = game.state.position
    assert position is not None
    assert 0 <= position.top(drawn(mover)) < 52
    assert owes(game.state) == Owed(position.active, None)


@pytest.mark.parametrize("half", [0, 1])
def test_while_an_opening_is_owed_only_it_or_resign_is_lawful(half: int) -> None:
    """D13, D20: no Stop, no draw, no move, not the other half, not by the other."""
    game, mover = turned()
    if half:
        game.event(*owed_event(game))
    author, kind, body = owed_event(game)
    assert problem(game.state, author, kind, body) is None
    assert problem(game.state, 1 - author, kind, body) == 404
    other = EventType.OPEN_A if kind == EventType.OPEN_B else EventType.OPEN_B
    for seat in (0, 1):
        assert problem(game.state, seat, other, body) == 404
        assert problem(game.state, seat, EventType.RESIGN, ()) is None
        for event, guess in (
            (EventType.STOP, (16 + mover, 8)),
            (EventType.MOVE, (20 + mover, 0)),
            (EventType.TURN, ()),
            (EventType.END, (0,)),
            (EventType.DRAW_OFFER, ()),
            (EventType.DRAW_ANSWER, (0,)),
            (EventType.GRANT, ()),
            (EventType.AUDIT, (bytes(32), bytes(32))),
            (EventType.RESULT, (None, 2, 0)),
        ):
            assert problem(game.state, seat, event, guess) == 404


def test_wrong_openings_in_play() -> None:
    """D11, D12: 404 for what is not owed, 405 for what does not match."""
    game, _ = turned()
    author, kind, body = owed_event(game)
    deck, lines = body
    assert isinstance(lines, tuple)
    ((at, value, salt),) = lines

    def code(*changed: tuple[object, ...]) -> int | None:
        return problem(game.state, author, kind, (deck, changed))

    assert code((at + 1, value, salt)) == 404
    assert code((at, value, salt), (at + 1, value, salt)) == 404
    assert code() == 404
    assert problem(game.state, author, kind, (1 - int(str(deck)), lines)) == 404
    assert code((at, (value + 1) % 52, salt)) == 405
    assert code((at, value, bytes(32))) == 405
    assert code((at, 52, salt)) == 404
    game.event(author, kind, body)
    owner, kind, body = owed_event(game)
    deck, lines = body
    assert isinstance(lines, tuple)
    ((slot, card, salt),) = lines
    author = owner
    assert slot == value
    assert code((slot, (card + 1) % 52, salt)) == 405
    assert code(((slot + 1) % 52, card, salt)) == 405
    layer = game.secrets[owner].layer(
        game.game_id, owner, owner, game.state.deal.kept(owner, owner)
    )
    elsewhere = (slot + 1) % 52
    honest = (elsewhere, layer.perm[elsewhere], layer.salts[elsewhere])
    assert code(honest) == 405  # an honest opening of a slot nobody named
    assert code((slot, card, salt)) is None


def test_resigning_instead_of_opening_ends_the_deal() -> None:
    """The opening lapses; what follows is the audit."""
    for resigner in (0, 1):
        game, _ = turned()
        game.act(resigner, RESIGN)
        assert game.state.due is None
        assert game.state.winner == 1 - resigner
        assert owes(game.state) == Owed(1 - resigner, EventType.AUDIT)  # type: ignore[arg-type] # a seat
        game.settle()
        assert game.state.phase == Phase.OVER


def check_openings(before: GameState, after: GameState) -> bool:
    """P2: an opening is owed iff a card lies open that nobody has seen."""
    position = after.position
    if position is None:
        return False
    slot = position.unopened()
    end = position.end
    final = end is not None and end.provisional_by is None
    assert (after.due is not None) == (slot is not None and not final)
    if after.due is None or after.due.type == EventType.OPEN_B:
        return False
    assert slot is not None
    assert after.due.deck == slot // 52
    assert after.due.positions == bytes([slot % 52])
    assert after.due.author == 1 - slot // 52
    return before.due is None


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_openings_are_owed_exactly_when_a_card_comes_up(preset: str) -> None:
    """TURN, a move of the reserve's top and an upheld Stop; no position twice."""
    causes: set[type] = set()
    stopped = 0
    for seed in range(12):
        game = FakeGame(make_genesis(preset, k=2, seed=seed), seed=seed)
        opened: set[tuple[int, int]] = set()
        before = game.state
        for _ in turns(game, 400):
            pass
        state = before
        for entry in game.log.entries:
            event = entry.signed.event
            previous = state
            state = apply(state, event.author, event.type, event.body)
            if event.type in (EventType.OPEN_A, EventType.OPEN_B):
                deck, lines = event.body
                if event.type == EventType.OPEN_A:
                    assert isinstance(deck, int)
                    assert isinstance(lines, tuple)
                    for line in lines:
                        assert (deck, line[0]) not in opened
                        opened.add((deck, line[0]))
                continue
            if check_openings(previous, state):
                action = body_to_action(event.type, event.body)
                assert isinstance(action, (Turn, Move, Stop))
                causes.add(type(action))
                stopped += isinstance(action, Stop)
    assert {Turn, Move} <= causes
    if PRESETS[preset].has_calls:
        assert stopped, "no upheld Stop has uncovered a card"
    if not PRESETS[preset].has_calls:
        assert Stop not in causes


@pytest.mark.slow
def test_cards_that_were_seen_come_up_without_an_opening() -> None:
    """A recycled waste, and a card a Stop turned back, are known already."""
    recycled = turned_back = 0
    for seed in range(10):
        game = play_game("crapette", seed=seed, k=2, actions=600)
        returned = set[int]()
        state = start_game(game.genesis)
        for entry in game.log.entries:
            event, before = entry.signed.event, state
            state = apply(state, event.author, event.type, event.body)
            if before.position is None or state.position is None:
                continue
            if event.type == EventType.STOP:
                stocks = state.position.piles[18] + state.position.piles[19]
                returned |= {s for s in stocks if state.position.faces[s] != 255}
            if event.type == EventType.TURN and state.due is None:
                slot = state.position.piles[20 + event.author][-1]
                assert state.position.faces[slot] != 255
                recycled += slot not in returned
                turned_back += slot in returned
    assert recycled
    assert turned_back


def test_an_action_of_nobody_is_404() -> None:
    """Unknown types and shapes in play."""
    game, _ = turned()
    game.settle()
    for kind, body in ((0, ()), (40, ()), (200, (1,)), (32, (1,)), (33, (0,))):
        for author in (0, 1):
            assert problem(game.state, author, kind, body) == 404
    assert problem(game.state, 2, *action_to_body(RESIGN)) == 404
