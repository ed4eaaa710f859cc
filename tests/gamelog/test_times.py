"""The side file of times: what is good in it counts, the rest is no error."""

from __future__ import annotations

import random

import pytest

from crapette_p2p.gamelog.events import MAX_EVENTS
from crapette_p2p.gamelog.times import (
    ANCHOR,
    AT_LEAST,
    HEADER,
    IDLE_CUT,
    MAX_TIMES,
    decode_times,
    encode_header,
    encode_time,
    time_played,
    wait_between,
)

GAME = bytes(range(32))
BEGUN = 1_796_000_000_000


def side_file(*records: tuple[int, int], game: bytes = GAME) -> bytes:
    """A file of these records, begun by an anchor."""
    return encode_header(game) + b"".join(
        encode_time(*record) for record in ((ANCHOR, BEGUN), *records)
    )


def test_times_come_back_with_the_moment_of_the_last() -> None:
    """Numbers, milliseconds, and where the clock on the wall stood."""
    data = side_file((0, 0), (1, 40), (1, 55), (7, 2_000))
    times = decode_times(data, GAME)
    assert times is not None
    assert times.at == {0: 0, 1: 55, 7: 2_000}
    assert (times.last, times.unix, times.end) == (2_000, BEGUN + 2_000, len(data))


def test_a_second_run_has_an_anchor_of_its_own() -> None:
    """However long nobody played, the wall's time is that of the last run."""
    later = BEGUN + 10**9
    data = side_file((0, 0), (1, 40), (ANCHOR, later), (2, 90), (3, 95))
    times = decode_times(data, GAME)
    assert times is not None
    assert (times.last, times.unix) == (95, later + 5)
    assert times.pauses == {2: 50}
    assert [time_played(times, *ends) for ends in ((0, 3), (1, 2), (2, 3))] == [
        45,
        0,
        5,
    ]


def test_a_run_counts_from_where_both_sat_at_the_table() -> None:
    """An anchor of its own says since when; what is behind its own event is play."""
    back = BEGUN + 10**9
    data = side_file(
        (0, 0), (1, 40), (ANCHOR, back), (ANCHOR, back + 7_000), (2, 9_000)
    )
    times = decode_times(data, GAME)
    assert times is not None
    assert (times.last, times.unix, times.end) == (9_000, back + 7_000, len(data))
    assert times.pauses == {2: 9_000 - 40 - 7_000}
    assert time_played(times, 0, 2) == 40 + 7_000
    odd = ((0, 0), (ANCHOR, back), (ANCHOR, back + 7_000), (1, 9), (ANCHOR, 5), (2, 19))
    times = decode_times(side_file(*odd, (ANCHOR, 9), (ANCHOR, 3), (3, 29)), GAME)
    assert times is not None
    assert times.pauses == {1: 0, 2: 10, 3: 10}


def test_an_anchor_without_its_event_is_not_gone_on_behind() -> None:
    """A run that wrote no more: the anchors of the next would be read with it."""
    good = side_file((0, 0), (1, 40))
    for lone in (1, 2):
        times = decode_times(good + encode_time(ANCHOR, BEGUN + 99) * lone, GAME)
        assert times is not None
        assert (times.end, times.unix) == (len(good), BEGUN + 40)


def test_nobody_knows_how_long_it_took_if_a_time_is_missing() -> None:
    """Of an event in between, or of one that never came."""
    times = decode_times(side_file((0, 0), (1, 40), (3, 95)), GAME)
    assert times is not None
    assert time_played(times, 0, 1) == 40
    for ends in ((0, 3), (1, 2), (3, 4), (-1, 1), (1, 0)):
        assert time_played(times, *ends) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"CRAPTIME",
        side_file((0, 0))[: HEADER - 1],
        b"CRAPTIME\x02" + side_file((0, 0))[9:],
        b"CRAPLOG\x01" + bytes(100),
        side_file((0, 0), game=bytes(32)),
        side_file() + encode_time(0, 0) * (MAX_TIMES // 12 + 1),
    ],
)
def test_what_is_no_side_file_of_this_game_holds_nothing(data: bytes) -> None:
    """Foreign, of a later version, of another game, or longer than any can be."""
    assert decode_times(data, GAME) is None


@pytest.mark.parametrize(
    "bad",
    [
        encode_time(1, 50),  # a number that goes back
        encode_time(3, 29),  # a clock that goes back
        encode_time(MAX_EVENTS, 50),
        encode_time(3, 2**64 - 1),
        encode_time(ANCHOR, 2**60),
        encode_time(3, 50)[:-1],  # torn
    ],
)
def test_a_damaged_file_counts_up_to_the_break(bad: bytes) -> None:
    """What comes before stays; what comes behind is not looked at."""
    good = side_file((0, 0), (2, 30))
    for data in (good + bad, good + bad + encode_time(4, 60) * 2):
        times = decode_times(data, GAME)
        assert times is not None
        assert (times.at, times.end) == ({0: 0, 2: 30}, len(good))
        if len(bad) % 12:
            break  # what follows a torn record is shifted, and may be anything


def test_what_is_to_be_recorded_anew_is_left_out() -> None:
    """A log that was put back to an earlier state: its times are cut there."""
    data = side_file((0, 0), (1, 40), (2, 90))
    times = decode_times(data, GAME, below=1)
    assert times is not None
    assert (times.at, times.last, times.unix) == ({0: 0}, 0, BEGUN)
    assert data[times.end :] == encode_time(1, 40) + encode_time(2, 90)


def test_no_bytes_raise() -> None:
    """Noise behind a header, and flipped bits, are times or none."""
    dice = random.Random(4)  # noqa: S311 - repeatable damage
    whole = side_file(*((seq, seq * 100) for seq in range(50)))
    for _ in range(500):
        data = bytearray(whole)
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        times = decode_times(bytes(data) + dice.randbytes(dice.randrange(40)), GAME)
        if times is not None:
            assert [*times.at] == sorted(times.at)
            assert [*times.at.values()] == sorted(times.at.values())


def test_a_wait_is_cut_and_seen() -> None:
    """Idle times end at two seconds, and what came at once comes one by one."""
    assert wait_between(1_000, 1_700) == 700
    assert wait_between(1_000, 9_000) == IDLE_CUT == 2_000
    assert wait_between(1_000, 1_000) == AT_LEAST
    assert wait_between(None, 5) is None
    assert wait_between(5, None) is None
