"""An independent checker follows the recorded games over two links."""

import functools

import pytest

from tests.interop.checker_canonical import decode
from tests.interop.checker_events import state_hash
from tests.interop.checker_links import (
    NAMES,
    Linked,
    LinkReplay,
    load,
    with_other_keys,
)
from tests.interop.checker_log import verify
from tests.interop.checker_messages import frame, read_message
from tests.interop.checker_replay import first_difference
from tests.interop.checker_resume import Resumer, keep

each = pytest.mark.parametrize("name", NAMES)
LOGIN = ("HELLO", "HOST", "AUTH", "READY")


@functools.cache
def replay(name: str) -> LinkReplay:
    """A game played again, once for all tests."""
    return LinkReplay(load(name))


def sent(linked: Linked, number: int, role: int) -> list[bytes]:
    """The payloads of one role over one link."""
    return [p for who, p in linked.links[number].frames if who == role]


def test_both_kinds_of_loss_are_recorded() -> None:
    """In one game events are lost on their way, in the other the tail of a log."""
    linked = [load(name) for name in NAMES]
    assert [one.restored is None for one in linked] == [True, False]
    assert [one.links[0].count - sum(one.links[0].arrived) for one in linked] == [2, 0]
    assert all(one.links[0].dialler != one.links[1].dialler for one in linked)


@each
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("role", [0, 1])
def test_a_side_sends_what_was_recorded(name: str, number: int, role: int) -> None:
    """Over each link each side's bytes follow from keys, entropy and decisions."""
    recorded = [frame(payload) for payload in sent(load(name), number, role)]
    assert not first_difference(replay(name).sent[number][role], recorded)


@each
@pytest.mark.parametrize("role", [0, 1])
def test_both_logs_follow(name: str, role: int) -> None:
    """Byte for byte, the one that lost its tail too; both verify to the end."""
    data = load(name).logs[role]
    assert replay(name).log(role) == data
    log, records, damage = verify(data)
    assert (damage, records.torn, log.level, log.owed) == (None, False, 5, None)


@each
def test_every_state_follows(name: str) -> None:
    """The cut changes nothing of the game: state after state as recorded."""
    game, made = load(name).game, replay(name).states
    assert tuple(made) == game.states
    assert [state_hash(decode(state)) for state in made] == list(game.hashes)


@each
def test_the_index_counts_right(name: str) -> None:
    """Frames and what of them arrived."""
    linked = load(name)
    for link in linked.links:
        assert link.count == len(link.frames)
        for role in (0, 1):
            assert link.arrived[role] <= sum(who == role for who, _ in link.frames)
    assert linked.links[1].events == len(linked.game.events)


@each
@pytest.mark.parametrize("role", [0, 1])
def test_a_client_with_its_log_answers_as_recorded(name: str, role: int) -> None:
    """Fed with the other's frames from RESUME on, it sends what was sent."""
    linked = load(name)
    player = linked.game.players[role]
    kept = keep(replay(name).kept[role], player.secret)
    dials = linked.links[1].dialler == role
    side = Resumer({kept.genesis.game_id: kept}, dials)
    theirs = _after_login(sent(linked, 1, 1 - role))
    own = _after_login(sent(linked, 1, role))
    for payload in theirs:
        if side.state not in ("RESUMING", "SYNCING"):
            break
        side.receive(payload)
    assert side.state == "PLAY"
    assert own[: len(side.sent)] == side.sent
    assert len(side.sent) > 1


def _after_login(payloads: list[bytes]) -> list[bytes]:
    return [p for p in payloads if read_message(p)[0] not in LOGIN]


@each
@pytest.mark.parametrize("role", [0, 1])
def test_another_nonce_of_the_second_link_is_noticed(name: str, role: int) -> None:
    """With one byte of it changed other bytes are sent over that link alone."""
    linked = load(name)
    made = LinkReplay(with_other_keys(linked, role)).sent
    assert made[0] == replay(name).sent[0]
    assert made[1] != replay(name).sent[1]
