"""Two players of one name."""

from __future__ import annotations

import pytest

from crapette_p2p.engine import TURN, play
from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.play.scribe import Scribe
from crapette_p2p.ui.told_apart import told_apart
from tests.ui.boards import board


def test_different_names_stay_as_they_are() -> None:
    """Nothing is marked where nothing can be mixed up."""
    assert told_apart(("Ala", "Olek"), 1, ENGLISH) == ("Ala", "Olek")


@pytest.mark.parametrize("nicks", [("root", "root"), ("Root", "rOOT")])
def test_ones_own_of_two_alike_is_marked(nicks: tuple[str, str]) -> None:
    """The mark is no part of any name, and in the reader's language."""
    assert told_apart(nicks, 0, ENGLISH) == (f"(you) {nicks[0]}", nicks[1])
    assert told_apart(nicks, 1, ENGLISH) == (nicks[0], f"(you) {nicks[1]}")
    assert told_apart(nicks, None, ENGLISH) == (f"(A) {nicks[0]}", f"(B) {nicks[1]}")
    assert not is_valid_nick(told_apart(nicks, 0, ENGLISH)[0])
    marks = {told_apart(nicks, 0, words_of(lang))[0] for lang in ("pl", "ru", "de")}
    assert len(marks) == 3


def test_the_mark_outlives_a_long_name() -> None:
    """The log cuts names; the two heads still differ."""
    heads = set()
    for seat in (0, 1):
        start = board(columns=["KH"] * 8, active=seat)
        scribe = Scribe(told_apart(("Maksymilian Krzysztof",) * 2, 0, ENGLISH))
        scribe.record(seat, TURN, start, play(start, seat, TURN))
        heads.add(scribe.entries()[0].head)
    assert len(heads) == 2
