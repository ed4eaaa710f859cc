"""How links end: which of two stays, who comes back, why a table closes."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from crapette_p2p.net.ending import (
    failure_of,
    is_passing,
    older_stays,
    shown_key,
    turned_away,
)
from crapette_p2p.net.failures import Failure, exit_of_code
from crapette_p2p.session.notices import LinkLost, PeerLeft, SessionFailed

CODES = Path(__file__).parents[2] / "protocol" / "tables" / "error-codes.json"


def failed(code: int) -> SessionFailed:
    """The protocol was broken with this code."""
    return SessionFailed(code=code, by_peer=True, game_failed=False, evidence=None)


@pytest.mark.parametrize("role_1_dials_first", [True, False])
def test_both_ends_keep_the_same_link(*, role_1_dials_first: bool) -> None:
    """Of two links in opposite directions both ends keep the one role 1 dialled."""
    kept = []
    for role in (0, 1):
        older = (role == 1) == role_1_dials_first  # did this end dial the older one
        stays = older_stays(older=older, newer=not older, preferred=role == 1)
        kept.append("older" if stays else "newer")
    assert kept == ["older" if role_1_dials_first else "newer"] * 2


def test_of_two_in_one_direction_the_newer_stays() -> None:
    """A link that replaces one of the same dialler always wins."""
    for direction, preferred in product((True, False), repeat=2):
        assert not older_stays(older=direction, newer=direction, preferred=preferred)


@pytest.mark.parametrize(
    ("ending", "passing"),
    [
        (None, True),
        (LinkLost(0), True),
        (LinkLost(106), True),
        (PeerLeft(501, ""), True),
        (PeerLeft(205, ""), True),
        (PeerLeft(106, ""), True),
        (PeerLeft(206, ""), False),
        (PeerLeft(502, ""), False),
        (failed(105), False),
        (failed(404), False),
        (failed(410), False),
    ],
)
def test_what_may_pass(
    ending: LinkLost | PeerLeft | SessionFailed | None, *, passing: bool
) -> None:
    """Silence and a saved game are tried again; a broken protocol is not."""
    assert is_passing(ending) is passing


def test_a_game_that_is_not_known_there_may_be_known_elsewhere() -> None:
    """Whoever came back from another computer may come back from the first."""
    assert is_passing(failed(410), back=True)
    ours = SessionFailed(code=410, by_peer=False, game_failed=False, evidence=None)
    assert not is_passing(ours, back=True)


def told(failure: Failure | None) -> tuple[str, int] | None:
    """Code and exit status."""
    return None if failure is None else (failure.code, int(failure.status))


def test_why_a_table_closes() -> None:
    """A goodbye after the game is no failure; everything else has a reason."""
    for goodbye in (PeerLeft(502, ""), PeerLeft(501, ""), LinkLost(0), LinkLost(106)):
        assert failure_of(goodbye, played=True) is None
        assert told(failure_of(goodbye, kept=True)) == ("peer-left", 8)
    for ending in (PeerLeft(502, ""), PeerLeft(501, ""), LinkLost(0), None):
        assert told(failure_of(ending)) == ("peer-hung-up", 5)
    assert told(failure_of(LinkLost(106))) == ("peer-silent-early", 6)
    for unanswered in (LinkLost(106, unanswered=True), PeerLeft(106, "", True)):
        assert told(failure_of(unanswered)) == ("unanswered", 6)
        assert turned_away(unanswered).code == "door-unanswered"
    assert told(failure_of(failed(404), kept=True)) == ("accused", 9)
    ours = replace(failed(404), by_peer=False)
    assert told(failure_of(ours, kept=True)) == ("peer-cheated", 9)
    assert told(failure_of(failed(207))) == ("invite-refused", 7)
    assert told(failure_of(failed(100), kept=True)) == ("protocol-broken", 6)
    assert told(failure_of(failed(100), played=True)) == ("protocol-broken", 6)
    assert told(failure_of(failed(100))) == ("protocol-broken-early", 6)
    assert told(failure_of(failed(410))) == ("unknown-game", 6)
    assert told(failure_of(failed(410), kept=True)) == ("kept-here-only", 6)
    ours = replace(failed(410), by_peer=False)
    assert told(failure_of(ours)) == ("game-not-here", 6)
    assert told(failure_of(ours, kept=True)) == ("game-not-here", 6)
    assert told(failure_of(PeerLeft(206, ""))) == ("refused", 5)


@pytest.mark.parametrize(
    ("code", "by_peer", "by_us"),
    [
        (201, "not-believed-there", "login-not-proven"),
        (202, "not-expected-there", "other-key"),
        (208, "name-refused", "name-not-shown"),
        (300, "rules-refused", "rules-not-known"),
        (301, "terms-refused", "terms-not-taken"),
        (410, "unknown-game", "game-not-here"),
    ],
)
def test_the_same_code_says_something_else_of_each_side(
    code: int, by_peer: str, by_us: str
) -> None:
    """Whose key, name, rules or memory it is decides the sentence, not the status."""
    theirs, ours = failed(code), replace(failed(code), by_peer=False)
    status = int(exit_of_code(code))
    assert told(failure_of(theirs)) == (by_peer, status)
    assert told(failure_of(ours)) == (by_us, status)


def test_cards_that_a_person_saw_differ_are_no_failed_proof() -> None:
    """Whoever said so reads what it means, not that a signature was wrong."""
    ours = replace(failed(201), by_peer=False, cards=True)
    assert told(failure_of(ours)) == ("cards-differ", 7)


def test_an_accusation_without_a_game_is_noise() -> None:
    """Whoever answers a call cannot make us end as if somebody had cheated."""
    for code in (302, 402, 404, 405, 406, 407, 408):
        assert told(failure_of(failed(code))) == ("protocol-broken-early", 6)
        assert told(failure_of(failed(code), kept=True)) == ("accused", 9)


def test_a_fault_of_a_program_is_told_by_whose_it_is() -> None:
    """Exit 1 means a bug of ours; the peer's is a peer that is lost (8, 6)."""
    assert told(failure_of(failed(500), kept=True)) == ("peer-failed", 8)
    assert told(failure_of(failed(500))) == ("peer-failed-early", 6)
    ours = replace(failed(500), by_peer=False)
    assert told(failure_of(ours, kept=True)) == ("game-stuck", 1)


