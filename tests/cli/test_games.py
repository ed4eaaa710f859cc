"""``crapette games``: list, path, export, delete."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.dump import log_to_text
from crapette_p2p.gamelog.genesis import Match, encode_genesis
from crapette_p2p.gamelog.records import (
    MAGIC,
    RecordKind,
    encode_record,
    read_records,
)
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.gamelog.state import SETUP_EVENTS
from crapette_p2p.gamelog.times import clock_text, encode_header, encode_time
from crapette_p2p.net.identity import load_identity
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.times import times_path
from crapette_p2p.session.opengame import FAILED
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log, finished_of, finished_parts
from tests.helpers.endless import Endless
from tests.helpers.fakegame import FakeGame, make_genesis
from tests.helpers.fullness import files_end_at

ID = "0123456789abcdef"


@pytest.fixture
def kept(crapette: Crapette) -> Path:
    """A finished game among the player's own."""
    path = crapette.home / "games" / f"20260101-{ID}.crlog"
    path.parent.mkdir(parents=True)
    path.write_bytes(finished_log())
    return path


def keep_times(log: Path, times: dict[int, int]) -> Path:
    """Put times beside a log, as playing it would have."""
    path = times_path(log)
    game_id = open_replay(log.read_bytes()).log.game_id
    records = (encode_time(*record) for record in times.items())
    path.write_bytes(encode_header(game_id) + b"".join(records))
    return path


def test_the_list_and_the_path(crapette: Crapette, kept: Path) -> None:
    """Players, rules and outcome of each; where they lie, also as JSON."""
    (game,) = json.loads(crapette("games", "--json").out)
    assert (game["status"], game["rules"]) == ("finished", "crapette")
    assert game["result"] == json.loads(crapette("verify", ID, "--json").out)["result"]
    assert " – ".join(game["players"]) in crapette("games", "list").out
    assert crapette("games", "path").out.strip() == str(kept.parent)
    assert crapette("games", "path", ID[:6]).out.strip() == str(kept)


@pytest.mark.parametrize(
    ("note", "status"), [(FAILED, "failed"), ("left", "open"), (None, "damaged")]
)
def test_a_game_that_came_to_no_end(
    crapette: Crapette, kept: Path, note: str | None, status: str
) -> None:
    """One that failed, one that can go on and one that is damaged are listed."""
    data = finished_log()
    first = len(MAGIC) + 4 + int.from_bytes(data[len(MAGIC) :][:4], "big")
    tail = b"\xff" * 99
    if note is not None:
        tail = encode_record(RecordKind.NOTE, (404, note))
    kept.write_bytes(data[:first] + tail)
    listed = crapette("games")
    assert (listed.code, listed.out.splitlines()[1].split()[-1]) == (0, status)
    (game,) = json.loads(crapette("games", "--json").out)
    assert game["status"] == status


@pytest.mark.parametrize(
    ("label", "shown"), [("\u3164", "\\u3164"), ("  ", '"  "'), ("", '""')]
)
def test_a_label_that_cannot_be_seen_is_spelled(
    crapette: Crapette, kept: Path, label: str, shown: str
) -> None:
    """In the list and in the export; JSON has the label as it is."""
    game = FakeGame(replace(make_genesis("russian-bank", k=2), preset=label))
    game.set_up()
    kept.write_bytes(game.data)
    assert f"  {shown}  " in crapette("games").out
    assert f"\nrules {shown}\n" in crapette("games", "export", "last").out
    (listed,) = json.loads(crapette("games", "--json").out)
    assert listed["rules"] == label


def test_a_result_that_only_one_has_signed_is_marked(
    crapette: Crapette, kept: Path
) -> None:
    """As JSON tells it; what the word means stands below, where it is needed."""
    assert "unsigned" not in crapette("games").out
    crapette("id")
    key = load_identity(find_paths(str(crapette.home), {}).identity_key).public
    _, first = finished_parts()
    for seat in (0, 1):  # the one of them is the author of RESULT
        keys = (key, first.keys[1]) if seat == 0 else (first.keys[0], key)
        kept.with_name(f"2026010{seat + 2}-{seat:016x}.crlog").write_bytes(
            finished_of(replace(first, keys=keys), without=1)
        )
    games = {game["seat"]: game for game in json.loads(crapette("games", "--json").out)}
    assert sorted(game["status"] for game in games.values()) == [
        "finished",
        "finished",
        "open",
    ]
    (mine,) = (game for game in games.values() if game["status"] == "open")
    won = mine["result"]["winner"] == mine["seat"]
    *listed, legend = crapette("games").out.splitlines()
    assert [line.endswith(", unsigned") for line in listed].count(True) == 1
    (told,) = (line for line in listed if line.endswith(", unsigned"))
    assert told.split()[0] == mine["game"]
    assert told.endswith(" won, unsigned" if won else " lost, unsigned")
    assert legend.startswith("unsigned: the other player has yet to sign")


