"""``crapette replay``: dumps, JSON lines, pages and pictures of a log."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from crapette_p2p.engine import parse_position, position_to_json
from crapette_p2p.gamelog.replay import open_replay
from crapette_p2p.gamelog.times import encode_header, encode_time
from crapette_p2p.net.times import times_path
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log
from tests.helpers.fakegame import FakeGame, file_of, make_genesis
from tests.ui.test_replay_app import played_log

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The game as a file."""
    path = tmp_path / "game.crlog"
    path.write_bytes(finished_log())
    return path


def lines_of(text: str) -> list[dict[str, object]]:
    """JSON lines as values."""
    return [json.loads(line) for line in text.splitlines()]


def test_json_lines(crapette: Crapette, log: Path) -> None:
    """One object an event that changes the table, each with a readable position."""
    done = crapette("replay", str(log), "--dump", "--json")
    lines = lines_of(done.out)
    assert (done.code, done.err) == (0, "")
    assert len(lines) > 20
    assert lines[0]["n"] == 0
    for line in lines:
        assert {"n", "seq", "move", "position"} <= set(line)
        shown = line["position"]
        assert isinstance(shown, dict)
        shown.pop("offence", None)  # output only
        assert position_to_json(parse_position(shown)) == shown
    assert crapette("replay", str(log), "--json").out == done.out


def test_text(crapette: Crapette, log: Path) -> None:
    """The same as text, one block a position."""
    done = crapette("replay", str(log), "--dump")
    blocks = done.out.strip().split("\n\n")
    assert done.code == 0
    assert blocks[0].startswith("0 the lay-out\n")
    assert len(blocks) == len(lines_of(crapette("replay", str(log), "--json").out))
    assert crapette("replay", str(log), "--plain").out == done.out


@pytest.mark.parametrize(
    ("at", "first"), [("move:0", "0 "), ("move:5", "5 "), ("turn:1", "0 ")]
)
def test_one_moment(crapette: Crapette, log: Path, at: str, first: str) -> None:
    """``--at`` picks one position."""
    done = crapette("replay", str(log), "--dump", "--at", at)
    assert done.out.startswith(first)
    assert len(done.out.strip().split("\n\n")) == 1
    assert len(lines_of(crapette("replay", str(log), "--json", "--at", at).out)) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--at", "turn:9999"],
        ["--at", "move:9999"],
        ["--at", "turn:0"],
        ["--at", "5"],
        ["--at", "turn:x"],
        ["--speed", "0"],
        ["--speed", "nan"],
        ["--speed", "fast"],
    ],
)
def test_wrong_use(crapette: Crapette, log: Path, arguments: list[str]) -> None:
    """Moments and speeds that do not exist are refused with 2."""
    done = crapette("replay", str(log), "--dump", *arguments)
    assert done.code == 2
    assert arguments[1] in done.err


def test_a_moment_that_is_not_there_is_told_how_many_are(
    crapette: Crapette, tmp_path: Path
) -> None:
    """One of each is no plural."""
    path = tmp_path / "short.crlog"
    path.write_bytes(played_log(moves=1))
    done = crapette("replay", str(path), "--dump", "--at", "move:9")
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "crapette: --at move:9: the game has 1 turn, 1 move",
    )