def test_reasons_at_the_door() -> None:
    """A host reads why somebody got no seat, in words of the door."""
    reasons = {
        turned_away(ending).code
        for ending in (
            LinkLost(0),
            LinkLost(106),
            PeerLeft(205, ""),
            PeerLeft(206, ""),
            failed(200),
            failed(207),
            failed(201),
            failed(101),
            failed(202),
            replace(failed(201), by_peer=False),
            replace(failed(201), by_peer=False, cards=True),
        )
    }
    assert reasons == {
        "hung-up",
        "silent",
        "door-taken",
        "door-refused",
        "door-version",
        "door-invite",
        "door-key",
        "door-cards",
        "door-unexpected",
        "door-unsure",
        "stranger",
    }


def test_exit_statuses_are_those_of_the_protocol() -> None:
    """Every code ends the command line with the status of the published table."""
    codes = json.loads(CODES.read_text())["codes"]
    for entry in codes:
        assert int(exit_of_code(entry["code"])) == entry["exit"], entry


def test_a_refusal_at_the_door_names_our_key() -> None:
    """It can be mended there; one of terms is a person's no."""
    key = bytes(range(32))
    failure = failure_of(PeerLeft(206, "", at_door=True), own=key)
    assert told(failure) == ("not-let-in", 5)
    assert failure is not None
    assert failure.facts["key"] == shown_key(key)
    assert told(failure_of(PeerLeft(206, ""), own=key)) == ("refused", 5)
