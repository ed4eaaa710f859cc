"""``crapette verify`` and ``compare``: what files prove, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crapette_p2p.cli.inputs import MAX_BYTES
from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.gamelog.evidence import encode_evidence
from crapette_p2p.gamelog.log import Fault
from crapette_p2p.gamelog.records import MAGIC, RecordKind, read_records
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log
from tests.helpers.fakegame import FakeGame, file_of, make_genesis
from tests.vectors.making.games import GAMES


def write(path: Path, data: bytes) -> str:
    """A file with ``data``; its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def game_of(seed: int = 2) -> FakeGame:
    """A game at its first position."""
    game = FakeGame(make_genesis("russian-bank", k=2, seed=seed), seed=seed)
    game.set_up()
    return game


def mover_of(game: FakeGame) -> int:
    """Whose turn it is."""
    assert game.state.position is not None
    return game.state.position.active


# verify -----------------------------------------------------------------------


def test_a_good_log(crapette: Crapette, tmp_path: Path) -> None:
    """Level 5, the result, no complaint, exit 0."""
    log = write(tmp_path / "a.crlog", finished_log())
    done = crapette("verify", log, "--json")
    answer = json.loads(done.out)
    assert done.code == 0
    assert (answer["v"], answer["file"], answer["level"]) == (1, log, 5)
    assert answer["first_bad"] is None
    assert answer["why"] is None
    assert answer["result"]["reason"] == "resigned"
    text = crapette("verify", log)
    assert (text.code, "level 5 of 5" in text.out) == (0, True)


@pytest.mark.parametrize("size", [0, 3, 9])
def test_what_is_no_log(crapette: Crapette, tmp_path: Path, size: int) -> None:
    """Level 0, and exit 10."""
    done = crapette("verify", write(tmp_path / "x", b"no log at all"[:size]), "--json")
    assert (done.code, json.loads(done.out)["level"]) == (10, 0)


def test_a_damaged_log_names_the_record(crapette: Crapette, tmp_path: Path) -> None:
    """The first record that does not fit, counted from 0, and why."""
    game = game_of()
    del game.records[3]
    done = crapette("verify", write(tmp_path / "x", game.data), "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["first_bad"]) == (10, 3)
    assert answer["why"]


def test_a_missing_file(crapette: Crapette) -> None:
    """A file that is not there is wrong use."""
    assert crapette("verify", "nowhere.crlog").code == 2


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "there is no file or game nowhere"),
        ("de", "keine Datei und kein Spiel nowhere"),
        ("fr", "ni fichier ni partie nowhere"),
        ("pl", "nie ma pliku ani gry nowhere"),
        ("ru", "нет файла или игры nowhere"),
    ],
)
def test_a_missing_file_among_others(
    crapette: Crapette, tmp_path: Path, lang: str, sentence: str
) -> None:
    """Each of the others has its verdict, the missing one its sentence."""
    good = write(tmp_path / "good", finished_log())
    bad = write(tmp_path / "bad", b"x")
    done = crapette("--lang", lang, "verify", good, "nowhere", good)
    assert (done.code, done.out.count(good)) == (2, 2)
    assert sentence in done.err
    assert crapette("verify", "nowhere", bad).code == 10


def test_a_missing_file_among_others_as_json(
    crapette: Crapette, tmp_path: Path
) -> None:
    """It has its place in the array."""
    good = write(tmp_path / "good", finished_log())
    done = crapette("verify", good, "nowhere", good, "--json")
    first, missing, last = json.loads(done.out)
    assert (done.code, first, first["level"]) == (2, last, 5)
    assert missing["file"] == "nowhere"
    assert missing["error"]["code"] == "no-file"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_several_files(crapette: Crapette, tmp_path: Path, jobs: str) -> None:
    """An array in the order of the files; as text the worst decides the exit."""
    names = [
        write(tmp_path / "good", finished_log()),
        write(tmp_path / "bad", b"x"),
        write(tmp_path / "short", game_of().data),
        write(tmp_path / "huge", bytes(MAX_BYTES + 1)),
    ]
    done = crapette("verify", *names, "--json", "--jobs", jobs)
    answers = json.loads(done.out)
    assert [a["file"] for a in answers] == names
    assert [a["level"] for a in answers] == [5, 0, 3, 0]
    assert answers[-1]["why"] == "too-large"
    assert done.code == 0
    assert crapette("verify", names[-1], "--json").code == 10
    assert crapette("verify", *names, "--jobs", jobs).code == 10
    twice = crapette("verify", names[-1], names[-1], "--json", "--jobs", jobs)
    assert [a["level"] for a in json.loads(twice.out)] == [0, 0]


