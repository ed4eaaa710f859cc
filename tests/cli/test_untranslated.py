"""Every word of every answer comes from a catalogue, or is a name of something.

The commands run in a made-up language whose letters are Greek: what is left in
Latin letters was never looked up. A new sentence that no catalogue can translate
fails here, whichever command says it.
"""

from __future__ import annotations

import html
import io
import json
import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from crapette_p2p.cli.parser import COMMANDS
from crapette_p2p.engine.ruleset import CHOICES, PRESETS, SWITCHES
from crapette_p2p.ui import catalogues
from crapette_p2p.ui.settings import KEYS
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log
from tests.cli.test_positions import POSITION
from tests.helpers.greek import GREEK, greek


@pytest.fixture
def home(crapette: Crapette, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which everything stands that a command may speak of."""
    monkeypatch.setattr(catalogues, "_read", lambda _lang: GREEK)
    monkeypatch.setenv("CRAPETTE_LANG", "pl")
    monkeypatch.setenv("CRAPETTE_PLAIN", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    assert crapette("id").code == 0
    games = crapette.home / "games"
    games.mkdir(exist_ok=True)
    log = finished_log()
    (games / "20260101-0123456789abcdef.crlog").write_bytes(log)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    for name, part in (("a", log), ("cut", log[:-900]), ("bent", bent(log))):
        (tmp_path / f"{name}.crlog").write_bytes(part)
    (tmp_path / "p.json").write_text(json.dumps(POSITION))
    (tmp_path / "dir").mkdir()
    return tmp_path


def bent(log: bytes) -> bytes:
    """A log with one byte of an event changed."""
    at = len(log) // 2
    return log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]


FILES: Final = {
    "empty.toml": b"",
    "bad.toml": b"reserve_size = = 3",
    "unclosed.toml": b'space_sources = ["drawn"',
    "size.toml": b"reserve_size = 3",
    "switch.toml": b"\nnope = 3",
    "value.toml": b"enforcement = 3",
    "preset.toml": b'preset = "nope"',
    "sources.toml": b'space_sources = ["x"]',
    "duty.toml": b"foundation_duty = false",
    "name.toml": b"name = 3",
    "noise.toml": b"\xff\xfe\x00",
    "good.toml": b'name = "Sunday"\npreset = "crapette"\nreserve_size = 11',
    "noise.json": b"\xff\xfe",
    "half.json": b'{"format": ',
    "nan.json": b"NaN",
    "none.json": b"{}",
    "array.json": b"[{}, 3]",
    "empty.json": b"",
    "noise.crlog": b"\xff\xfe\x00" * 50,
    "next.crlog": b"CRAPLOG\x02" + b"\0" * 50,
}

PLAYING: Final = "arena --a novice --b novice --deals"
COMMAND_LINES: Final = (
    *(
        "stats",
        "stats --plot",
        "games",
        "games list",
        "games export last",
        "games path",
    ),
    *("games export nope", "games export bent.crlog", "games delete nope"),
    *("games export last -o dir", "games delete", "games show", "games delete last"),
    *(f"verify {f}.crlog" for f in ("a", "cut", "bent", "noise", "next")),
    *("verify nowhere", "verify dir", "verify --jobs 0 a.crlog", "verify"),
    *(f"compare a.crlog {f}" for f in ("cut.crlog", "bent.crlog", "next.crlog", "dir")),
    *(f"replay {f}.crlog" for f in ("noise", "next", "bent", "cut")),
    *("replay a.crlog --at turn:999", "replay a.crlog --at x", "replay --at move:1"),
    *("replay a.crlog --speed 99", "replay a.crlog --svg a.crlog"),
    *("replay a.crlog --html dir", "replay a.crlog --html a.crlog"),
    *(f"legal --position {name}" for name in ("p.json", "dir", "gone", "noise.json")),
    *(f"legal --position {f}.json" for f in ("half", "nan", "array", "empty", "none")),
    *(
        f"legal --position p.json --rules {f}"
        for f in ("nope", "bad.toml", "duty.toml")
    ),
    *("legal", "perft --position p.json", "perft --position p.json --depth x"),
    *("perft --position p.json --depth 999", "play --position array.json turn"),
    *(
        f"play --position p.json {m}"
        for m in ("", "turn", "1-F", "nope", "R-OW", "pass")
    ),
    *(f"play --position p.json {m}" for m in ("grant", "1-2=KH", "stop R-OW", "1-1")),
    *("play --position p.json resign A", "play --position p.json 4-F", "play"),
    *(f"rules {name}" for name in FILES if name.endswith(".toml")),
    *("rules", "rules nope", "rules dir", "rules russian-bank"),
    *("keys", "id", "id export dir", "id import noise.json", "id import gone"),
    *("peers", "peers show nope", "peers rename nope b", "peers forget nope"),
    *("peers nope", "config", "config get nope", "config set nope 1"),
    *("config set pace x", "config set pace 99999", "config set lang xx"),
    *("config unset nope", "config nope", "config path", "config set name A"),
    *("join", "join host:", "join [::1", "join 1.2.3.4:99999", "join crapette1:x"),
    *("join a b c d", "join 127.0.0.1 1 --timeout 1", "join '' --timeout 1"),
    *(
        "host --port x",
        "host --port 99999",
        "host --bind 203.0.113.7",
        "host --match 0",
    ),
    *("host --rules nope", "host --nonsense", "host --auto x", "host --port"),
    *(
        "bot --level x",
        "bot --rules size.toml",
        "bot --rules gone.toml",
        "bot --match x",
    ),
    *("bot", "bot --speak", "resume", "resume --list", "resume nope", "lan --wait x"),
    *(f"{PLAYING} 1 --nodes 5", f"{PLAYING} 1 --nodes 5 -v", f"{PLAYING} 0"),
    *(f"{PLAYING} 1 --nodes 5 --resume a.crlog", "arena --a x", "completion"),
    *("completion nope", "doctor", "--lang xx stats", "jion", "--nonsense"),
    *(
        "--name '\x1b[2J' bot",
        "--config dir config",
        "--theme x bot",
        "--data-dir p.json id",
    ),
    *(
        "--config bad.toml stats",
        "--config noise.toml stats",
        "--config size.toml stats",
    ),
    *("--help", *(f"{name} --help" for name in COMMANDS)),
)
"""What is run: every command, with what it answers and with what it refuses."""
NAMES: Final = frozenset(
    {
        *COMMANDS,
        *SWITCHES,
        *KEYS,
        *(value for values in CHOICES.values() for value in values),
        *(word for preset in PRESETS for word in preset.split("-")),
        # What players, bots and files are called
        *("Ala", "Olek", "Sunday", "novice", "club", "master", "baseline", "root"),
        # Actions in the notation of the rules, and positions in the format of dumps
        *("turn", "discard", "pass", "stop", "resign", "grant", "offer", "decline"),
        *(
            "draw",
            "leave",
            "lay",
            "out",
            "the",
            "end",
            "reserve",
            "stock",
            "drawn",
            "waste",
            "space",
        ),
        # Keys as they are called on keyboards
        *("Esc", "Enter", "Ctrl", "Home", "End", "PgUp", "PgDn", "Tab"),
        # Values of settings
        *(
            "four",
            "confirm",
            "true",
            "false",
            "local",
            "symbols",
            "auto",
            "default",
            "last",
            "shell",
        ),
    }
)
"""Names of commands, switches, settings, players, keys, and their values."""
NO_WORDS: Final = re.compile(
    r"--?[\w-]+"  # flags
    r"|\{[^}]*\}|'[^']*'"  # choices, and what was typed
    r"|\([a-z][a-z_-]+\)|[a-z]+(?:-[a-z]+)+"  # codes
    r"|[\w.|]*[/\\.|:][\w./\\|:-]*"  # files, metavars
    r"|[A-Z0-9]{2,}|[0-9a-f]{8,}"  # metavars, ids
)
TERMS: Final = ("karta", "odkryta", "cart", "carte", "Crapette", "»", "stop")
"""In lines with these the rules say what a thing is called in their own country."""


def latin(text: str, line: str) -> set[str]:
    """Words in Latin letters that nobody typed and that are no names."""
    said = set[str]()
    for row in text.splitlines():
        left = set(re.findall(r"[A-Za-z]{3,}", NO_WORDS.sub(" ", row))) - NAMES
        said |= left - set(re.findall(r"\w+", line))
    return said


@pytest.mark.slow
@pytest.mark.parametrize("line", COMMAND_LINES)
def test_nothing_is_said_that_cannot_be_translated(
    home: Path, crapette: Crapette, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Answers, complaints, hints and help are in the language of the run."""
    assert home.is_dir()
    monkeypatch.setattr("sys.stdin", io.StringIO("leave\n"))
    done = crapette(*shlex.split(line))
    assert done.code != 1
    assert not latin(done.out + done.err, line)


def test_the_pictures_of_a_game_are_translated(home: Path, crapette: Crapette) -> None:
    """Piles and caption; the card's own letters stand for themselves."""
    assert crapette("replay", "a.crlog", "--svg", "pictures").code == 0
    first = (home / "pictures" / "0000.svg").read_text(encoding="utf-8")
    text = re.sub(r"<style>.*?</style>", "", first, flags=re.DOTALL)
    said = re.findall(r"[A-Za-z]{3,}", html.unescape(re.sub(r"<[^>]*>", " ", text)))
    assert set(said) <= {"Ala", "Olek"}


def test_the_page_of_a_game_is_translated(home: Path, crapette: Crapette) -> None:
    """Captions, keys and what the script says; JavaScript and styles are not words."""
    assert crapette("replay", "a.crlog", "--html", "page.html").code == 0
    page = (home / "page.html").read_text(encoding="utf-8")
    assert '<html lang="pl">' in page
    text = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not latin(html.unescape(re.sub(r"<[^>]*>", " ", text)), "")
    told = json.loads(re.findall(r"const sentences=(\{.*?\});", page)[0])
    assert told["turn"] == greek("turn ") + "#"
    assert not latin(" ".join(told.values()), "")
