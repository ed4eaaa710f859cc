"""``crapette legal``, ``perft`` and ``play``: JSON in, JSON out, exit codes."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.commands import Crapette, Done

POSITION = {
    "format": "crapette-position/1",
    "rules": "crapette",
    "to_move": "A",
    "turn_opened": True,
    "tableau": [["QS"], ["TH"], ["AH"], [], ["QC"], ["7H"], ["TC"], ["8C"]],
    "foundations": {"S": [2, 0], "H": [0, 0], "D": [0, 0], "C": [0, 0]},
    "A": {
        "reserve": ["9D", "2H"],
        "stock": ["2C", "KH"],
        "drawn": "JD",
        "waste": ["TS"],
    },
    "B": {"reserve": ["4D", "JH"], "stock": ["7S"], "drawn": None, "waste": ["QD"]},
}
"""A to move, JD in hand, an ace of hearts that has to go up first."""


def written(tmp_path: Path, value: object) -> str:
    """The path of a file that holds the value."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def answer_of(done: Done) -> dict[str, object]:
    """The one JSON object that was printed."""
    value = json.loads(done.out)
    assert isinstance(value, dict)
    return value


def error_code(value: object) -> object:
    """The code of an error object."""
    assert isinstance(value, dict)
    assert value["v"] == 1
    assert set(value["error"]) == {"code", "message", "move"}
    return value["error"]["code"]


def test_legal_json(crapette: Crapette, tmp_path: Path) -> None:
    """Every accepted action is listed by text, with its card and its offence."""
    done = crapette("legal", "--position", written(tmp_path, POSITION), "--json")
    answer = answer_of(done)
    assert (done.code, done.err) == (0, "")
    assert list(answer) == ["v", "to_move", "moves", "duties"]
    assert answer["duties"] == ["F"]
    moves = answer["moves"]
    assert isinstance(moves, list)
    texts = [move["move"] for move in moves]
    assert texts == sorted(texts)
    up = {"move": "3-F", "card": "AH", "offence": None}
    assert up in moves
    late = {"move": "discard", "card": "JD", "offence": "missed-foundation"}
    assert late in moves


def test_legal_text(crapette: Crapette, tmp_path: Path) -> None:
    """Without --json the same stands in lines."""
    done = crapette("legal", "--position", written(tmp_path, POSITION))
    lines = done.out.splitlines()
    assert lines[0] == "A to move; duties: F"
    assert "3-F      AH" in lines
    assert "discard  JD  offence: missed-foundation" in lines


def test_rules_flag_replaces_the_positions_own(
    crapette: Crapette, tmp_path: Path
) -> None:
    """``--rules`` takes a preset or a file of house rules."""
    path = written(tmp_path, POSITION)
    free = crapette("legal", "--position", path, "--rules", "russian-bank", "--json")
    assert answer_of(free)["duties"] == []
    house = tmp_path / "house.toml"
    house.write_text('enforcement = "forbid"\n')
    strict = crapette("legal", "--position", path, "--rules", str(house), "--json")
    moves = answer_of(strict)["moves"]
    assert isinstance(moves, list)
    assert [move["move"] for move in moves] == ["3-F"]
    assert crapette("legal", "--position", path, "--rules", "whist").code == 2


def test_perft(crapette: Crapette, tmp_path: Path) -> None:
    """Depth 0 is one sequence; depth 1 as many as there are legal actions."""
    path = written(tmp_path, POSITION)
    legal = answer_of(crapette("legal", "--position", path, "--json"))["moves"]
    assert isinstance(legal, list)
    zero = crapette("perft", "--position", path, "--depth", "0", "--json")
    assert answer_of(zero) == {"v": 1, "depth": 0, "nodes": 1}
    one = crapette("perft", "--position", path, "--depth", "1")
    assert one.out == f"{len(legal)}\n"


@pytest.mark.parametrize("depth", ["-1", "x", "", "1.5", "٣", "9" * 30])
def test_wrong_depths(crapette: Crapette, tmp_path: Path, depth: str) -> None:
    """What is no depth is refused with 2."""
    path = written(tmp_path, POSITION)
    assert crapette("perft", "--position", path, f"--depth={depth}").code == 2


