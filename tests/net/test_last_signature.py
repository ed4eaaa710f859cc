"""The last signature of a deal is fetched from whoever holds it for finished."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crapette_p2p.cli.headless import HeadlessSeat, Manner
from crapette_p2p.cli.reporting import JsonReporter
from crapette_p2p.net.joining import join
from crapette_p2p.net.news import Closed, TableNotice
from crapette_p2p.session.commands import Leave
from crapette_p2p.session.notices import EndBrought, GameOver, GameStarted
from tests.net.fasttime import fast
from tests.net.tables import assert_same_games, join_options, playing, seat_at
from tests.net.unsigned import awaited, unsigned


@pytest.mark.slow
@pytest.mark.parametrize("loser", [0, 1])
@fast
async def test_whoever_brings_the_last_signature_has_no_failure(
    tmp_path: Path, loser: int
) -> None:
    """The other resumes, we join: both logs are closed, and so is the table."""
    author, other = await unsigned(tmp_path, loser=loser)
    async with awaited(author) as (his, place):
        async with join(place, join_options(other)) as table:
            seat = seat_at(table)
            assert await seat.play() == Closed(None)
        brought = [n for n in seat.heard if isinstance(n, EndBrought)]
        assert len(brought) == 1
        await his.hears(GameOver)
        assert "EndBrought" not in his.kinds()
    assert_same_games(author, other)


@pytest.mark.slow
@fast
async def test_a_headless_seat_writes_the_result_it_brought(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, as after a deal of its own, and ends with 0."""
    author, other = await unsigned(tmp_path)
    manner = Manner(level="novice", accept_unverified=True)
    async with awaited(author) as (_, place), join(place, join_options(other)) as table:
        assert await HeadlessSeat(table, manner, JsonReporter()).play() == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == ["peer", "result"]
    (path,) = other.store.logs()
    assert (lines[1]["winner"], lines[1]["log"]) == ("B", str(path))


@pytest.mark.slow
@fast
async def test_the_other_may_have_what_he_wanted_before_the_cards_are_compared(
    tmp_path: Path,
) -> None:
    """He leaves, and nobody has failed: what came of it is told all the same."""
    author, other = await unsigned(tmp_path)
    heard: list[TableNotice] = []
    async with awaited(author) as (_, place), join(place, join_options(other)) as table:
        while not isinstance(notice := await table.next_notice(), Closed):
            heard.append(notice)
    kinds = [type(notice).__name__ for notice in heard]
    assert kinds == ["CardsToCompare", "EndBrought", "PeerLeft"]
    assert notice == Closed(None)


@pytest.mark.slow
@fast
async def test_a_match_goes_on_from_there(tmp_path: Path) -> None:
    """The next deal of the match follows, as between any two."""
    author, other = await unsigned(tmp_path, target=500)
    async with (
        awaited(author) as (his, place),
        join(place, join_options(other)) as table,
        playing(seat := seat_at(table, seed=3)) as (end,),
    ):
        await seat.hears(GameStarted)
        await his.hears(GameStarted)
        table.command(Leave(501))
        assert await end == Closed(None)
    for player in (author, other):
        deals = [game.genesis.match.deal_number for game in player.kept.summaries()]
        assert sorted(deals) == [1, 2]
