"""``crapette`` alone: the menu in lines."""

from __future__ import annotations

import io

import pytest

from crapette_p2p.cli.menu import CHOICES
from crapette_p2p.cli.menu import COMMANDS as CHOSEN
from crapette_p2p.cli.parser import COMMANDS
from tests.cli.commands import Crapette
from tests.helpers.endless import Endless


def test_every_choice_is_a_command() -> None:
    """What the menu offers can be typed as well."""
    assert CHOICES.keys() == CHOSEN.keys()
    for command in CHOSEN.values():
        assert not command or command[0] in COMMANDS


def test_choosing(crapette: Crapette, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter runs its command; an unknown one is asked again."""
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n?\n"))
    done = crapette("--plain")
    assert done.code == 0
    assert "h  host a table" in done.out
    assert "choose one of these" in done.err
    assert "garibaldka" in done.out


@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("? garibaldka\n", 0, "Garibaldka"),
        ("P nowhere.crlog\n", 2, "there is no file or game nowhere.crlog"),
        ("p\n", 2, "no game has been played here"),
        ("? 'house rules.toml'\n", 2, "house rules.toml"),
        ("j 1.2.3.4 99999\n", 2, "'99999' is no port"),
        ("b --level nobody\n", 2, "--level"),
        ("t\n", 0, "No game has been played"),
        ("s get pace\n", 0, "350"),
    ],
)
def test_what_follows_a_letter_goes_with_it(
    crapette: Crapette,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    code: int,
    said: str,
) -> None:
    """An address, a level, a file: as behind the command on a command line."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    done = crapette("--plain")
    assert "more can follow: b --level novice" in done.out
    assert done.code == code
    assert said in done.out.split("\n> ")[1] + done.err


@pytest.mark.parametrize("typed", ["q\n", ""])
def test_quitting(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """Q and the end of the input leave."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert crapette("--plain").code == 0


def test_an_endless_answer(crapette: Crapette, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody types there: that is the end of the input."""
    monkeypatch.setattr("sys.stdin", Endless("\0"))
    assert crapette("--plain").code == 0


def test_without_a_terminal(crapette: Crapette) -> None:
    """Without a terminal exit 3; where nothing may be asked, usage."""
    done = crapette()
    assert done.code == 3
    assert len(done.err.splitlines()) == 2
    assert crapette("--no-input").code == 2
