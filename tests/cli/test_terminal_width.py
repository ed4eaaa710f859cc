"""What the command line says on a terminal: broken between words, else untouched."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from crapette_p2p.cli.output import complain, facts, table, write_prose
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import encode_genesis
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record
from crapette_p2p.net.announcement import Announcement
from crapette_p2p.net.identity import load_identity
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.peers import KnownPeer, PeerBook
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.console import Console
from crapette_p2p.ui.render.cells import text_width
from crapette_p2p.ui.rulebook import sections
from crapette_p2p.ui.typed import help_lines
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log, finished_parts
from tests.cli.networks import SAID, Canned

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
termios = pytest.importorskip("termios", reason="this system has no terminals")

LANGUAGES = ("en", "de", "fr", "pl", "ru")
LONG = ("join", "192.168.1.20", "--expect-key", "nonsense")
_END = "\f"
PATH = "/home/ala/.local/share/crapette/games/20261130-0123456789abcdef.crlog"


class Terminal:
    """A pseudo-terminal that stands for a standard stream."""

    def __init__(self, columns: int) -> None:
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        self.stream = os.fdopen(slave, "w", encoding="utf-8")

    def lines(self) -> list[str]:
        """What was written."""
        self.stream.write(_END)
        self.stream.flush()
        text = b""
        while not text.endswith(_END.encode()):  # comes in pieces of any size
            text += os.read(self._master, 1 << 16)
        whole = text.decode().removesuffix(_END)
        return whole.replace("\r\n", "\n").removesuffix("\n").split("\n")

    def close(self) -> None:
        """Give it back."""
        self.stream.close()
        os.close(self._master)


@contextmanager
def terminal(
    monkeypatch: pytest.MonkeyPatch, name: str, columns: int
) -> Iterator[Terminal]:
    """Have a terminal in the place of stdout or stderr."""
    opened = Terminal(columns)
    with monkeypatch.context() as patched:
        patched.setattr(sys, name, opened.stream)
        try:
            yield opened
        finally:
            opened.close()


@pytest.mark.parametrize("columns", [40, 50])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_complaints_break_between_words(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str, columns: int
) -> None:
    """The same words in the same order as where nobody looks, in lines that fit."""
    plain = crapette("--lang", lang, *LONG)
    with terminal(monkeypatch, "stderr", columns) as shown:
        assert crapette("--lang", lang, *LONG).code == plain.code
        lines = shown.lines()
    assert " ".join(lines).split() == plain.err.split()
    assert max(map(text_width, plain.err.splitlines())) > 50
    assert max(map(text_width, lines)) <= columns


@pytest.mark.parametrize("lang", LANGUAGES)
def test_wrong_flags_break_between_words(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """What argparse complains of, too."""
    wrong = ("bot", "--level", "of-nobody-at-all")
    plain = crapette("--lang", lang, *wrong)
    with terminal(monkeypatch, "stderr", 44) as shown:
        crapette("--lang", lang, *wrong)
        lines = shown.lines()
    assert " ".join(lines).split() == plain.err.split()
    assert max(map(text_width, lines)) <= 44


def test_what_may_be_copied_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, though it is wider than the terminal, and a command that fits."""
    with terminal(monkeypatch, "stderr", 30) as shown:
        complain(f"{PATH} cannot be written", "Choose: crapette config set name NAME")
        lines = shown.lines()
    assert lines[:2] == ["crapette:", PATH]
    assert lines[-2:] == ["Choose:", "crapette config set name NAME"]