def test_evidence_is_read(crapette: Crapette, tmp_path: Path) -> None:
    """An evidence file is judged: what it proves and of whom."""
    game = game_of()
    mover = mover_of(game)
    bad = game.sign(mover, 32, (0, 0))
    data = encode_evidence(game.log, Fault(404, bad.data, bad.sig))
    done = crapette("verify", write(tmp_path / "x.crev", data), "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["proven"], answer["fault"]) == (0, True, 404)
    assert answer["guilty"] == "AB"[mover]
    broken = write(tmp_path / "y.crev", data[:-1])
    assert crapette("verify", broken).code == 10


def test_a_log_with_a_proven_fault(crapette: Crapette, tmp_path: Path) -> None:
    """A log that proves cheating ends with 9 and names the player."""
    game = game_of()
    bad = game.sign(mover_of(game), 32, (0, 0))
    game.records.append((6, (404, bad.data, bad.sig)))  # type: ignore[arg-type] # 6 is FAULT
    done = crapette("verify", write(tmp_path / "x", file_of(game.records)))
    assert done.code == 9
    assert "broke the rules (code 404)" in done.out


def never_begun(seed: int = 2) -> bytes:
    """The log of a deal that was accepted and never started."""
    kind, (genesis, _, sig1) = game_of(seed).records[0]
    return file_of([(kind, (genesis, None, sig1))])


def test_a_game_that_never_began(crapette: Crapette, tmp_path: Path) -> None:
    """Nothing is damaged, nothing is proven, START is owed."""
    log = write(tmp_path / "x", never_begun())
    done = crapette("verify", log, "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["level"], answer["begun"]) == (0, 0, False)
    assert (answer["first_bad"], answer["why"]) == (None, None)
    assert (answer["owed_by"], answer["owes"]) == ("A", "START")
    text = crapette("verify", log).out
    assert "never began" in text
    assert "damaged" not in text
    assert "is owed by Ala (A): START" in text


def test_a_torn_log_names_the_record(crapette: Crapette, tmp_path: Path) -> None:
    """The whole records are judged, the torn one is named, exit 10."""
    game = game_of()
    log = write(tmp_path / "x", game.data[:-9])
    done = crapette("verify", log, "--json")
    answer = json.loads(done.out)
    torn = len(game.records) - 1
    assert (done.code, answer["level"], answer["torn"]) == (10, 3, True)
    assert (answer["first_bad"], answer["why"]) == (torn, "torn")
    assert (answer["owed_by"], answer["owes"]) == ("A", "ACK")
    text = crapette("verify", log)
    assert (text.code, f"record {torn}: torn" in text.out) == (10, True)


def test_a_log_without_a_card_says_that_nothing_could_be_wrong(
    crapette: Crapette, tmp_path: Path
) -> None:
    """The level stands for what is there; of moves it would say too much."""
    game = game_of()
    said = "no card was dealt yet"
    for records in range(1, len(game.records) + 1):
        log = write(tmp_path / "x", file_of(game.records[:records])[:-1])
        answer = json.loads(crapette("verify", log, "--json").out)
        if answer["level"] == 3:
            events = read_records(Path(log).read_bytes()).records
            acks = sum(record.kind == RecordKind.ACK for record in events)
            assert (said in crapette("verify", log).out) is (acks < 9), records
        else:
            assert answer["level"] == 0
    assert said not in crapette("verify", write(tmp_path / "y", never_begun())).out
    assert said not in crapette("verify", write(tmp_path / "z", b"noise")).out


@pytest.mark.parametrize(
    ("cut", "owes"),
    [(-2, "OPEN_B"), (None, "move"), (-1, "ACK"), (-20, "COMMIT")],
)
def test_who_owes_what(
    crapette: Crapette, tmp_path: Path, cut: int | None, owes: str
) -> None:
    """The next message is named with whoever owes it."""
    log = write(tmp_path / "x", file_of(game_of().records[:cut]))
    assert json.loads(crapette("verify", log, "--json").out)["owes"] == owes
    what = "a move" if owes == "move" else owes
    assert f": {what}\n" in crapette("verify", log).out


def test_what_no_log_can_show(crapette: Crapette, tmp_path: Path) -> None:
    """One sentence; a RESULT that both signed shortens it."""
    short = crapette("verify", write(tmp_path / "a", finished_log())).out
    long = crapette("verify", write(tmp_path / "b", game_of().data)).out
    for text in (short, long):
        assert text.count("no log can show: ") == 1
        for part in ("two people", "when it was played", "no program helped"):
            assert part in text
    for part in ("nothing was cut off its end", "who broke the connection"):
        assert part in long
        assert part not in short


def test_a_drawn_game_is_a_draw(crapette: Crapette) -> None:
    """Nobody has won it, and nobody is said to have."""
    out = crapette("verify", str(GAMES / "agreed.crlog")).out
    assert "a draw: both agreed to it" in out
    assert "won by" not in out


@pytest.mark.parametrize("begin", [b"", MAGIC])
def test_too_large_a_file_is_called_so(
    crapette: Crapette, tmp_path: Path, begin: bytes
) -> None:
    """By the same word in every answer, whatever else the file may be."""
    path = tmp_path / "large.crlog"
    path.write_bytes(begin)
    with path.open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    told = crapette("verify", str(path), "--json")
    assert (told.code, json.loads(told.out)["why"]) == (10, "too-large")
    told = crapette("compare", str(path), str(path), "--json")
    assert (told.code, json.loads(told.out)["error"]["code"]) == (10, "too-large")
    for words in ("verify", "replay", "games export"):
        done = crapette(*words.split(), str(path))
        assert done.code == 10
        assert "too-large" in done.out + done.err


# compare ----------------------------------------------------------------------


@pytest.mark.parametrize("bad_first", [True, False])
def test_a_damaged_log_is_told_as_json(
    crapette: Crapette, tmp_path: Path, bad_first: bool
) -> None:
    """One object on stdout: which file is broken, where and why; exit 10."""
    game = game_of()
    good = write(tmp_path / "good", game.data)
    del game.records[3]
    bad = write(tmp_path / "bad", game.data)
    done = crapette("compare", *((bad, good) if bad_first else (good, bad)), "--json")
    answer = json.loads(done.out)
    error = answer["error"]
    assert (done.code, answer["v"], answer["relation"]) == (10, 1, None)
    assert (error["file"], error["first_bad"]) == (bad, 3)
    assert error["code"] == "stray-ack"
    assert bad in done.err


def test_what_can_be_no_log_is_told_as_json(crapette: Crapette, tmp_path: Path) -> None:
    """A device that never ends is an answer too."""
    good = write(tmp_path / "good", game_of().data)
    done = crapette("compare", good, "/dev/zero", "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["error"]["file"]) == (10, "/dev/zero")


def test_a_game_that_never_began_is_a_beginning(
    crapette: Crapette, tmp_path: Path
) -> None:
    """The log of whoever never got START is the beginning of the other's."""
    short = write(tmp_path / "short", never_begun())
    log = write(tmp_path / "long", game_of().data)
    answer = json.loads(crapette("compare", short, log, "--json").out)
    assert (answer["relation"], answer["common"]) == ("prefix", 0)
    assert answer["longer"] == log


def test_equal_and_prefix(crapette: Crapette, tmp_path: Path) -> None:
    """The same log twice, and one that goes on: exit 0."""
    game = game_of()
    short = write(tmp_path / "short", game.data)
    game.act(mover_of(game), TURN)
    longer = write(tmp_path / "longer", game.data)
    done = crapette("compare", short, short, "--json")
    assert done.code == 0
    assert json.loads(done.out) == {
        "v": 1,
        "relation": "equal",
        "common": 10,
        "longer": None,
        "evidence": None,
    }
    done = crapette("compare", longer, short, "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["relation"], answer["longer"]) == (0, "prefix", longer)


def test_a_fork_leaves_its_proof(crapette: Crapette, tmp_path: Path) -> None:
    """Two events with one number: exit 9, and a file that proves it to anybody."""
    one, two = game_of(), game_of()
    mover = mover_of(one)
    one.act(mover, TURN)
    two.act(mover, RESIGN)
    files = [write(tmp_path / name, g.data) for name, g in (("a", one), ("b", two))]
    done = crapette("compare", *files, "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["relation"]) == (9, "fork")
    judged = crapette("verify", answer["evidence"], "--json")
    assert (judged.code, json.loads(judged.out)["fault"]) == (0, 402)


def test_different_and_damaged(crapette: Crapette, tmp_path: Path) -> None:
    """Logs of two games, or no logs: exit 10; a missing one: 2."""
    first = write(tmp_path / "a", game_of(2).data)
    other = write(tmp_path / "b", game_of(3).data)
    done = crapette("compare", first, other, "--json")
    assert (done.code, json.loads(done.out)["relation"]) == (10, "different")
    assert crapette("compare", first, write(tmp_path / "c", b"x")).code == 10
    assert crapette("compare", first, "nowhere").code == 2


@pytest.mark.parametrize("data", [b"", b"hello"])
def test_what_is_no_log_was_no_game_that_began(
    crapette: Crapette, tmp_path: Path, data: bytes
) -> None:
    """Nothing is said of a game where there is none; it is called damaged."""
    path = tmp_path / "empty"
    path.write_bytes(data)
    answer = json.loads(crapette("verify", str(path), "--json").out)
    assert (answer["begun"], answer["why"]) == (False, "not-a-log")
    assert "level 0 of 5, damaged" in crapette("verify", str(path)).out
