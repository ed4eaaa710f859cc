"""What a session relies on when it wants something kept, in files and in memory.

A file that somebody removes while it is written (tests/net/test_removed.py) and the
lock that keeps a second program out (tests/net/test_store.py) are matters of names,
which nothing in memory has.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.gamelog.genesis import game_id_of
from crapette_p2p.gamelog.records import MAGIC, RecordKind
from crapette_p2p.session.effects import (
    Close,
    DropSecrets,
    Effect,
    Emit,
    Persist,
    PersistSecret,
)
from crapette_p2p.session.notices import PeerHeard
from tests.contracts.keepers import (
    OLEK,
    SAY,
    FileKeeper,
    Keeper,
    MemoryKeeper,
    genesis_of,
    record,
)
from tests.net.fasttime import fast

SEEDS = (b"a" * 32, b"b" * 32)
TORN = record(RecordKind.NOTE, (501, "left"))[:-3]
made = pytest.mark.parametrize("make", [FileKeeper, MemoryKeeper])
Make = type[FileKeeper] | type[MemoryKeeper]


def note(game_id: bytes, text: str = "left") -> Persist:
    """A record that means nothing."""
    return Persist(game_id, RecordKind.NOTE, (501, text))


def log_with(*records: Persist) -> bytes:
    """The file that holds these records, and nothing else."""
    return MAGIC + b"".join(record(each.kind, each.body) for each in records)


def begun(keeper: Keeper, *more: Persist) -> Persist:
    """The genesis of a game whose log is on the disk for good."""
    genesis = keeper.begin()
    assert keeper.do(genesis, *more, SAY)
    return genesis


@made
@fast
async def test_records_come_back_as_they_were_written(
    make: Make, tmp_path: Path
) -> None:
    """In their order, over as many programs and lists of effects as there were."""
    keeper = make(tmp_path)
    genesis = keeper.begin()
    notes = [note(genesis.game_id, text) for text in ("one", "two", "three")]
    assert keeper.do(genesis, notes[0], SAY)
    keeper.restart()
    assert keeper.do(notes[1], Emit(PeerHeard()), notes[2], SAY)
    keeper.restart()
    assert keeper.log(genesis.game_id) == log_with(genesis, *notes)
    assert keeper.sent == 2


@made
@fast
async def test_games_do_not_mix(make: Make, tmp_path: Path) -> None:
    """Each has a log of its own, and seeds."""
    keeper = make(tmp_path)
    one, two = keeper.begin(number=1), keeper.begin(number=2)
    assert keeper.do(one, two, note(one.game_id), note(two.game_id), note(one.game_id))
    keeper.do(
        PersistSecret(one.game_id, 0, SEEDS), PersistSecret(two.game_id, 1, SEEDS)
    )
    keeper.do(PersistSecret(one.game_id, 1, SEEDS), DropSecrets(two.game_id))
    keeper.restart()
    assert keeper.log(one.game_id) == log_with(one, *[note(one.game_id)] * 2)
    assert keeper.log(two.game_id) == log_with(two, note(two.game_id))
    assert keeper.secrets(one.game_id) is not None
    assert keeper.secrets(two.game_id) is None


@made
@fast
async def test_only_a_genesis_begins_a_log(make: Make, tmp_path: Path) -> None:
    """A record of a game that nobody has ends the program, and nothing follows."""
    keeper = make(tmp_path)
    game_id = keeper.begin().game_id
    assert not keeper.do(note(game_id), SAY)
    keeper.restart()
    assert keeper.log(game_id) is None
    assert keeper.sent == 0


@made
@fast
async def test_a_second_genesis_goes_to_the_same_log(
    make: Make, tmp_path: Path
) -> None:
    """START brings the other signature; only then has the game started."""
    keeper = make(tmp_path)
    both = keeper.begin()
    accepted = replace(both, body=(both.body[0], None, both.body[2]))
    assert keeper.do(accepted, SAY)
    keeper.restart()
    found = keeper.lookup(both.game_id)
    assert found is not None
    assert not found.started
    assert keeper.do(both, SAY)
    keeper.restart()
    found = keeper.lookup(both.game_id)
    assert found is not None
    assert found.started
    assert keeper.log(both.game_id) == log_with(accepted, both)


# Disks that fail ------------------------------------------------------------------


@pytest.mark.parametrize("call", ["write", "sync"])
@made
@fast
async def test_nothing_follows_a_record_that_was_not_kept(
    make: Make, call: str, tmp_path: Path
) -> None:
    """The log is as it was, the program is over, and the next one goes on."""
    keeper = make(tmp_path)
    genesis = begun(keeper)
    before, left = keeper.log(genesis.game_id), note(genesis.game_id)
    keeper.fail(call)
    assert not keeper.do(left, left, SAY, left)
    keeper.fail(None)
    assert not keeper.do(left, SAY)
    assert keeper.log(genesis.game_id) == before
    assert keeper.sent == 1
    keeper.restart()
    assert keeper.do(left, SAY)
    assert keeper.log(genesis.game_id) == log_with(genesis, left)
    assert keeper.sent == 2


@pytest.mark.parametrize("call", ["write", "sync"])
@made
@fast
async def test_a_game_that_could_not_be_kept_does_not_exist(
    make: Make, call: str, tmp_path: Path
) -> None:
    """Nor do seeds; the same game can be begun once there is room."""
    keeper = make(tmp_path)
    genesis = keeper.begin()
    keeper.fail(call)
    assert not keeper.do(genesis, SAY)
    keeper.restart()
    assert not keeper.do(PersistSecret(genesis.game_id, 0, SEEDS), SAY)
    keeper.restart()
    keeper.fail(None)
    assert keeper.log(genesis.game_id) is None
    assert keeper.lookup(genesis.game_id) is None
    assert keeper.do(PersistSecret(genesis.game_id, 1, SEEDS), genesis, SAY)
    assert keeper.secrets(genesis.game_id) is None  # one deck's are none
    assert keeper.log(genesis.game_id) == log_with(genesis)


# Power cuts -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["send", "seeds", "drop", "close"])
@made
@fast
async def test_what_something_depends_on_survives_a_power_cut(
    make: Make, kind: str, tmp_path: Path
) -> None:
    """Whatever is neither a record nor for the owner waits for the disk."""
    keeper = make(tmp_path)
    genesis = keeper.begin()
    game_id, left = genesis.game_id, note(genesis.game_id)
    effects: dict[str, Effect] = {
        "send": SAY,
        "seeds": PersistSecret(game_id, 0, SEEDS),
        "drop": DropSecrets(game_id),
        "close": Close(501),
    }
    assert keeper.do(genesis, left, Emit(PeerHeard()), left, effects[kind])
    keeper.restart(power=False)
    assert keeper.log(game_id) == log_with(genesis, left, left)


@made
@fast
async def test_what_nothing_depends_on_is_lost_in_a_power_cut(
    make: Make, tmp_path: Path
) -> None:
    """And only then: it survives the end of the program alone."""
    keeper = make(tmp_path)
    genesis = begun(keeper)
    left = note(genesis.game_id)
    assert keeper.do(left, Emit(PeerHeard()))
    keeper.restart()
    assert keeper.log(genesis.game_id) == log_with(genesis, left)
    assert keeper.do(left, SAY, left, Emit(PeerHeard()), left)
    keeper.restart(power=False)
    assert keeper.log(genesis.game_id) == log_with(genesis, left, left)
    assert keeper.do(left, SAY)
    assert keeper.log(genesis.game_id) == log_with(genesis, left, left, left)


@made
@fast
async def test_a_power_cut_leaves_no_half_game(make: Make, tmp_path: Path) -> None:
    """A log whose genesis was not synced is none."""
    keeper = make(tmp_path)
    genesis = keeper.begin()
    assert keeper.do(genesis, Emit(PeerHeard()))
    keeper.restart(power=False)
    assert keeper.log(genesis.game_id) is None
    assert keeper.lookup(genesis.game_id) is None


@made
@fast
async def test_seeds_are_there_for_good_until_they_are_dropped(
    make: Make, tmp_path: Path
) -> None:
    """Both decks' or none, the last ones that were kept; they can be dropped twice."""
    keeper = make(tmp_path)
    game_id = keeper.begin().game_id
    assert keeper.do(PersistSecret(game_id, 0, SEEDS))
    assert keeper.secrets(game_id) is None
    assert keeper.do(PersistSecret(game_id, 1, SEEDS))
    assert keeper.do(PersistSecret(game_id, 0, SEEDS[::-1]))
    keeper.restart(power=False)
    secrets = keeper.secrets(game_id)
    assert secrets is not None
    assert (secrets.seeds0, secrets.seeds1) == (b"".join(SEEDS[::-1]), b"".join(SEEDS))
    assert keeper.do(DropSecrets(game_id), DropSecrets(game_id))
    keeper.restart()
    assert keeper.secrets(game_id) is None


