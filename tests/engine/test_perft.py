"""Counting sequences of actions."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import legal_with_offences, perft, play, successor
from crapette_p2p.errors import IllegalMove
from tests.helpers.boards import board, played

KINGS = "KS KH KD KC KS KH KD KC"


def test_an_ended_position_has_no_successors() -> None:
    """Only the empty sequence leads from it."""
    ended = played(board(a="/ / JS /"), "D-6")
    assert [perft(ended, depth) for depth in range(3)] == [1, 0, 0]


def test_a_winning_action_ends_its_sequences() -> None:
    """It counts at its own depth and at no greater one."""
    position = board("russian-bank", columns="KS KH KD KC KS KH KD QC", a="/ / JH /")
    actions = [action for action, _ in legal_with_offences(position)]
    after = [play(position, 0, action) for action in actions]
    assert sum(p.end is not None for p in after) == 1
    assert perft(position, 2) == sum(perft(p, 1) for p in after)


def test_offending_actions_by_enforcement() -> None:
    """Accepted with calls, a penalised position if automatic, none if forbidden."""
    counts = {
        enforcement: perft(
            board(
                {"preset": "crapette", "enforcement": enforcement},
                columns="AS KH KD KC KS KH KD KC",
                a="7S / 9S / 3D /",
            ),
            1,
        )
        for enforcement in ("none", "call", "automatic", "forbid")
    }
    assert counts == {"none": 2, "call": 2, "automatic": 1, "forbid": 1}


def test_two_spaces_are_two_moves_and_two_foundations_are_one() -> None:
    """A fill is counted by its column, a foundation play once."""
    position = board("russian-bank", columns=". . AS KC KS KH KD KC", a="/ 9S / KH /")
    # Six column cards and the king into either space, the ace up, the discard.
    assert perft(position, 1) == 2 * 7 + 1 + 1


def test_a_deep_count_of_a_forced_line() -> None:
    """Two players without a choice reach the end of their idle turns."""
    position = board("russian-bank", columns=KINGS, a="7S / 3D / /", b="7C / 4S / /")
    assert perft(position, 16) == 1
    assert perft(position, 17) == 0
    assert perft(position, 500) == 0


def test_a_hidden_card_is_refused_only_where_it_comes_up() -> None:
    """Cards that no sequence turns up may stay unknown."""
    position = board("russian-bank", columns=KINGS, a="7S / ?? 3D / /", b="7C / 4S / /")
    assert perft(position, 4) == 1
    with pytest.raises(IllegalMove) as caught:
        perft(position, 5)
    assert caught.value.refusal == "unknown-card"


def test_successor_makes_what_play_makes() -> None:
    """The unchecked maker of positions and the checked one agree."""
    position = board(columns="AS . KD KC QS QH QD QC", a="7S / 9S / JC /")
    for action, offence in legal_with_offences(position):
        made = successor(position, action, offence, seq=5)
        assert made == play(position, 0, action, seq=5)