def test_play_json(crapette: Crapette, tmp_path: Path) -> None:
    """Moves are applied in order and the position that follows is printed."""
    path = written(tmp_path, POSITION)
    done = crapette("play", "--position", path, "3-F", "R-F 2H", "D-1", "--json")
    answer = answer_of(done)
    assert done.code == 0
    assert answer["result"] is answer["penalty"] is None
    position = answer["position"]
    assert isinstance(position, dict)
    assert position["foundations"]["H"] == [2, 0]
    assert position["tableau"][0] == ["QS", "JD"]
    again = crapette("play", "--position", written(tmp_path, position), "--json")
    assert answer_of(again)["position"] == position


def test_play_text(crapette: Crapette, tmp_path: Path) -> None:
    """Without --json the table is told in the words of the line mode."""
    done = crapette("play", "--position", written(tmp_path, POSITION), "3-F")
    assert done.out.splitlines()[0] == "A to move"
    assert "3 empty." in done.out
    over = crapette("play", "--position", written(tmp_path, POSITION), "resign", "A")
    assert "over: B wins (resigned)" in over.out


def test_two_words_may_be_two_arguments(crapette: Crapette, tmp_path: Path) -> None:
    """``stop 3-F`` and ``resign A`` are understood with and without quotes."""
    path = written(tmp_path, POSITION)
    quoted = crapette("play", "--position", path, "D-1", "stop 3-F", "--json")
    loose = crapette("play", "--position", path, "D-1", "stop", "3-F", "--json")
    seated = crapette("play", "--position", path, "D-1", "B:stop", "3-F", "--json")
    assert quoted.code == 0
    assert quoted.out == loose.out == seated.out


def test_automatic_penalty_is_named(crapette: Crapette, tmp_path: Path) -> None:
    """Under automatic enforcement an offence is undone and named."""
    position = {**POSITION, "rules": "garibaldka"}
    done = crapette("play", "--position", written(tmp_path, position), "D-1", "--json")
    assert answer_of(done)["penalty"] == "missed-foundation"


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        (["R-9"], "bad-move"),
        (["R-F"], "foundation-misfit"),
        (["turn"], "card-is-drawn"),
        (["3-F", "\x1b[2J"], "bad-move"),
        (["grant"], "nothing-to-grant"),
    ],
)
def test_refused_moves(
    crapette: Crapette, tmp_path: Path, moves: list[str], code: str
) -> None:
    """A refused move is an error object on stdout and exit code 2."""
    path = written(tmp_path, POSITION)
    done = crapette("play", "--position", path, *moves, "--json")
    assert done.code == 2
    assert error_code(answer_of(done)) == code
    told = crapette("play", "--position", path, *moves)
    assert (told.code, told.out) == (2, "")
    assert code in told.err
    assert "\x1b" not in told.err + done.out


def test_an_unknown_card_cannot_be_turned_up(
    crapette: Crapette, tmp_path: Path
) -> None:
    """A face that nobody gave and that has to be shown is refused."""
    position = copy.deepcopy(POSITION)
    position["A"] = {"reserve": ["??", "2H"], "stock": 3, "drawn": None, "waste": []}
    path = written(tmp_path, position)
    for command, *rest in (["play", "turn"], ["perft", "--depth", "2"]):
        done = crapette(command, "--position", path, *rest, "--json")
        assert done.code == 2
        assert error_code(answer_of(done)) == "unknown-card"


def test_arrays_answer_item_by_item(crapette: Crapette, tmp_path: Path) -> None:
    """An array is answered in its order and exits 0 whatever its items say."""
    wrong = {**POSITION, "tableau": [["QX"]]}
    path = written(tmp_path, [POSITION, wrong, 42])
    for command, *rest in (["legal"], ["perft", "--depth", "1"]):
        done = crapette(command, "--position", path, *rest, "--json")
        answers = json.loads(done.out)
        assert done.code == 0
        assert ["error" in answer for answer in answers] == [False, True, True]
        assert error_code(answers[1]) == "bad-position"
    text = crapette("legal", "--position", path).out
    assert "position 2:\nrefused: " in text


