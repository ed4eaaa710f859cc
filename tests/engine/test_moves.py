"""Where a card can lie, and what each action needs: the refusals."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import (
    DISCARD,
    PASS,
    TURN,
    Discard,
    Move,
    Pass,
    PileId,
    Position,
    TableAction,
    Turn,
    legal_actions,
    legal_with_offences,
    offence_of,
    parse_action,
    play,
    refusal,
)
from crapette_p2p.engine.fit import MOVES
from crapette_p2p.engine.layout import PILE_COUNT
from crapette_p2p.errors import IllegalMove
from tests.helpers.boards import at, board, listed, played
from tests.helpers.strategies import seeded

LOADS = [
    ("2C", "AC", True),
    ("AC", "2C", True),
    ("KC", "QC", True),
    ("AC", "KC", False),
    ("KC", "AC", False),
    ("8C", "8C", False),
    ("8D", "7C", False),
    ("8S", "7C", False),
    ("9C", "7C", False),
]
BUILDS = [
    ("6H", "7S", True),
    ("6D", "7C", True),
    ("QH", "KS", True),
    ("AH", "2S", True),
    ("6S", "7S", False),
    ("6C", "7S", False),
    ("8H", "7S", False),
    ("7H", "7S", False),
    ("KH", "AS", False),
    ("2H", "AS", False),
    ("AS", "KH", False),
]


def _refused(position: Position, text: str) -> str | None:
    seat, action = parse_action(text, position)
    return refusal(position, seat, action)


@pytest.mark.parametrize(("card", "top", "fits"), LOADS)
@pytest.mark.parametrize("pile", ["OR", "OW"])
def test_loads_are_in_suit_and_one_rank_apart(
    card: str, top: str, fits: bool, pile: str
) -> None:
    """A load goes up or down by one in suit, never round the corner."""
    side = f"9H {top} / 4S / / JD" if pile == "OR" else f"9H / 4S / / JD {top}"
    position = board("russian-bank", a=f"7S 8S / 9S / {card} /", b=side)
    assert _refused(position, f"D-{pile}") == (None if fits else "load-misfit")


@pytest.mark.parametrize("pile", ["OR", "OW"])
def test_an_empty_pile_of_the_opponent_cannot_be_loaded(pile: str) -> None:
    """An emptied reserve or waste stays empty: there is nothing to load."""
    position = board("russian-bank", a="7S / 9S / 8C /", b="/ 4S / /")
    assert _refused(position, f"D-{pile}") == "nothing-to-load"


@pytest.mark.parametrize(("card", "top", "fits"), BUILDS)
def test_columns_go_down_in_alternating_colours(
    card: str, top: str, fits: bool
) -> None:
    """A column takes the other colour, one rank lower, and nothing on an ace."""
    columns = f"{top} KH KD KC QS JC TD QC"
    position = board("russian-bank", columns=columns, a=f"7S / 9S / {card} /")
    assert _refused(position, "D-1") == (None if fits else "column-misfit")


def test_foundations_go_up_in_suit_from_the_ace() -> None:
    """A foundation takes the next card of its suit and nothing else."""
    up = {"S": [5, 0], "H": [13, 0]}
    position = board("russian-bank", up=up, a="5D 6S / 9S / AC /")
    assert _refused(position, "R-F") is None
    assert _refused(position, "D-F") is None
    assert _refused(position, "2-F") == "foundation-misfit"
    assert _refused(position, "5-F") == "foundation-misfit"


def test_of_two_fitting_foundations_the_lower_is_the_move() -> None:
    """One spelling a move: the higher-numbered foundation is refused."""
    position = board("russian-bank", a="5D 6S / 9S / AC /")
    assert refusal(position, 0, MOVES[20][8]) is None
    assert refusal(position, 0, MOVES[20][9]) == "other-foundation"
    assert refusal(position, 0, MOVES[20][10]) == "foundation-misfit"
    after = played(position, "D-F")
    assert at(after, "foundations.C") == [1, 0]


def test_the_second_foundation_of_a_suit_takes_the_second_copy() -> None:
    """When the lower one has gone on, the same card goes on the other."""
    position = board("russian-bank", up={"C": [3, 0]}, a="5D / 9S / AC /")
    assert at(played(position, "D-F"), "foundations.C") == [3, 1]


@pytest.mark.parametrize(
    ("sources", "accepted"),
    [
        (["drawn", "reserve", "column"], {"D-1", "R-1", "2-1"}),
        (["drawn", "reserve"], {"D-1", "R-1"}),
        (["column"], {"2-1"}),
        (["reserve"], {"R-1"}),
        (["drawn"], {"D-1"}),
        ([], set()),
    ],
)
def test_who_may_fill_a_space(sources: list[str], accepted: set[str]) -> None:
    """A space takes cards from the sources that the rule set names only."""
    rules = {"preset": "russian-bank", "space_sources": sources}
    position = board(rules, columns=". KH KD KC KS KH KD KC", a="7S / 9S / 9D /")
    fills = {text for text in listed(position) if text.endswith("-1")}
    assert fills & {"D-1", "R-1", "2-1"} == accepted
    for text in {"D-1", "R-1", "2-1"} - accepted:
        assert _refused(position, text) == "space-source"


def test_a_king_goes_into_a_space_only() -> None:
    """A king finds no column to lie on but an empty one."""
    position = board("russian-bank", columns=". KH AD AC QS QH QD QC", a="/ 9S / KS /")
    assert [text for text in listed(position) if text.startswith("D-")] == ["D-1"]


def test_the_only_card_of_a_column_may_change_places() -> None:
    """Into another space is a move; onto its own column it is none."""
    position = board("russian-bank", columns="KS . KD KC QS QH QD QC")
    assert _refused(position, "1-2") is None
    assert _refused(position, "1-1") == "column-misfit"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move(PileId(17), PileId(0)), "no-source"),
        (Move(PileId(22), PileId(0)), "no-source"),
        (Move(PileId(18), PileId(0)), "no-source"),
        (Move(PileId(8), PileId(0)), "no-source"),
        (Move(PileId(99), PileId(0)), "no-source"),
        (Move(PileId(-1), PileId(0)), "no-source"),
        (Move(PileId(21), PileId(0)), "no-source"),
        (Move(PileId(0), PileId(16)), "no-target"),
        (Move(PileId(0), PileId(22)), "no-target"),
        (Move(PileId(0), PileId(18)), "no-target"),
        (Move(PileId(0), PileId(19)), "no-target"),
        (Move(PileId(0), PileId(99)), "no-target"),
        (Move(PileId(0), PileId(-1)), "no-target"),
        (Move(PileId(20), PileId(0)), "no-card"),
        (Move(PileId(1), PileId(0)), "no-card"),
    ],
)
def test_piles_that_are_no_source_or_no_target(move: Move, code: str) -> None:
    """No card leaves a pile that is not one's own to play from, or goes there."""
    position = board("russian-bank", columns="KS . KD KC QS QH QD QC")
    assert refusal(position, 0, move) == code