def test_ones_own_of_two_names_alike_is_marked(crapette: Crapette, kept: Path) -> None:
    """Two players of one login name; programs read the names as they are."""
    crapette("id")
    key = load_identity(find_paths(str(crapette.home), {}).identity_key).public
    records, first = finished_parts()
    changed = replace(first, keys=(first.keys[0], key), nicks=("root", "root"))
    body = (encode_genesis(changed), *records[0].body[1:])
    kept.write_bytes(MAGIC + encode_record(RecordKind.GENESIS, body))
    assert "root – (you) root" in crapette("games").out
    (game,) = json.loads(crapette("games", "--json").out)
    assert game["players"] == ["root", "root"]


def test_an_export_as_text_and_as_json(
    crapette: Crapette, kept: Path, tmp_path: Path
) -> None:
    """Every action stands in both; a file that is there is not written over."""
    text = crapette("games", "export", "last").out
    assert text.startswith("game ")
    assert "resign" in text
    assert "\nend " in text
    lines = [
        json.loads(line)
        for line in crapette("games", "export", ID, "--format", "json").out.splitlines()
    ]
    assert lines[0]["type"] == "genesis"
    assert lines[-1]["level"] == 5
    target = str(tmp_path / "out.txt")
    assert crapette("games", "export", "last", "-o", target).code == 0
    assert Path(target).read_text(encoding="utf-8") == text
    again = crapette("games", "export", "last", "-o", target)
    assert (again.code, "cannot be written" in again.err) == (2, True)
    assert kept.exists()