def test_results_keep_their_indent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences among results are broken likewise."""
    with terminal(monkeypatch, "stdout", 20) as shown:
        write_prose("  note: one two three four five")
        assert shown.lines() == ["  note: one two", "  three four five"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lists_and_sums_fit_the_terminal(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """With long names of rules and players, open and damaged games; a pipe is left."""
    keep_games(crapette)
    for command in (("games",), ("resume", "--list"), ("stats", "--plot")):
        told = crapette("--lang", lang, *command).out
        with terminal(monkeypatch, "stdout", 80) as shown:
            assert crapette("--lang", lang, *command).code == 0
            lines = shown.lines()
        assert max(map(text_width, lines)) <= 80
        assert " ".join(lines).split() == told.split()
    whole = crapette.home / "whole.crlog"
    whole.write_bytes(finished_log())
    verified = crapette("--lang", lang, "verify", str(whole)).out
    assert max(map(text_width, verified.splitlines())) > 80
    with terminal(monkeypatch, "stdout", 80) as shown:
        crapette("--lang", lang, "verify", str(whole))
        lines = shown.lines()
    assert max(text_width(line) for line in lines if str(whole) not in line) <= 80
    assert " ".join(lines).split() == verified.split()


def keep_games(crapette: Crapette) -> None:
    """Games of long names: finished, open, broken, and agreed on."""
    crapette("id")
    mine = load_identity(find_paths(str(crapette.home), {}).identity_key).public
    records, first = finished_parts()
    changed = replace(
        first,
        keys=(first.keys[0], mine),
        preset="russian-bank-knock",
        rules=PRESETS["russian-bank-knock"],
        nicks=("Wawrzyniec Wielki", "Aleksandra Ligia"),
    )
    body = (encode_genesis(changed), *records[0].body[1:])
    head = MAGIC + encode_record(RecordKind.GENESIS, body)
    whole = [encode_record(record.kind, record.body) for record in records[1:]]
    agreed = MAGIC + encode_record(RecordKind.GENESIS, (body[0], None, bytes(64)))
    games = crapette.home / "games"
    games.mkdir(parents=True, exist_ok=True)
    unsigned = b"".join([head, *whole[:-1]])
    logs = (
        head,
        b"".join([head, *whole]),
        head + whole[0] + whole[0],
        agreed,
        unsigned,
    )
    for number, log in enumerate(logs):
        (games / f"2026010{number + 1}-{number:016x}.crlog").write_bytes(log)


def test_what_leaves_the_rest_no_room_stands_on_a_line_of_its_own() -> None:
    """A long name, not the short ones, and their numbers stay below each other."""
    rows = [("ada", "1", "22"), ("a name of many letters", "333", "4")]
    assert table(rows, ("", "n", "m"), room=20) == [
        "     n    m",
        "ada  1    22",
        "a name of many",
        "letters",
        "     333  4",
    ]
    assert len(table(rows, ("", "n", "m"))) == 3


def test_facts_stand_below_each_other() -> None:
    """Where a letter takes two cells, or two characters one, too."""
    lines = facts([("ключ", "1"), ("名前", "2"), ("cle\u0301", "3")], indent=1)
    assert lines == [" ключ  1", " 名前  2", " cle\u0301   3"]


def test_columns_that_do_not_fit_go_on_in_the_next_line() -> None:
    """In a line as long as there is room for, each below its own."""
    rows = [("ada", "1", "22", "333"), ("bea", "4444", "5", "6")]
    assert table(rows, ("", "n", "m", "of both"), room=12) == [
        "  n     m",
        "  of both",
        "ada",
        "  1     22",
        "  333",
        "bea",
        "  4444  5",
        "  6",
    ]
    wide = table([*rows, ("c", "7", "8", "9" * 20)], ("", "n", "m", "k"), room=12)
    assert wide[-2:] == ["  7     8", "  " + "9" * 20]


@pytest.mark.parametrize("columns", [30, 40, 55, 66])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_lists_fit_a_narrow_terminal(
    crapette: Crapette,
    monkeypatch: pytest.MonkeyPatch,
    network: Canned,
    lang: str,
    columns: int,
) -> None:
    """All the words of each list, in lines that fit; plots are drawn smaller."""
    keep_games(crapette)
    key = bytes(range(32))
    book = PeerBook(find_paths(str(crapette.home), {}).peers_file)
    name = "My very own Wawrzyniec the 2nd"
    book.remember(KnownPeer(key=key, petname=name, first_seen=1_000_000_000))
    said = Announcement(
        fingerprint=fingerprint(key), nick=name, rules="russian-bank-knock", version=2
    )
    network.said = [said, SAID]
    lists = (("games",), ("resume", "--list"), ("stats",), ("lan",), ("peers",))
    for command in (*lists, ("peers", "show", name)):
        told = crapette("--lang", lang, *command).out
        with terminal(monkeypatch, "stdout", columns) as shown:
            assert crapette("--lang", lang, *command).code == 0
            lines = shown.lines()
        assert max(map(text_width, lines)) <= columns, command
        assert sorted(" ".join(lines).split()) == sorted(told.split())
    with terminal(monkeypatch, "stdout", columns) as shown:
        crapette("--lang", lang, "stats", "--plot")
        assert max(map(text_width, shown.lines())) <= columns


@pytest.mark.parametrize("columns", [30, 40, 60])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_and_keys_fit_a_narrow_terminal(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str, columns: int
) -> None:
    """All of them, in the same order; a word is broken at its hyphen at most."""
    for command in (("rules",), ("rules", "russian-bank-knock"), ("keys",)):
        told = crapette("--lang", lang, *command).out
        assert max(map(text_width, told.splitlines())) > columns
        with terminal(monkeypatch, "stdout", columns) as shown:
            assert crapette("--lang", lang, *command).code == 0
            lines = shown.lines()
        assert "".join("".join(lines).split()) == "".join(told.split())
        assert max(map(text_width, lines)) <= columns, command


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_line_mode_breaks_between_words(
    monkeypatch: pytest.MonkeyPatch, lang: str, columns: int
) -> None:
    """The rules, the table, the help, a question; a pipe gets each as one line."""
    words = words_of(lang)
    rules = PRESETS["crapette"]
    said = [s for part in sections(rules, words) for s in part.sentences]
    said += [*help_lines(words, assist=True), ""]
    question = words("play by these? [y/n, rules: hear them]") + " " + "? " * 40
    piped = io.StringIO()
    with terminal(monkeypatch, "stdout", columns) as shown:
        for sink in (sys.stdout, piped):
            console = Console(io.StringIO(), sink, interactive=True)
            console.say(said)
            console.ask(question.strip())
            console.say(["."])
        lines = shown.lines()
    assert max(map(text_width, lines)) <= columns
    whole = piped.getvalue().splitlines()
    assert max(map(text_width, whole)) > 80
    assert whole[: len(said)] == [line.replace("\u00a0", " ") for line in said]
    assert " ".join(lines).split() == " ".join(whole).split()


def test_an_invite_in_line_mode_is_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is copied; a terminal that goes on with it below joins it again."""
    invite = "crapette1:192.168.1.20:4747/" + "3F2A91C077BD0E14/" * 6
    with terminal(monkeypatch, "stdout", 40) as shown:
        console = Console(io.StringIO(), sys.stdout, interactive=True)
        console.say([f"invite {invite}"])
        assert shown.lines() == ["invite", invite]


def test_a_terminal_of_no_width_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has said how wide it is."""
    with terminal(monkeypatch, "stderr", 0) as shown:
        complain("word " * 40)
        assert len(shown.lines()) == 1
