"""Rules, dead positions, programs that never stop: what players met elsewhere (4d).

Run as a program this module prints the list: row, and the tests that hold it.
"""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path

import pytest

from crapette_p2p.bot import PLAYED, choose
from crapette_p2p.engine import play
from crapette_p2p.errors import IllegalMove
from tests.helpers.boards import board, listed, played, result

REPORTS: dict[int, tuple[str, ...]] = {
    52: ("test_report_52_the_only_action_left_is_found",),
    53: (
        "test_report_53_a_dead_game_ends_by_passing",
        "test_report_53_two_who_only_turn_and_discard_are_told_and_end",
    ),
    55: ("test_the_table_of_the_docs", "test_idle_turns_block_a_deal"),
    57: (
        "test_report_57_no_bot_repeats_itself_without_end",
        "test_no_board_comes_back_within_a_turn",
        "test_the_longest_turn_still_ends",
        "test_the_time_given_is_used_and_kept",
    ),
    59: ("test_report_59_a_call_at_any_moment_is_judged_alike",),
    63: ("test_report_63_the_opponents_reserve_is_no_duty_of_mine",),
    64: (
        "test_the_referee_counts_after_every_event",
        "test_a_card_lost_or_doubled_is_noticed",
    ),
    66: ("test_report_66_the_last_and_the_first_card_of_every_pile",),
}
"""Row of the reports → the tests that hold it."""
ROOT = Path(__file__).parent.parent
KINGS = "KS KH KD KC KS KH KD KC"
B = "2C 2C / 2S 2S / /"
NO_COLUMNS = {"preset": "crapette", "space_sources": ["reserve"]}
OWN_WASTE = {"preset": "crapette", "own_waste_playable": True}


def test_every_row_names_tests_that_exist() -> None:
    """No name of the list is a slip."""
    written = "".join(path.read_text("utf-8") for path in ROOT.rglob("test_*.py"))
    names = set(re.findall(r"def (test_\w+)", written))
    assert {name for held in REPORTS.values() for name in held} <= names


@pytest.mark.parametrize(
    ("rules", "columns", "a", "only"),
    [
        # A load from the own waste, where the house allows it.
        (OWN_WASTE, KINGS, "7S 8S / / / 3C", {"W-OR", "turn"}),
        # A king into a space, and nothing else of any card.
        (NO_COLUMNS, ". KS KH KC 9S 9C 5S 5C", "7S KD / / /", {"R-1", "pass"}),
        # Turning the waste over.
        ("crapette", KINGS, "7S 8S / / / 9C", {"turn"}),
        # Nothing at all: passing.
        ("crapette", KINGS, "7S 8S / / /", {"pass"}),
    ],
)
def test_report_52_the_only_action_left_is_found(
    rules: object, columns: str, a: str, only: set[str]
) -> None:
    """No-more-moves is never said where something can still be done."""
    position = board(rules, columns=columns, a=a, b=B)
    assert position.end is None
    assert set(listed(position)) == only
    for level in PLAYED:
        assert choose(position, 0, level=level, rand=lambda: 0.99) is not None


def test_report_53_a_dead_game_ends_by_passing() -> None:
    """Stocks and wastes empty, reserves stuck: both pass, and that is the end."""
    for rules in ("garibaldka", "russian-bank", "russian-bank-knock", "crapette"):
        position = board(rules, columns=KINGS, a="7S 8S / / /", b="2C 5C / / /")
        position = played(position, "pass", "pass")
        if position.end is not None and position.end.provisional_by is not None:
            position = played(position, "grant")
        assert position.end is not None, rules
        assert position.end.reason.name == "BLOCKED"


def test_report_53_two_who_only_turn_and_discard_are_told_and_end() -> None:
    """The idle turns are counted towards a limit that both can see, and it holds."""
    position = board("russian-bank", columns=KINGS, a="7S 8S / 9S / /", b=B)
    idle = []
    while position.end is None:
        position = played(position, "turn", "discard")
        idle.append(position.counters.idle)
        assert len(idle) <= position.counters.limit
    assert result(position) == "draw"
    assert idle == list(range(1, position.counters.limit + 1))


