"""``crapette bot``: whole games over a real connection on the loopback."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest

from crapette_p2p.engine.actions import ACCEPT_DRAW, OFFER_DRAW, Action
from crapette_p2p.engine.position import Position
from crapette_p2p.net.autoplay import Chooser
from crapette_p2p.net.files import Disk
from tests.cli.commands import Crapette


def homes(crapette: Crapette) -> list[Path]:
    """The homes of bots with a game that can go on."""
    return list((crapette.home / "bots").glob("*"))


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Put lines on standard input."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{x}\n" for x in lines)))


@pytest.mark.slow
def test_bot_against_bot_verifies_its_log(crapette: Crapette) -> None:
    """With --auto a whole game is played and its log checked to level 5."""
    done = crapette("bot", "--auto", "club", "--level", "club", "--plain")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[-1] == "verified: every signature, shuffle and move (level 5 of 5)."
    assert crapette("replay", "last", "--json").code == 0
    assert homes(crapette) == []


def draws(*_args: object, **_kwargs: object) -> Chooser:
    """A chooser that offers a draw and takes one."""

    def chosen(position: Position, seat: int) -> Action | None:
        if position.offer is None:
            return OFFER_DRAW if seat == position.active else None
        return ACCEPT_DRAW if seat != position.offer else None

    return chosen


def test_bots_that_agree_on_a_draw_are_watched_to_the_end(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No score reaches the target then, and no deal follows all the same."""
    monkeypatch.setattr("crapette_p2p.net.autoplay.bot_chooser", draws)
    monkeypatch.setattr("crapette_p2p.net.sparring.bot_chooser", draws)
    done = crapette("bot", "--auto", "novice", "--plain")
    assert done.code == 0
    assert "level 5 of 5" in done.out.splitlines()[-1]


@pytest.mark.parametrize("lang", ["de", "fr", "pl", "ru"])
def test_bots_are_watched_in_the_language_of_the_run(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """Every line of it, as of a host that a bot plays."""
    monkeypatch.setattr("crapette_p2p.net.autoplay.bot_chooser", draws)
    monkeypatch.setattr("crapette_p2p.net.sparring.bot_chooser", draws)
    english = crapette("--data-dir", str(crapette.home / "en"), "bot", "--auto", "club")
    done = crapette("--lang", lang, "bot", "--auto", "club")
    assert (english.code, done.code) == (0, 0)
    same = {*english.out.splitlines()} & {*done.out.splitlines()}
    assert same == set()


@pytest.mark.slow
def test_an_interrupted_game_goes_on(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leaving keeps the game; the next ``bot`` goes on with it to its end."""
    typed(monkeypatch, "space d", "space d")
    first = crapette("bot", "--plain", "--level", "novice", "--seed", "1")
    assert first.code == 0
    assert first.out.splitlines()[-1] == "no more input: leaving, the game is saved."
    assert len(homes(crapette)) == 1
    typed(monkeypatch, "who", "resign", "y", "leave")
    second = crapette("bot", "--plain")
    assert second.code == 0
    assert "the game goes on." in second.out
    assert "novice bot wins: you resigned." in second.out
    assert homes(crapette) == []
    assert crapette("peers", "list").out.count("bot") == 0


@pytest.mark.slow
def test_house_rules_and_matches(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A bot plays by a file of house rules, and a match goes on after a deal."""
    rules = tmp_path / "ours.toml"
    rules.write_text('name = "Sunday"\npreset = "russian-bank"\nreserve_size = 11\n')
    typed(monkeypatch, "resign", "y", "y", "leave")
    done = crapette("bot", "--plain", "--rules", str(rules), "--match", "2")
    assert done.code == 0
    assert "rules: Sunday, match to 2, assist off." in done.out
    assert "rules: Sunday, match to 2, deal 2, assist off." in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--match", "0"],
        ["--match", "9" * 20],
        ["--rules", "whist"],
        ["--level", "god"],
        ["--seed", "x"],
        ["--think", "0"],
    ],
)
def test_wrong_use(crapette: Crapette, arguments: list[str]) -> None:
    """Wrong flags end with 2 before anything is opened."""
    done = crapette("bot", "--plain", *arguments)
    assert done.code == 2
    assert len(done.err.splitlines()) == 2


_FULL = {
    "en": "games cannot be written: No space left on device.",
    "de": "games lässt sich nicht schreiben: ",
    "fr": "games ne peut être écrit\u00a0: ",
    "pl": "Nie można zapisać ",
    "ru": "Не удаётся записать ",
}


@pytest.mark.parametrize("lang", _FULL)
def test_a_full_disk_is_told_of_before_anybody_sits_down(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """By a sentence that names the place, in front of the first line of a game."""

    def full(_disk: Disk, _fd: int, _data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    crapette("id")
    monkeypatch.setattr(Disk, "write", full)
    for command in ("host --auto novice --json --port 0", "join 127.0.0.1 1 --json"):
        done = crapette("--lang", lang, *command.split())
        assert (done.code, done.out) == (2, "")
        assert f"{crapette.home / 'games'} cannot be written" in done.err
    done = crapette("--lang", lang, "host", "--auto", "novice", "--port", "0")
    assert (done.code, done.out) == (2, "")
    assert _FULL[lang] in done.err


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "No space left on device."),
        ("de", "kein Platz mehr auf der Platte."),
        ("fr", "plus de place sur le disque."),
        ("pl", "brak miejsca na dysku."),
        ("ru", "на диске нет места."),
    ],
)
def test_a_disk_that_fills_up_in_a_game_that_is_watched(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, lang: str, sentence: str
) -> None:
    """The file and the reason are named, by no code."""
    left = [40]
    write = Disk.write

    def filling(disk: Disk, fd: int, data: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(disk, fd, data)

    monkeypatch.setattr(Disk, "write", filling)
    line = ["bot", "--auto", "novice", "--level", "novice", "--plain", "--seed", "1"]
    done = crapette("--lang", lang, *line)
    assert done.code in (2, 8)
    assert sentence in done.err
    assert "cannot-write" not in done.err
    assert "peer-" not in done.err


def test_the_help_says_when_a_left_game_goes_on(crapette: Crapette) -> None:
    """Else whoever wants a new one finds himself in the old."""
    done = crapette("bot", "--help")
    assert "begins a new game" in " ".join(done.out.split())
