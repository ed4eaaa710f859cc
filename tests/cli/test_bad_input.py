"""Files, variables and names that are not what they should be: a clear sentence."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.player import player_at
from crapette_p2p.session.commands import Terms
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.home import Home
from crapette_p2p.ui.house_rules import find_rules
from crapette_p2p.ui.menu_flow import MenuFlow
from crapette_p2p.ui.settings import Settings
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log
from tests.ui.harness import staged


@pytest.mark.parametrize(
    "command", ["verify", "replay --dump", "games export", "compare"]
)
def test_a_log_of_a_newer_version(
    crapette: Crapette, tmp_path: Path, command: str
) -> None:
    """Its format is named, and that a newer version may read it; exit 10."""
    path = tmp_path / "newer.crlog"
    path.write_bytes(b"CRAPLOG\x02" + finished_log()[8:])
    words = [*command.split(), str(path), *[str(path)] * (command == "compare")]
    done = crapette(*words)
    assert done.code == 10
    assert "a log of format 2; a newer version reads it" in done.out + done.err


def test_a_newer_log_among_the_games(crapette: Crapette) -> None:
    """The list has the others, and says that one could not be read."""
    games = crapette.home / "games"
    games.mkdir(parents=True)
    (games / "20260101-0123456789abcdef.crlog").write_bytes(finished_log())
    (games / "20260102-fedcba9876543210.crlog").write_bytes(
        b"CRAPLOG\x02" + finished_log()[8:]
    )
    done = crapette("games")
    assert len(done.out.splitlines()) == 2
    assert "this version cannot read: 1" in done.err


@pytest.mark.parametrize("variable", ["LC_ALL", "LC_MESSAGES", "LANG", "CRAPETTE_LANG"])
@pytest.mark.parametrize(
    "name",
    ["xx_YY", "pl_PL.UTF-8; rm -r .", "../../etc", "\x1b[31m", "C", "", "😀", "p"],
)
def test_wrong_names_of_locales(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, variable: str, name: str
) -> None:
    """They fall back to a language there is, without a word to the terminal."""
    for other in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(variable, name)
    done = crapette("stats")
    assert done.code == 0
    assert "crapette bot" in done.out
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [("a = " + "[" * 5000, "nested too deeply"), ("a = " + "9" * 5000, "too long")],
)
def test_toml_that_nobody_would_write(
    crapette: Crapette, tmp_path: Path, text: str, said: str
) -> None:
    """Config, house rules and friends are refused as any broken file is."""
    path = tmp_path / "odd.toml"
    path.write_text(text)
    done = crapette("--config", str(path), "config", "get", "port")
    assert (done.code, done.out) == (0, "4747\n")
    assert said in done.err
    done = crapette("rules", str(path))
    assert (done.code, said in done.err) == (2, True)
    crapette.home.mkdir()
    path.rename(crapette.home / "peers.toml")
    done = crapette("peers")
    assert (done.code, "is damaged" in done.err) == (7, True)


@pytest.mark.parametrize("name", ["\x1b[31mX", "A\nB", "x" * 500, "\u202eola", " "])
def test_names_that_could_drive_a_terminal(crapette: Crapette, name: str) -> None:
    """Nobody sits down under one, and no screen gets it raw."""
    for command in (["id"], ["host", "--auto", "novice", "--port", "0"]):
        done = crapette("--name", name, *command, "--no-input")
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err
        if command[0] == "host":
            assert done.code == 2
            assert "name: '" in done.err


async def test_the_menu_opens_whatever_rules_are_set(tmp_path: Path) -> None:
    """Rules that cannot be read are a page, once a table would need them."""
    paths = find_paths(str(tmp_path))

    def terms() -> Terms:
        table = find_rules("no/such.toml")
        return Terms(preset=table.label, rules=table.rules)

    home = Home(
        paths=paths,
        player=lambda name: player_at(paths, name),
        terms=terms,
        name="Ala",
    )

    async def flow(shell: Shell) -> int:
        return await MenuFlow(shell, home).run()

    settings = Settings(name="Ala", announce=False)
    async with staged(flow, settings=settings) as (stage, task):
        await stage.shows("Host a table")
        stage.type("h")
        await stage.shows("no/such.toml: No such file")
        stage.type("\r")
        await stage.shows("Host a table")
        stage.type("q")
        async with asyncio.timeout(10):
            assert await task == 0


@pytest.mark.parametrize(
    "line", ["id", "games", "bot --plain", "host --plain", "join 127.0.0.1", "resume"]
)
def test_no_place_for_the_files(tmp_path: Path, crapette: Crapette, line: str) -> None:
    """A data directory that cannot be made is named, with what to do; exit 2."""
    crapette.home.write_bytes(b"")
    done = crapette("--no-input", *line.split())
    assert done.code == 2
    place, hint = done.err.splitlines()[-2:]
    assert place.startswith(
        f"crapette: There is no place for Crapette's files at {tmp_path}"
    )
    assert hint == "Choose another: crapette --data-dir DIR"
    assert not list(tmp_path.rglob("crash-*"))


def test_an_address_that_is_none_to_listen_on(crapette: Crapette) -> None:
    """It is named, and is no failure of the machine's."""
    done = crapette("host", "--auto", "novice", "--port", "0", "--bind", "no such")
    assert (done.code, done.out) == (4, "")
    assert "no such is no address of this computer" in done.err


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "an empty file"), (b"hello\n", "another kind of file")],
)
def test_a_file_that_is_no_key(
    tmp_path: Path, crapette: Crapette, data: bytes, why: str
) -> None:
    """The complaint is about that file, and says how one with a key is made."""
    (tmp_path / "other").write_bytes(data)
    done = crapette("id", "import", str(tmp_path / "other"))
    assert done.code == 7
    assert f"holds no key of Crapette ({why})" in done.err
    assert "crapette id export FILE" in done.err
    assert "friends" not in done.err  # one's own key is all right