def test_turn_discard_and_pass_need_what_they_need() -> None:
    """Exactly one of the three closes every list, by drawn card, stock and waste."""
    drawn = board("russian-bank", a="7S / 9S / 9D / 5C")
    assert _refused(drawn, "turn") == "card-is-drawn"
    assert _refused(drawn, "discard") is None
    assert _refused(drawn, "pass") == "cards-left"
    stock = board("russian-bank", a="7S / 9S / /")
    assert _refused(stock, "turn") is None
    assert _refused(stock, "discard") == "nothing-drawn"
    assert _refused(stock, "pass") == "cards-left"
    waste = board("russian-bank", a="7S / / / 5C")
    assert _refused(waste, "turn") is None
    assert _refused(waste, "pass") == "cards-left"
    nothing = board("russian-bank", a="7S / / /")
    assert _refused(nothing, "turn") == "nothing-to-turn"
    assert _refused(nothing, "discard") == "nothing-drawn"
    assert _refused(nothing, "pass") is None


def test_turning_takes_the_top_of_the_stock() -> None:
    """The last card of the stock's list is the one turned up."""
    after = played(board("russian-bank", a="7S / 9S 3D / / 5C"), "turn")
    assert at(after, "A.drawn") == "3D"
    assert at(after, "A.stock") == ["9S"]
    assert at(after, "A.waste") == ["5C"]


def test_the_waste_is_recycled_as_a_block_and_only_by_turn() -> None:
    """The card discarded first comes up first, in every order of ten."""
    waste = "2S 9D 4H JC TC 3H 8D 6C QD 5S"
    position = board("russian-bank", a=f"7S / / / {waste}")
    first, *others = waste.split()
    after = played(position, "turn")
    assert at(after, "A.drawn") == first
    assert at(after, "A.stock") == others[::-1]
    assert at(after, "A.waste") == []