def test_standard_input(
    crapette: Crapette, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``-`` reads the log from standard input."""
    source = io.TextIOWrapper(io.BytesIO(log.read_bytes()))
    monkeypatch.setattr("sys.stdin", source)
    assert crapette("replay", "-", "--json").out == (
        crapette("replay", str(log), "--json").out
    )


def test_games_of_ones_own(crapette: Crapette, log: Path) -> None:
    """``last`` and the beginning of an id name one's own games."""
    assert crapette("replay", "last", "--dump").code == 2
    games = crapette.home / "games"
    games.mkdir(parents=True)
    (games / "20260101-0123456789abcdef.crlog").write_bytes(log.read_bytes())
    expected = crapette("replay", str(log), "--json").out
    for name in ("last", "0123", "20260101-0123456789abcdef"):
        assert crapette("replay", name, "--json").out == expected
    assert crapette("replay", "fedc", "--json").code == 2


@pytest.mark.parametrize("content", [b"", b"\x00\xff" * 99, b"CRAPLOG\x01", b"{}"])
def test_no_log_is_ten(crapette: Crapette, tmp_path: Path, content: bytes) -> None:
    """A file that is no log ends with 10 and says so in two lines."""
    path = tmp_path / "noise"
    path.write_bytes(content)
    done = crapette("replay", str(path), "--dump")
    assert done.code == 10
    assert len(done.err.splitlines()) == 2
    assert str(path) in done.err


def test_no_file_is_two(crapette: Crapette, tmp_path: Path) -> None:
    """A missing file and a directory end with 2."""
    for name in ("missing", "."):
        done = crapette("replay", str(tmp_path / name), "--dump")
        assert done.code == 2
        assert len(done.err.splitlines()) == 2


@pytest.mark.parametrize("form", ["--dump", "--json"])
def test_a_torn_log_says_where_it_ends(
    crapette: Crapette, log: Path, form: str
) -> None:
    """What is whole is shown, the torn record is named; exit 10."""
    whole = crapette("replay", str(log), form).out
    torn = log.with_name("torn.crlog")
    torn.write_bytes(log.read_bytes()[:-1_000])
    done = crapette("replay", str(torn), form)
    assert done.code == 10
    assert whole.startswith(done.out)
    assert re.search(r"torn.crlog ends within record \d+", done.err)
    assert len(done.err.splitlines()) == 2


def test_a_game_that_never_began_has_nothing_to_show(
    crapette: Crapette, tmp_path: Path
) -> None:
    """There is no table to show, and that is said, as on the screen with 10."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    kind, (genesis, _, sig1) = game.records[0]
    path = tmp_path / "accepted.crlog"
    for data, why in (
        (file_of([(kind, (genesis, None, sig1))]), "is of a game that never began"),
        (game.data, "ends before any card was dealt"),
    ):
        path.write_bytes(data)
        done = crapette("replay", str(path), "--dump")
        assert (done.code, done.out) == (10, "")
        assert why in done.err


def test_a_broken_log_plays_up_to_the_break(crapette: Crapette, log: Path) -> None:
    """What can be read is shown; where it breaks and why is said; exit 10."""
    whole = crapette("replay", str(log), "--json").out.splitlines()
    data = bytearray(log.read_bytes())
    data[-2_000] ^= 1
    log.write_bytes(data)
    done = crapette("replay", str(log), "--json")
    assert done.code == 10
    assert "breaks at record" in done.err
    assert 0 < len(done.out.splitlines()) <= len(whole)
    assert done.out.splitlines()[:3] == whole[:3]


def test_pictures(crapette: Crapette, log: Path, tmp_path: Path) -> None:
    """One well-formed picture a position, everything inside its frame."""
    target = tmp_path / "pictures"
    done = crapette("replay", str(log), "--svg", str(target))
    files = sorted(target.glob("*.svg"))
    told = f"{len(files)} pictures are written into the directory {target}\n"
    assert (done.code, done.out) == (0, told)
    assert crapette("replay", str(log), "--svg", str(target), "--json").out == ""
    assert len(files) == len(crapette("replay", str(log), "--json").out.splitlines())
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert path.stem == "0000" or f">{int(path.stem)}, " in text
        root = ET.fromstring(text)  # noqa: S314 - ours
        _, _, width, height = map(int, root.attrib["viewBox"].split())
        for box in root.iter(f"{SVG}rect"):
            x, y = int(box.attrib["x"]), int(box.attrib["y"])
            assert 0 <= x <= width - 50
            assert 0 <= y <= height - 70


def test_a_page(crapette: Crapette, log: Path, tmp_path: Path) -> None:
    """One file with a figure a position that loads nothing."""
    target = tmp_path / "game.html"
    done = crapette("replay", str(log), "--html", str(target))
    assert (done.code, done.out) == (0, f"the web page is written: {target}\n")
    text = target.read_text(encoding="utf-8")
    count = len(crapette("replay", str(log), "--json").out.splitlines())
    assert text.count("<figure ") == count
    assert "http" not in text.replace("http-equiv", "")
    assert "default-src 'none'" in text
    flipped = tmp_path / "flipped.html"
    crapette("replay", str(log), "--html", str(flipped), "--flip")
    assert flipped.read_text(encoding="utf-8") != text


def test_a_page_has_the_times_that_lie_beside_its_log(
    crapette: Crapette, log: Path, tmp_path: Path
) -> None:
    """Those of a game of one's own; a log from a pipe has none."""
    replay = open_replay(log.read_bytes())
    records = [encode_time(seq, 10 * seq) for seq in range(replay.length)]
    times_path(log).write_bytes(
        encode_header(replay.log.game_id) + b"".join(records[:40])
    )
    target = tmp_path / "game.html"
    assert crapette("replay", str(log), "--html", str(target)).code == 0
    assert 'data-ms="110"' in target.read_text(encoding="utf-8")
    times_path(log).unlink()
    assert crapette("replay", str(log), "--html", str(target)).code == 0
    assert "data-ms" not in target.read_text(encoding="utf-8")


def test_places_that_cannot_be_written(crapette: Crapette, log: Path) -> None:
    """A target that cannot be written is named; exit 2."""
    for flag in ("--html", "--svg"):
        done = crapette("replay", str(log), flag, str(log / "below"))
        assert done.code == 2
        assert "cannot be written" in done.err


def test_a_page_does_not_take_the_place_of_a_log(crapette: Crapette, log: Path) -> None:
    """An older page is written over, a game is not: it would be lost."""
    page = log.with_suffix(".html")
    page.write_bytes(finished_log())
    for target, said in ((log, "only the game's own"), (page, "cannot be written")):
        done = crapette("replay", str(log), "--html", str(target))
        assert (done.code, said in done.err) == (2, True)
        assert target.read_bytes() == finished_log()
    page.write_text("an older page", encoding="utf-8")
    assert crapette("replay", str(log), "--html", str(page)).code == 0
    assert page.read_text(encoding="utf-8").startswith("<!")


def test_without_a_screen(crapette: Crapette, log: Path) -> None:
    """Where there is no terminal and nothing may be asked, exit 3."""
    assert crapette("replay", str(log), "--no-input").code == 3


def test_what_is_there_but_can_be_no_log(crapette: Crapette) -> None:
    """A missing file is a slip of usage; a device that never ends is no log."""
    assert crapette("verify", "missing.crlog").code == 2
    assert crapette("verify", "/dev/zero").code == 10
