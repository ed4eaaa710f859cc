"""``crapette resume`` where nothing can simply go on."""

from __future__ import annotations

from crapette_p2p.gamelog.records import MAGIC, encode_record, read_records
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log


def test_nothing_was_interrupted(crapette: Crapette) -> None:
    """It says so, and what begins a game."""
    done = crapette("resume")
    assert done.code == 2
    assert "no interrupted game is kept here" in done.err
    assert "crapette join ADDRESS" in done.err


def test_a_deal_that_was_agreed_on_and_never_began(crapette: Crapette) -> None:
    """Killed between ACCEPT and START: joining again begins it, and that is said."""
    first = read_records(finished_log()).records[0]
    genesis, _, sig1 = first.body
    games = crapette.home / "games"
    games.mkdir(parents=True)
    log = games / "20261130-0123456789abcdef.crlog"
    log.write_bytes(MAGIC + encode_record(first.kind, (genesis, None, sig1)))
    done = crapette("resume")
    assert "the deal with Ala was agreed on, but had not begun here" in done.err
    assert "Join the same table again, and it begins" in done.err