def test_a_key_is_never_written_over(tmp_path: Path, crapette: Crapette) -> None:
    """Neither by an export nor by an import; each says what can be done."""
    copy = str(tmp_path / "copy")
    assert crapette("id", "export", copy).code == 0
    again = crapette("id", "export", copy)
    assert again.code == 2
    assert "Choose another name" in again.err
    back = crapette("id", "import", copy)
    assert back.code == 2
    assert "You have a key already" in back.err
    assert "move yours away first" in back.err


@pytest.mark.parametrize("action", ["show", "forget", "rename"])
def test_a_player_nobody_knows(action: str, crapette: Crapette) -> None:
    """The same hint from each, and a word of what its command tells."""
    new = ["Ala"] if action == "rename" else []
    done = crapette("peers", action, "nobody", *new)
    assert (done.code, done.out) == (2, "")
    assert "called 'nobody'" in done.err
    assert "Whom you know: crapette peers" in done.err


@pytest.mark.parametrize(
    ("name", "said"),
    [("nofile", "there is no file nofile"), (".", ". is a directory, not a file")],
)
def test_a_key_file_that_cannot_be_read(
    name: str, said: str, crapette: Crapette
) -> None:
    """A wrong argument like any other, and no word of a key that would be ours."""
    done = crapette("id", "import", name)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Your key" not in done.err


@pytest.mark.parametrize("arguments", [["--help"], ["host", "--help"]])
def test_help_where_its_letters_cannot_be_written(arguments: list[str]) -> None:
    """A terminal without the language's letters gets them spelt, and no bug report."""
    command = [sys.executable, "-m", "crapette_p2p", "--lang", "pl", *arguments]
    environ = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, env=environ, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u0142" in done.stdout


