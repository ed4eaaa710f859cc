"""The JSON answers of ``legal``, ``perft`` and ``play``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crapette_p2p.engine import legal_json, perft_json, play_json
from tests.helpers.boards import board_json

HOMELESS = {"columns": "KS KH KD KC KS KH KD KC", "b": "7C / 4S / /"}


def _json(**kwargs: Any) -> dict[str, Any]:  # noqa: ANN401 - a board's words
    return board_json(**kwargs)


def _error(answer: Any) -> tuple[str, str | None]:  # noqa: ANN401 - JSON
    assert set(answer) == {"v", "error"}
    assert answer["v"] == 1
    assert set(answer["error"]) == {"code", "message", "move"}
    return answer["error"]["code"], answer["error"]["move"]


def test_legal_lists_moves_by_text_with_card_and_offence() -> None:
    """Sorted by text, refused ones left out, duties named."""
    position = _json(
        columns="5S KH KD . QS QH QD QC",
        up={"S": [4, 0], "H": [4, 0]},
        a="7S 5H / 9S / /",
    )
    answer: Any = legal_json(position)
    assert answer["v"] == 1
    assert answer["to_move"] == "A"
    assert answer["duties"] == ["F-reserve", "F", "space"]
    texts = [entry["move"] for entry in answer["moves"]]
    assert texts == sorted(texts)
    by_text = {entry["move"]: entry for entry in answer["moves"]}
    assert by_text["R-F"] == {"move": "R-F", "card": "5H", "offence": None}
    assert by_text["1-F"]["offence"] == "reserve-first"
    assert by_text["turn"] == {
        "move": "turn",
        "card": None,
        "offence": "reserve-first",
    }
    json.dumps(answer)


def test_legal_names_the_card_of_a_discard() -> None:
    """The drawn card is what a discard lays down."""
    answer: Any = legal_json(_json(**HOMELESS, a="7S / 9S / 3D /", rules="garibaldka"))
    assert answer["moves"] == [{"move": "discard", "card": "3D", "offence": None}]
    assert answer["duties"] == []


def test_other_rules_can_be_asked_about() -> None:
    """The ``rules`` argument replaces those of the position."""
    position = _json(columns="5S KH KD KC QS QH QD QC", up={"S": [4, 0]})
    strict: Any = legal_json(position)
    free: Any = legal_json(position, rules="russian-bank")
    assert strict["duties"] == ["F"]
    assert free["duties"] == []
    forbid: Any = legal_json(position, rules={"enforcement": "forbid"})
    assert [entry["move"] for entry in forbid["moves"]] == ["1-F"]
    assert _error(legal_json(position, rules="whist")) == ("bad-position", None)


def test_a_face_down_card_is_never_offered() -> None:
    """A reserve whose top nobody gave is no source; the rest can be played."""
    answer: Any = legal_json(_json(a="?? / 9S / /", rules="russian-bank"))
    sources = {entry["move"].split("-")[0] for entry in answer["moves"]}
    assert "R" not in sources
    assert "turn" in sources
    answer = legal_json(_json(a="/ 9S / /", b="?? / 4S / /", rules="russian-bank"))
    assert not any(entry["move"].endswith("OR") for entry in answer["moves"])


def test_a_card_that_nobody_gave_cannot_be_turned_up() -> None:
    """``play`` refuses what would have to show an unknown card."""
    position = _json(a="?? JS / ?? / /", rules="russian-bank")
    assert _error(play_json(position, ["turn"])) == ("unknown-card", "turn")
    assert _error(play_json(position, ["R-6"])) == ("unknown-card", "R-6")
    hidden = _json(a="?? / 9S / /", rules="russian-bank")
    assert _error(play_json(hidden, ["turn"])) == ("unknown-card", None)
    assert "error" not in play_json(hidden, [])  # type: ignore[operator] # an object


def test_an_offending_turn_under_automatic_shows_no_card() -> None:
    """What is undone before its effect needs no face."""
    position = _json(
        columns="AS KH KD KC QS QH QD QC", a="7S / ?? / /", rules="garibaldka"
    )
    answer: Any = play_json(position, ["turn"])
    assert answer["penalty"] == "missed-foundation"
    assert answer["position"]["A"]["stock"] == 1
    assert answer["position"]["to_move"] == "B"


def test_play_answers_position_result_and_penalty() -> None:
    """Moves are made in order; the answer is the position after them."""
    answer: Any = play_json(_json(a="/ / JS /"), ["5-2", "D-6"])
    assert answer["v"] == 1
    assert answer["penalty"] is None
    assert answer["result"] == {
        "winner": "A",
        "reason": "empty",
        "provisional": True,
        "score": [30 + 4 + 2, 0],
    }
    assert answer["position"]["tableau"][5] == ["QH", "JS"]
    granted: Any = play_json(answer["position"], ["grant"])
    assert granted["result"]["provisional"] is False
    drawn: Any = play_json(_json(), ["offer-draw A", "accept-draw B"])
    assert drawn["result"] == {
        "winner": None,
        "reason": "agreed",
        "provisional": False,
        "score": [0, 0],
    }
    resigned: Any = play_json(_json(rules="garibaldka"), ["resign A"])
    assert resigned["result"]["score"] == [0, 1]


@pytest.mark.parametrize(
    ("moves", "code", "move"),
    [
        (["5-2", "discard"], "nothing-drawn", "discard"),
        (["5-2", "knock"], "bad-move", "knock"),
        (["5-2", 7], "bad-move", "7"),
        ([None], "bad-move", "None"),
        (["x" * 10**5], "bad-move", "x" * 40),
        (["B:turn"], "not-your-turn", "B:turn"),
        (["resign A", "turn"], "game-over", "turn"),
    ],
)
def test_a_refused_move_is_an_answer(moves: list[object], code: str, move: str) -> None:
    """The first refused move is named with its stable code."""
    assert _error(play_json(_json(), moves)) == (code, move)


@pytest.mark.parametrize("value", [None, 42, "x", {}, {"format": 1}])
def test_a_refused_position_is_an_answer(value: object) -> None:
    """All three questions answer with the same kind of object."""
    assert _error(legal_json(value)) == ("bad-position", None)
    assert _error(perft_json(value, 1)) == ("bad-position", None)
    assert _error(play_json(value, ["turn"])) == ("bad-position", None)


def test_arrays_are_answered_in_order() -> None:
    """One bad item spoils no other."""
    good = _json(rules="russian-bank")
    legal: Any = legal_json([good, 7, good])
    assert [("error" in item) for item in legal] == [False, True, False]
    counts: Any = perft_json([good, None], 1)
    assert counts[0] == {"v": 1, "depth": 1, "nodes": len(legal[0]["moves"])}
    assert _error(counts[1]) == ("bad-position", None)
    played: Any = play_json(
        [
            {"position": good, "moves": ["turn"]},
            {"position": good, "moves": ["pass"]},
            {"position": good},
            {"position": good, "moves": "turn"},
            {"moves": []},
            "x",
        ]
    )
    codes = [item["error"]["code"] if "error" in item else None for item in played]
    assert codes == [
        None,
        "cards-left",
        None,
        "bad-position",
        "bad-position",
        "bad-position",
    ]
    assert legal_json([]) == []


def test_perft_counts_and_refuses() -> None:
    """A count with its depth; an unknown card and a silly depth are refused."""
    position = _json(rules="russian-bank", **HOMELESS, a="7S / 9S 3D / /")
    assert perft_json(position, 3) == {"v": 1, "depth": 3, "nodes": 1}
    assert perft_json(position, 0) == {"v": 1, "depth": 0, "nodes": 1}
    for depth in (-1, 10**6):
        assert _error(perft_json(position, depth)) == ("bad-depth", None)
    hidden = _json(rules="russian-bank", **HOMELESS, a="7S / 2 / /")
    assert _error(perft_json(hidden, 1)) == ("unknown-card", None)
