"""What has to be played first, and which offence it is to do otherwise."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import due_plays, duties, format_action
from tests.helpers.boards import board, listed

TWO_FIT = {"S": [4, 0], "H": [4, 0]}
SPACE = ". KH KD KC QS QH QD QC"


def _due(**kwargs: object) -> list[str]:
    position = board(**kwargs)  # type: ignore[arg-type] # the test says what it wants
    return [format_action(move) for move in due_plays(position)]


@pytest.mark.parametrize(
    ("rules", "standing"),
    [
        ("garibaldka", ("F",)),
        ("russian-bank", ()),
        ("russian-bank-knock", ("F",)),
        ("crapette", ("F-reserve", "F")),
        ({"preset": "crapette", "enforcement": "none"}, ()),
        ({"preset": "crapette", "enforcement": "forbid"}, ("F-reserve", "F")),
        ({"preset": "crapette", "reserve_first": False}, ("F",)),
    ],
)
def test_which_duties_stand_by_rule_set(
    rules: object, standing: tuple[str, ...]
) -> None:
    """A fitting reserve top and a fitting column make the duties the rules name."""
    columns = "5S KH KD KC QS QH QD QC"
    position = board(rules, columns=columns, up=TWO_FIT, a="7S 5H / 9S / /")
    assert duties(position) == standing


def test_only_tops_and_own_cards_are_duties() -> None:
    """A buried card, the opponent's reserve and the own waste bind nobody."""
    columns = "5S,4H KH KD KC QS QH QD QC"
    position = board(
        columns=columns, up=TWO_FIT, a="5H 7S / 9S / / 5H", b="5S / 4S / / 6S"
    )
    assert duties(position) == ()
    assert set(listed(position).values()) == {None}


def test_the_own_waste_binds_where_it_is_playable() -> None:
    """With ``own_waste_playable`` its top is an available card like any other."""
    rules = {"preset": "crapette", "own_waste_playable": True}
    position = board(rules, up=TWO_FIT, a="7S / 9S / / 5H")
    assert duties(position) == ("F",)
    assert [format_action(move) for move in due_plays(position)] == ["W-F"]
    assert listed(position)["turn"] == "missed-foundation"


def test_under_reserve_first_only_the_reserve_is_due() -> None:
    """Another foundation play is ``reserve-first`` too, as is everything else."""
    columns = "5S KH KD KC QS QH QD QC"
    position = board(columns=columns, up=TWO_FIT, a="7S 5H / 9S / /")
    actions = listed(position)
    assert actions.pop("R-F") is None
    assert "1-F" in actions
    assert set(actions.values()) == {"reserve-first"}
    assert [format_action(move) for move in due_plays(position)] == ["R-F"]


def test_without_reserve_first_the_choice_is_free() -> None:
    """Any fitting card may go up first."""
    columns = "5S KH KD KC QS QH QD QC"
    position = board(
        "russian-bank-knock", columns=columns, up=TWO_FIT, a="7S 5H / 9S / 5S /"
    )
    actions = listed(position)
    ups = {text for text in actions if text.endswith("-F")}
    assert ups == {"R-F", "D-F", "1-F"}
    assert {actions[text] for text in ups} == {None}
    assert {actions[text] for text in set(actions) - ups} == {"missed-foundation"}
    assert {format_action(move) for move in due_plays(position)} == ups


def test_a_space_is_to_be_filled_before_turn_only() -> None:
    """``turn`` is the only action that is ``unfilled-space``."""
    position = board(columns=SPACE)
    actions = listed(position)
    assert duties(position) == ("space",)
    assert actions.pop("turn") == "unfilled-space"
    assert set(actions.values()) == {None}
    assert [format_action(move) for move in due_plays(position)] == ["R-1"]


def test_each_space_is_a_due_play() -> None:
    """With two spaces the reserve may go into either."""
    assert _due(columns=". KH . KC QS QH QD QC") == ["R-1", "R-3"]


@pytest.mark.parametrize(
    ("why", "a", "rules"),
    [
        ("a card is drawn", "7S / 9S / 3D /", "crapette"),
        ("the reserve is empty", "/ 9S / /", "crapette"),
        ("nothing is left to turn", "7S / / /", "crapette"),
        ("the preset has no such duty", "7S / 9S / /", "russian-bank-knock"),
        (
            "the reserve may not fill a space",
            "7S / 9S / /",
            {"preset": "crapette", "space_sources": ["drawn", "column"]},
        ),
        (
            "no duty is in force",
            "7S / 9S / /",
            {"preset": "crapette", "enforcement": "none"},
        ),
    ],
)
def test_when_a_space_binds_nobody(why: str, a: str, rules: object) -> None:
    """The space duty needs a turn to come, a reserve card and the rule."""
    position = board(rules, columns=SPACE, a=a)
    assert "space" not in duties(position), why
    assert "unfilled-space" not in listed(position).values()


def test_the_space_duty_ends_after_four_hundred_actions() -> None:
    """A turn that has grown too long may always be ended."""
    position = board(columns=SPACE, counters={"actions": 400})
    assert duties(position) == ()
    assert listed(position) == {"turn": None}


def test_the_opening_turn_is_never_an_offence() -> None:
    """Where a turn opens with ``turn`` that comes first, whatever fits."""
    for rules in ("garibaldka", "russian-bank-knock"):
        position = board(rules, up=TWO_FIT, a="7S 5H / 9S / /", opened=False)
        assert listed(position) == {"turn": None}


def test_with_nothing_to_turn_the_opening_is_free() -> None:
    """Stock and waste empty: any action may open, and duties bind at once."""
    position = board("russian-bank-knock", up=TWO_FIT, a="7S 5H / / /", opened=False)
    assert listed(position).items() >= {
        ("R-F", None),
        ("pass", "missed-foundation"),
    }


def test_a_missed_foundation_goes_before_an_unfilled_space() -> None:
    """The first code that applies is the offence, and only its plays are due."""
    columns = ". 5S KD KC QS QH QD QC"
    position = board(columns=columns, up=TWO_FIT)
    assert duties(position) == ("F", "space")
    assert listed(position)["turn"] == "missed-foundation"
    assert [format_action(move) for move in due_plays(position)] == ["2-F"]