_READERS = (
    *("verify", "replay --dump", "games export", "compare finished", "id import"),
    *("legal --position", "perft --depth 1 --position", "play --position"),
    *("rules", "bot --plain --rules", "host --auto novice --port 0 --rules"),
    "arena --a novice --b novice --deals 1 --rules",
)
_NO_FILE = {
    "en": "it is no regular file",
    "de": "es ist keine gewöhnliche Datei",
    "fr": "ce n'est pas un fichier ordinaire",
    "pl": "to nie jest zwykły plik",
    "ru": "это не обычный файл",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize("command", _READERS)
def test_no_reader_waits_at_a_pipe_or_a_device(
    crapette: Crapette, tmp_path: Path, command: str
) -> None:
    """Nobody may ever write into it: the name is refused before it is opened."""
    (tmp_path / "finished").write_bytes(finished_log())
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = [
        str(tmp_path / word) if word == "finished" else word for word in command.split()
    ]
    for name in (str(pipe), "/dev/zero"):
        done = crapette(*words, name)
        assert done.code in (2, 7, 10)
        assert name in done.err
        assert "it is no regular file" in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize("lang", _NO_FILE)
def test_a_pipe_for_a_config_file_is_told_of(
    crapette: Crapette, tmp_path: Path, lang: str
) -> None:
    """In the player's language; the defaults are used."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = crapette("--lang", lang, "--config", str(pipe), "config", "get", "port")
    assert (done.code, done.out) == (0, "4747\n")
    assert _NO_FILE[lang] in done.err


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="this system has no /dev/fd")
def test_a_pipe_that_is_open_here_is_read(crapette: Crapette) -> None:
    """As ``crapette verify <(xzcat game.xz)`` has it, however slowly it is filled."""
    reading, writing = os.pipe()
    filler = threading.Thread(target=_fill, args=(writing, finished_log()))
    filler.start()
    try:
        assert crapette("verify", f"/dev/fd/{reading}").code == 0
    finally:
        os.close(reading)  # lets a filler go that nobody reads from any more
        filler.join(10)


def _fill(writing: int, content: bytes) -> None:
    with suppress(BrokenPipeError), os.fdopen(writing, "wb", 0) as file:
        for at in range(0, len(content), 1000):
            file.write(content[at : at + 1000])


@pytest.mark.parametrize(
    "line",
    [
        *("bot --rules", "host --rules", "host --port", "join here --expect-key"),
        *("config get --config", "stats --data-dir", "replay last --html"),
        *("arena --a novice --b novice --deals 1 --resume", "resume --address"),
    ],
)
def test_an_empty_value_is_no_value(crapette: Crapette, line: str) -> None:
    """``--rules "$RULES"`` with nothing in it must not play by other rules."""
    for words in ([*line.split(), ""], [*line.split()[:-1], f"{line.split()[-1]}="]):
        done = crapette(*words)
        assert done.code == 2
        assert f"{line.split()[-1]}: expected one argument" in done.err


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("de", "--rules braucht einen Wert"),
        ("fr", "--rules demande une valeur"),
        ("pl", "--rules wymaga wartości"),
        ("ru", "--rules: нужно значение"),
    ],
)
def test_an_empty_value_is_told_of(
    crapette: Crapette, lang: str, sentence: str
) -> None:
    """In the player's language."""
    done = crapette("--lang", lang, "bot", "--rules", "")
    assert (done.code, sentence in done.err) == (2, True)


def test_the_rules_of_no_name(crapette: Crapette) -> None:
    """No preset, and not the usual one either."""
    done = crapette("rules", "")
    assert (done.code, "no preset ''" in done.err) == (2, True)


@pytest.mark.parametrize(
    "command",
    ["join 192.0.2.1 --timeout", "lan --wait", "resume --wait", "verify x --jobs"],
)
@pytest.mark.parametrize("number", ["0", "-1"])
def test_a_number_out_of_range(crapette: Crapette, command: str, number: str) -> None:
    """It stands as it was typed, with what would be taken and where to read more."""
    words = command.split()
    done = crapette(*words, number)
    assert (done.code, done.out) == (2, "")
    told, hint = done.err.splitlines()
    assert f"{words[-1]}: " in told
    wanted = "1 or more" if "--jobs" in words else "more than 0 seconds"
    assert wanted in told
    assert re.search(rf"(?<![\d.-]){number}(?![\d.])", told)
    assert hint == f"See: crapette {words[0]} --help"


def test_what_is_no_number_of_seconds(crapette: Crapette) -> None:
    """What is no number at all is told as for any other flag."""
    done = crapette("lan", "--wait", "long")
    assert (done.code, "--wait needs a number, not 'long'" in done.err) == (2, True)


@pytest.mark.parametrize("command", [["rules"], ["games"], ["config", "get", "lang"]])
def test_a_language_of_the_environment_that_there_is_not(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """Said once, by commands that read no settings too, and it goes on."""
    monkeypatch.setenv("CRAPETTE_LANG", "xx")
    done = crapette(*command)
    assert done.code == 0
    (line,) = (text for text in done.err.splitlines() if "CRAPETTE_LANG" in text)
    assert "'xx'" in line
    assert "pl, ru, fr, de, en" in line
    assert "CRAPETTE_LANG" not in crapette("-q", *command).err
    monkeypatch.setenv("CRAPETTE_LANG", "de")
    assert "CRAPETTE_LANG" not in crapette(*command).err


def test_a_poor_guess_is_none(crapette: Crapette) -> None:
    """A setting that resembles none is not asked about; a typing error is."""
    done = crapette("config", "set", "nosuch", "1")
    assert (done.code, "did you mean" in done.err) == (2, False)
    assert "did you mean announce" in crapette("config", "set", "anounce", "1").err