def test_arrays_of_plays(crapette: Crapette, tmp_path: Path) -> None:
    """For ``play`` each item brings its moves; no MOVE may follow."""
    items = [{"position": POSITION, "moves": ["3-F"]}, {"position": POSITION}, [], {}]
    path = written(tmp_path, items)
    done = crapette("play", "--position", path, "--json")
    answers = json.loads(done.out)
    assert (done.code, len(answers)) == (0, 4)
    assert ["error" in answer for answer in answers] == [False, False, True, True]
    assert crapette("play", "--position", path, "3-F").code == 2
    assert (
        json.loads(crapette("play", "--position", written(tmp_path, []), "--json").out)
        == []
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n",
        b"\xff\xfe\x00\x01",
        b"{",
        b'{"a": NaN}',
        b"[" * 100_000,
        b"9" * 10_000,
        b'"\\ud800"',
        b"null",
        b"{}",
        b'{"format": "crapette-position/2"}',
    ],
    ids=lambda content: repr(content[:12]),
)
def test_files_that_hold_no_position(
    crapette: Crapette, tmp_path: Path, content: bytes
) -> None:
    """Whatever a file holds, the answer is an error object and exit code 2."""
    path = tmp_path / "noise"
    path.write_bytes(content)
    done = crapette("legal", "--position", str(path), "--json")
    assert done.code == 2
    assert error_code(answer_of(done)) in {"bad-file", "bad-position"}


@pytest.mark.parametrize("name", ["missing", ".", "a\0b", "x" * 5000])
def test_files_that_cannot_be_read(
    crapette: Crapette, tmp_path: Path, name: str
) -> None:
    """A missing file, a directory and an impossible name end with 2."""
    done = crapette("perft", "--position", str(tmp_path) + "/" + name, "--depth", "1")
    assert done.code == 2
    assert len(done.err.splitlines()) == 2
    assert max(map(len, done.err.splitlines())) < 330


def test_standard_input(crapette: Crapette, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--position -`` reads standard input; a byte order mark does no harm."""
    content = b"\xef\xbb\xbf" + json.dumps(POSITION).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    done = crapette("perft", "--position", "-", "--depth", "0")
    assert done.out == "1\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    done = crapette("perft", "--position", "-", "--depth", "0")
    assert "standard input is empty" in done.err


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_refused_move_is_told_in_english(
    crapette: Crapette, tmp_path: Path, lang: str
) -> None:
    """A program gets the code, and a sentence for its reader that is no code."""
    path = written(tmp_path, POSITION)
    done = crapette("--lang", lang, "play", "--position", path, "--json", "1-OW")
    answer = answer_of(done)
    assert error_code(answer) == "load-misfit"
    error = answer["error"]
    assert isinstance(error, dict)
    assert error["message"] == "That card does not go on the opponent's pile."


@pytest.mark.parametrize("command", ["legal", "play", "perft --depth 1"])
def test_rules_that_are_none_are_an_answer_too(
    crapette: Crapette, tmp_path: Path, command: str
) -> None:
    """As every other refusal: an object on stdout, a sentence on stderr."""
    path = written(tmp_path, POSITION)
    words = (*command.split(), "--position", path, "--rules", "nosuch", "--json")
    done = crapette(*words)
    assert (done.code, error_code(answer_of(done))) == (2, "bad-rules")
    assert "no preset 'nosuch'" in done.err


def test_a_bad_position_names_its_file(
    crapette: Crapette, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the field and the token; what was typed is no matter of the file."""
    path = written(tmp_path, {**POSITION, "to_move": "C"})
    done = crapette("legal", "--position", path)
    assert done.code == 2
    assert done.err.startswith(f"crapette: {path}: to_move")
    typed = io.BytesIO(Path(path).read_bytes())
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=typed))
    assert "standard input: to_move" in crapette("legal", "--position", "-").err
    moved = crapette("play", "--position", written(tmp_path, POSITION), "1-OW")
    assert moved.err.startswith("crapette: 1-OW: ")