def test_a_recycled_card_keeps_its_face() -> None:
    """Both players have seen the waste; turned down again it stays known."""
    position = board("russian-bank", a="7S / 2 / / 5C 6H", opened=False)
    assert position.unopened() is None
    recycled = board("russian-bank", a="7S / / / 5C 6H")
    after = played(recycled, "turn", "discard", "turn", "discard", "turn")
    assert at(after, "A.drawn") == "6H"


def test_the_reserve_turns_up_its_next_card_at_once() -> None:
    """When the reserve's top leaves, the card below can be played."""
    after = played(board("russian-bank", a="JH JD / 9S / /"), "R-8", "R-5")
    assert at(after, "A.reserve") == []
    assert at(after, "tableau.7") == ["QC", "JD"]


def test_an_emptied_reserve_stays_empty() -> None:
    """Nothing ever lies on an empty reserve again."""
    position = board("russian-bank", b="/ 4S / / 8C", a="7S / 9S / 9C /")
    assert "D-OR" not in listed(position)
    assert "D-OW" in listed(position)


def test_own_waste_is_no_source_unless_the_rules_say_so() -> None:
    """``own_waste_playable`` adds the source W, for plays, fills and loads."""
    columns = ". KH KD KC QS QH QD QC"
    plain = board("russian-bank", columns=columns, a="7S / 9S / / 8D JH")
    assert _refused(plain, "W-5") == "no-source"
    rules = {"preset": "russian-bank", "own_waste_playable": True}
    open_waste = board(rules, columns=columns, a="7S / 9S / / 8D JH")
    assert {"W-5", "W-8", "W-1"} <= set(listed(open_waste))
    after = played(open_waste, "W-5")
    assert at(after, "A.waste") == ["8D"]
    drawn_only = {**rules, "space_sources": ["reserve", "column"]}
    fill = board(drawn_only, columns=columns, a="7S / 9S / / 8D JH")
    assert "W-1" not in listed(fill)


def test_only_the_mover_acts_on_the_table() -> None:
    """The other player's table action is refused whatever it is."""
    position = board("russian-bank")
    for action in (TURN, DISCARD, PASS, MOVES[0][1]):
        assert refusal(position, 1, action) == "not-your-turn"


def test_play_raises_the_refusal_and_changes_nothing() -> None:
    """An illegal move raises its code; the position is as it was."""
    position = board("russian-bank")
    before = (position.piles, position.faces)
    with pytest.raises(IllegalMove) as caught:
        play(position, 0, DISCARD)
    assert caught.value.refusal == "nothing-drawn"
    assert (position.piles, position.faces) == before


@pytest.mark.parametrize(
    "rules",
    [
        "garibaldka",
        "russian-bank",
        "russian-bank-knock",
        "crapette",
        {"preset": "crapette", "enforcement": "forbid"},
        {"preset": "garibaldka", "own_waste_playable": True},
        {"preset": "crapette", "enforcement": "automatic", "space_sources": ["drawn"]},
    ],
)
def test_the_list_and_the_single_answers_agree(rules: object) -> None:
    """Along a random game the list holds exactly what is not refused."""
    rand = seeded(7)
    position = board(
        rules,
        columns="AS 5D 9C KD 3H 8S JC TD",
        a="6H QS 4C / 9S 2D 7C AH 3C / / ",
        b="8H KC 5S / 4S 4C 2H AD TS / / ",
        opened=False,
    )
    tables: tuple[TableAction, ...] = (
        *(m for row in MOVES for m in row),
        Turn(),
        Discard(),
        Pass(),
    )
    for _ in range(40):
        pairs = dict(legal_with_offences(position))
        assert tuple(pairs) == legal_actions(position)
        single = {
            action: offence_of(position, action)
            for action in tables
            if refusal(position, position.active, action) is None
        }
        assert pairs == single
        if position.end is not None:
            break
        position = play(position, position.active, rand.choice(list(pairs)))


def test_moves_are_shared_instances() -> None:
    """The table holds every pair of piles once."""
    assert len({move for row in MOVES for move in row}) == PILE_COUNT**2
    assert MOVES[16][8] == Move(PileId(16), PileId(8))