# Taking a game up again -----------------------------------------------------------


@made
@fast
async def test_a_torn_record_is_cut_before_another_follows(
    make: Make, tmp_path: Path
) -> None:
    """Whoever takes the game up again writes behind the last whole record."""
    keeper = make(tmp_path)
    genesis = begun(keeper)
    left = note(genesis.game_id)
    keeper.restart()
    keeper.put(genesis.game_id, log_with(genesis, left) + TORN)
    assert keeper.lookup(genesis.game_id) is not None
    assert keeper.do(left, SAY)
    assert keeper.log(genesis.game_id) == log_with(genesis, left, left)


@made
@fast
async def test_a_game_is_one_object_for_its_own_peer(
    make: Make, tmp_path: Path
) -> None:
    """Every link works on the same one; for anybody else it does not exist."""
    keeper = make(tmp_path)
    game_id = begun(keeper).game_id
    keeper.restart()
    assert keeper.lookup(b"\x07" * 32) is None
    for other in (b"\x03" * 32, keeper.public, b""):
        assert keeper.lookup(game_id, other) is None
    found = keeper.lookup(game_id)
    assert found is not None
    assert (found.seat, found.peer_key, found.length) == (0, OLEK, 0)
    assert keeper.lookup(game_id) is found
    assert keeper.lookup(game_id, b"\x03" * 32) is None


@made
@fast
async def test_a_game_of_others_or_a_damaged_one_is_none(
    make: Make, tmp_path: Path
) -> None:
    """A session hears that there is no such game, and may go on with another."""
    keeper = make(tmp_path)
    genesis = begun(keeper)
    keeper.restart()
    whole = log_with(genesis)
    for damaged in (whole + bytes(9), whole[:40], MAGIC[:-1] + b"\x09", MAGIC, b""):
        keeper.put(genesis.game_id, damaged)
        assert keeper.lookup(genesis.game_id) is None
    strangers = genesis_of(b"\x05" * 32)
    body = (strangers, b"s" * 64, b"t" * 64)
    theirs = Persist(game_id_of(strangers), RecordKind.GENESIS, body)
    assert keeper.do(theirs, SAY)
    keeper.restart()
    assert keeper.lookup(theirs.game_id) is None