@pytest.mark.parametrize("level", PLAYED)
def test_report_57_no_bot_repeats_itself_without_end(level: str) -> None:
    """With column moves to and fro for the taking, a turn is over soon."""
    columns = "TD,9S TH 8D 8H JS JC QD,JS QH"
    position = board("russian-bank", columns=columns, a="2D 2D / 3D 3D / /", b=B)
    for acts in itertools.count():
        assert acts < 60
        action = choose(position, 0, level=level, rand=lambda: 0.99, nodes=60)
        assert action is not None
        position = play(position, 0, action)
        if position.active != 0 or position.end is not None:
            break


@pytest.mark.parametrize(
    ("a", "b", "moves", "upheld"),
    [
        # A load on the caller's waste, and one on his reserve.
        ("2D 8S / 9C / 5H /", "2C 2C / 3S / / 4H", ("D-OW",), True),
        ("2D 8S / 9C / 5H /", "2C 6H / 3S / /", ("D-OR",), True),
        # The turn's first action, and one after which the missed card is covered.
        ("2D 8S / 9C 3D / /", "2C 2C / 3S / /", ("turn",), True),
        ("2D 8S / 9C / 5H /", "2C 9S / 3S / /", ("R-OR",), True),
        # The discard, with which the turn has passed.
        ("2D 8S / 9C / 5H /", "2C 2C / 3S / /", ("discard",), True),
        # Nothing was due: wrong at each of these moments too.
        ("2D 9S / 9C / 5H /", "2C 2C / 3S / / 4H", ("D-OW",), False),
        ("2D 9S / 9C / 5H /", "2C 2C / 3S / /", ("discard",), False),
        # The reserve has turned up its next card by itself: that one was not due.
        ("8S 4H / 9C / /", "2C 5H / 3S / /", ("R-OR",), False),
    ],
)
def test_report_59_a_call_at_any_moment_is_judged_alike(
    a: str, b: str, moves: tuple[str, ...], *, upheld: bool
) -> None:
    """A load on the caller, a card turned up since, the discard: no matter."""
    position = board(columns=KINGS, up={"S": [7, 0]}, a=a, b=b)
    position = played(position, *moves)
    after = played(position, "stop R-F")
    assert (after.calls.wrong == (0, 0)) == upheld
    assert (after.active == 1) == (upheld or moves == ("discard",))


def test_report_63_the_opponents_reserve_is_no_duty_of_mine() -> None:
    """A card that only the opponent could put up binds nobody but him."""
    for rules in ("garibaldka", "russian-bank-knock", "crapette"):
        position = board(
            rules,
            columns=KINGS,
            up={"D": [1, 0]},
            a="7S 8S / 9C / 5H /",
            b="2C 2D / 3S / /",
        )
        offences = listed(position)
        assert offences["discard"] is None, rules
        assert "stop" not in offences


@pytest.mark.parametrize(
    ("text", "columns", "a", "b"),
    [
        ("1-2", "QS KH KD KC KS KH KD KC", "7S 8S / 9S / /", B),
        ("R-1", "KS QD KD KC KS KH KD KC", "QH / 9S / /", B),
        ("D-1", "KS QD KD KC KS KH KD KC", "7S / / QH /", B),
        ("D-F", KINGS, "7S / / AD /", B),
        ("D-8", "KS QD KD KC KS KH KD .", "7S / / 9D /", B),
        ("D-OW", KINGS, "7S / / 9D /", "2C / 2S / / 8D"),
        ("discard", KINGS, "7S / / 9D /", B),
        ("turn", KINGS, "7S / 9D / /", B),
        ("turn", KINGS, "7S / / / 9D", B),
    ],
)
def test_report_66_the_last_and_the_first_card_of_every_pile(
    text: str, columns: str, a: str, b: str
) -> None:
    """Emptying a pile, or laying its first card, is an action like any other."""
    before = board("russian-bank", columns=columns, a=a, b=b)
    after = played(before, text)
    assert sum(map(len, after.piles)) == sum(map(len, before.piles))
    assert after.end is not None or listed(after)


def test_report_66_a_load_on_an_empty_pile_is_refused() -> None:
    """There is nothing to load, and the refusal says so."""
    position = board("russian-bank", columns=KINGS, a="7S / / 9D /", b="2C / 2S / /")
    with pytest.raises(IllegalMove, match="nothing-to-load"):
        played(position, "D-OW")


if __name__ == "__main__":
    for row, held in REPORTS.items():
        sys.stdout.write(f"{row}  {', '.join(held)}\n")