@pytest.mark.parametrize("flags", [[], ["--format", "json"], ["-o", "out.txt"]])
@pytest.mark.parametrize("damage", ["edited", "spliced", "cut"])
def test_a_damaged_log_is_exported_up_to_the_damage(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, damage: str, flags: list[str]
) -> None:
    """What is sound is written, where it breaks is told as ``replay --dump`` does."""
    monkeypatch.chdir(crapette.home.parent)
    data = bytearray(finished_log())
    if damage == "edited":
        data[len(data) // 2] ^= 1
    elif damage == "spliced":
        records = [
            encode_record(r.kind, r.body) for r in read_records(finished_log()).records
        ]
        del records[len(records) // 2]
        data = bytearray(MAGIC + b"".join(records))
    else:
        del data[-700:]
    Path("bad.crlog").write_bytes(data)
    done = crapette("games", "export", "bad.crlog", *flags)
    dumped = crapette("replay", "--dump", "bad.crlog")
    assert (done.code, done.err) == (10, dumped.err)
    assert "bad.crlog" in done.err
    assert "verify bad.crlog" in done.err
    assert len((done.out or Path("out.txt").read_text("utf-8")).splitlines()) > 5


def test_a_spliced_log_is_called_damaged_in_the_list(
    crapette: Crapette, kept: Path
) -> None:
    """And a line says which command tells more; a whole log has none."""
    assert "damaged" not in crapette("games").out
    records = [
        encode_record(r.kind, r.body) for r in read_records(finished_log()).records
    ]
    del records[len(records) // 2]
    kept.write_bytes(MAGIC + b"".join(records))
    lines = crapette("games").out.splitlines()
    assert lines[1].endswith("damaged")
    assert "crapette verify GAME" in lines[-1]
    (fields,) = json.loads(crapette("games", "--json").out)
    assert fields["status"] == "damaged"


@pytest.mark.parametrize("data", [b"", b"\x00\xff noise" * 50, b"hello\n" * 9])
def test_what_is_no_log_is_not_exported(
    crapette: Crapette, tmp_path: Path, data: bytes
) -> None:
    """The file is named, and what a log is called."""
    path = tmp_path / "other"
    path.write_bytes(data)
    done = crapette("games", "export", str(path))
    assert (done.code, done.out) == (10, "")
    assert f"{path} is no log of a game" in done.err
    assert "crapette games path" in done.err


@pytest.mark.parametrize(
    "command", [("games", "export", "last", "-o"), ("replay", "last", "--html")]
)
def test_half_an_export_is_taken_away(
    crapette: Crapette, kept: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """It would stand in the way of the next attempt; what was there before stays."""
    target = tmp_path / "out"
    with files_end_at(100):
        failed = crapette(*command, str(target))
    assert (failed.code, failed.out) == (2, "")
    assert f"{target} cannot be written: File too large" in failed.err
    assert not target.exists()
    assert crapette(*command, str(target)).code == 0
    with files_end_at(100):
        assert crapette(*command, str(target)).code == 2
    assert target.exists()
    assert kept.exists()


@pytest.mark.parametrize("name", ["x.crlog", "X.CRLOG", "x.crtimes", "x.crev"])
@pytest.mark.parametrize(
    "command",
    [("games", "export", "last", "-o"), ("replay", "last", "--html")],
)
def test_no_export_is_called_a_log(
    crapette: Crapette, kept: Path, tmp_path: Path, command: tuple[str, ...], name: str
) -> None:
    """Nobody could read it as one; another name is asked for, and nothing written."""
    before = {path.name for path in tmp_path.iterdir()}
    target = tmp_path / name
    done = crapette(*command, str(target))
    assert (done.code, done.out) == (2, "")
    assert f"only the game's own files end in {target.suffix.lower()}" in done.err
    assert "Another " in done.err
    assert {path.name for path in tmp_path.iterdir()} == before
    assert kept.exists()
    other = tmp_path / "x.crlog.txt"
    assert crapette(*command, str(other)).code == 0
    assert other.exists()


def test_times_beside_a_log_are_no_game(
    crapette: Crapette, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are exported with it, listed nowhere, and deleted with their game."""
    path = keep_times(kept, {0: 0, 1: 1500})
    (game,) = json.loads(crapette("games", "--json").out)
    assert game["file"] == str(kept)
    assert crapette("games", "path", "last").out.strip() == str(kept)
    assert crapette("games", "path", ID).out.strip() == str(kept)
    assert crapette("verify", "last").code == 0
    told = crapette("games", "export", "last", "--format", "json").out.splitlines()
    events = [json.loads(line) for line in told[1:5]]
    assert [event.get("ms") for event in events] == [0, 1500, None, None]
    assert "duration" not in crapette("games", "export", "last").out
    length = open_replay(kept.read_bytes()).length
    keep_times(kept, {seq: 1000 * seq for seq in range(length)})
    text = crapette("games", "export", "last").out
    assert f"\nduration {clock_text(length - SETUP_EVENTS)}\n" in text
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    crapette("games", "delete", ID)
    assert not kept.exists()
    assert not path.exists()


def test_times_of_another_game_are_not_exported(crapette: Crapette, kept: Path) -> None:
    """A file of that name, copied from anywhere, or damaged."""
    path = keep_times(kept, {0: 0})
    data = path.read_bytes()
    for wrong in (data[:9] + bytes(32) + data[41:], data[:20], b"", b"\xff" * 99):
        path.write_bytes(wrong)
        told = crapette("games", "export", "last", "--format", "json")
        assert (told.code, told.err) == (0, "")
        assert '"ms"' not in told.out


def test_flags_may_stand_between_the_arguments(crapette: Crapette, kept: Path) -> None:
    """What may be left out is not left out because a flag comes first."""
    orders = (
        ("games", "export", "last", "--format", "json"),
        ("games", "export", "--format", "json", "last"),
        ("games", "--format", "json", "export", "last"),
        ("games", "export", "last", "--format=json"),
    )
    exports = {crapette(*words).out for words in orders}
    assert len(exports) == 1
    assert json.loads(exports.pop().splitlines()[0])["type"] == "genesis"
    assert crapette("games", "export", "--", "--format").code == 2
    assert crapette("games", "export", "--json", "last", "more").code == 2


def test_the_text_says_what_was_agreed() -> None:
    """House rules switch by switch, and the score that a deal began at."""
    replay = open_replay(finished_log())
    assert not [line for line in log_to_text(replay) if line.startswith("match")]
    rules = replace(PRESETS["crapette"], reserve_size=11, own_waste_playable=True)
    replay.log.genesis = replace(
        replay.log.genesis, rules=rules, match=Match(2, 300, (61, 0), bytes(32))
    )
    told = [*log_to_text(replay)]
    assert "switches preset crapette, reserve_size 11, own_waste_playable yes" in told
    assert "match to 300, deal 2, began at 61-0" in told


@pytest.mark.parametrize(
    ("typed", "flags", "left"),
    [
        ("y\n", (), False),
        ("t\n", ("--lang", "pl"), False),
        ("Д\n", ("--lang", "ru"), False),
        ("y\n", ("--lang", "de"), False),
        ("j\n", ("--lang", "pl"), True),
        ("n\n", (), True),
        ("", (), True),
        ("", ("--yes",), True),
        ("", ("--no-input",), True),
    ],
)
def test_a_game_is_deleted_after_a_question_only(
    crapette: Crapette,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    flags: tuple[str, ...],
    left: bool,
) -> None:
    """``--yes`` does not answer it, and without input nothing is asked."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    done = crapette("games", "delete", ID, *flags)
    assert kept.exists() == left
    assert done.code == (3 if "--no-input" in flags else 0)
    if "--no-input" not in flags:  # what follows has a line of its own
        question, answer = done.err.splitlines()
        assert question.endswith("] ")
        assert answer.startswith("crapette: ")


def test_a_game_that_is_not_there(crapette: Crapette, kept: Path) -> None:
    """Its name is said, and where to look; nothing else happens."""
    for command in ("path", "delete", "export"):
        done = crapette("games", command, "nothing")
        assert done.code == 2
        assert "nothing" in done.err
    assert crapette("games", "delete").code == 2
    assert kept.exists()


def test_an_endless_answer_deletes_nothing(
    crapette: Crapette, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody types there, and nothing is waited for."""
    monkeypatch.setattr("sys.stdin", Endless("\0"))
    done = crapette("games", "delete", ID)
    assert (done.code, "nothing was deleted" in done.err) == (0, True)
    assert kept.exists()
