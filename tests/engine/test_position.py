"""The position itself: drafts, hidden faces and what play may not touch."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    DISCARD,
    OFFER_DRAW,
    PRESETS,
    RESIGN,
    TURN,
    Position,
    legal_actions,
    legal_with_offences,
    offence_of,
    play,
    refusal,
    start,
    turn_up,
)
from crapette_p2p.engine.position import Draft
from crapette_p2p.errors import IllegalMove
from tests.helpers.boards import board, played
from tests.helpers.strategies import seeded

LAYOUT = (*range(12, 17), *range(64, 69))
"""The ten slots that are open when play begins."""


def _deal(seed: int) -> tuple[bytes, bytes]:
    """All faces of a deal, and those that are open at the start."""
    rand = seeded(seed)
    truth = bytes(rand.sample(range(52), 52) + rand.sample(range(52), 52))
    shown = bytes(truth[s] if s in LAYOUT else UNKNOWN for s in range(104))
    return truth, shown


def test_a_draft_becomes_the_position() -> None:
    """Sealing gives an equal, hashable, frozen position with the changes made."""
    position = board()
    draft = Draft(position)
    same = draft.sealed()
    assert type(same) is Position
    assert same == position
    assert hash(same) == hash(position)
    other = Draft(position)
    other.acts = 7
    assert other.sealed() == replace(position, acts=7)
    with pytest.raises(FrozenInstanceError):
        same.acts = 1  # type: ignore[misc] # that is the point


def test_a_draft_has_every_field_of_a_position() -> None:
    """A field added to one is missed by the other only until this test."""
    names = {field.name for field in fields(Position)}
    assert set(Draft.__slots__) == names
    assert set(Draft.__annotations__) == names


def test_positions_survive_pickling() -> None:
    """Workers of an arena get the position that was sent."""
    position = played(board(columns="KS KH KD AS QS QH QD QC"), "5-2", "turn")
    again = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own bytes
    assert again == position
    assert again.offences[0].before == position.offences[0].before


def test_the_kept_list_is_no_part_of_the_value() -> None:
    """Asking for the actions changes neither equality nor hash."""
    columns = "AS KH KD KC QS QH QD QC"
    asked, fresh = board(columns=columns), board(columns=columns)
    first = legal_with_offences(asked)
    assert legal_with_offences(asked) is first
    assert asked == fresh
    assert hash(asked) == hash(fresh)
    changed = replace(asked, rules=PRESETS["russian-bank"])
    assert legal_with_offences(changed) != first


def test_a_turned_card_is_owed_before_anything_else() -> None:
    """In network play nothing but resignation is legal until the card is open."""
    truth, shown = _deal(1)
    position = start(PRESETS["russian-bank-knock"], shown, lot=0)
    seat = position.active
    pending = play(position, seat, TURN)
    slot = pending.unopened()
    assert slot == 52 * seat + 17
    assert legal_actions(pending) == ()
    for action in (DISCARD, OFFER_DRAW):
        assert refusal(pending, seat, action) == "opening-owed"
    assert refusal(pending, seat, RESIGN) is None
    assert refusal(pending, 1 - seat, RESIGN) is None
    opened = turn_up(pending, slot, truth[slot])
    assert opened.unopened() is None
    assert opened.top(20 + seat) == truth[slot]
    assert DISCARD in legal_actions(opened)


def test_only_the_owed_slot_is_turned_up() -> None:
    """Another slot, no slot at all or no card is refused."""
    truth, shown = _deal(2)
    position = start(PRESETS["russian-bank"], shown, lot=0)
    with pytest.raises(IllegalMove):
        turn_up(position, 17, 3)
    pending = play(position, position.active, TURN)
    slot = pending.unopened()
    assert slot is not None
    for wrong, card in ((slot + 1, 3), (slot, 52), (slot, -1), (slot, UNKNOWN)):
        with pytest.raises(IllegalMove):
            turn_up(pending, wrong, card)
    assert turn_up(pending, slot, truth[slot]).faces[slot] == truth[slot]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_game_with_openings_is_the_game_with_open_cards(preset: str) -> None:
    """Hidden or not, the same actions lead to the same piles, and 104 cards stay."""
    truth, shown = _deal(3)
    rand = seeded(4)
    open_game = start(PRESETS[preset], truth, lot=1)
    game = start(PRESETS[preset], shown, lot=1)
    for _ in range(120):
        slot = game.unopened()
        if slot is not None:
            game = turn_up(game, slot, truth[slot])
        assert legal_actions(game) == legal_actions(open_game)
        if game.end is not None:
            break
        action = rand.choice(legal_actions(game))
        game = play(game, game.active, action)
        open_game = play(open_game, open_game.active, action)
        assert game.piles == open_game.piles
        assert sorted(s for pile in game.piles for s in pile) == list(range(104))
        assert all(
            face in (UNKNOWN, truth[slot]) for slot, face in enumerate(game.faces)
        )


def test_under_automatic_a_penalty_opens_nothing() -> None:
    """An action that is undone uncovers no card of the reserve."""
    columns = "AS KH KD KC QS QH QD QC"
    position = board("garibaldka", columns=columns, a="?? JS / 9S / /")
    after = played(position, "R-6")
    assert after.penalty is not None
    assert after.unopened() is None


def test_offences_are_not_asked_of_an_opening_turn() -> None:
    """The single answer knows the exemption too."""
    position = board(
        "russian-bank-knock", columns="AS KH KD KC QS QH QD QC", opened=False
    )
    assert offence_of(position, TURN) is None
