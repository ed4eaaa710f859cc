"""The fixed sequence before play: who may say what, and what is a cheat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.canonical import encode
from crapette_p2p.errors import DealError, LogError
from crapette_p2p.fairdeal import dealer
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.game import apply, problem, start_game
from crapette_p2p.gamelog.state import SETUP_TYPES, Phase, owes, state_hash
from tests.helpers.fakegame import FakeGame, make_genesis, play_game

K = 3


def game_at(seq: int, rules: str = "crapette", seed: int = 5) -> FakeGame:
    """A game of which ``seq`` events of the fixed sequence are final."""
    game = FakeGame(make_genesis(rules, k=K, seed=seed), seed=seed)
    for _ in range(seq):
        made = game.owed()
        assert made is not None
        game.event(*made)
    return game


def owed_body(game: FakeGame) -> Body:
    """The honest body of the owed event."""
    made = game.owed()
    assert made is not None
    return made[2]


@pytest.mark.parametrize("seq", range(10))
def test_only_the_next_event_of_the_sequence_is_lawful(seq: int) -> None:
    """P8: no other type, no other author, no resignation, no draw before seq 10."""
    game = game_at(seq)
    due = owes(game.state)
    assert due is not None
    assert (due.author, due.type) == (seq & 1, SETUP_TYPES[seq])
    assert game.state.phase == Phase.SETUP
    body = owed_body(game)
    assert problem(game.state, seq & 1, SETUP_TYPES[seq], body) is None
    assert problem(game.state, 1 - (seq & 1), SETUP_TYPES[seq], body) == 404
    for kind in [*EventType, 0, 99]:
        if kind != due.type:
            for author in (0, 1):
                for guess in (body, ()):
                    assert problem(game.state, author, kind, guess) == 404


@pytest.mark.parametrize("seq", range(10))
def test_a_body_of_another_shape_is_404(seq: int) -> None:
    """Arity, types and lengths are exact everywhere."""
    game = game_at(seq)
    author, kind, body = seq & 1, SETUP_TYPES[seq], owed_body(game)
    wrong: list[Body] = [(), body[:-1], (*body, body[-1]), (None, *body[1:])]
    for i, part in enumerate(body):
        if isinstance(part, bytes):
            wrong += [
                (*body[:i], part[:-1], *body[i + 1 :]),
                (*body[:i], part + b"\0", *body[i + 1 :]),
            ]
        else:
            wrong.append((*body[:i], True, *body[i + 1 :]))
    for bad in wrong:
        assert problem(game.state, author, kind, bad) == 404


def test_roots_of_another_number_of_candidates_are_404() -> None:
    """D10: whoever commits to another K than agreed is refused."""
    other = FakeGame(make_genesis(k=K + 1, seed=5), seed=5)
    body = owed_body(other)
    assert problem(game_at(0).state, 0, EventType.COMMIT, body) == 404


def test_mirrored_roots_are_304() -> None:
    """D5: the second player cannot commit to the first one's layers."""
    game = game_at(1)
    first = game.log.entries[0].signed.event.body
    assert problem(game.state, 1, EventType.COMMIT, first) == 304
    deck0, deck1 = owed_body(game)
    assert isinstance(deck0, bytes)
    assert isinstance(deck1, bytes)
    assert problem(game.state, 1, EventType.COMMIT, (deck0, deck0)) == 304
    twice = deck1[:32] + deck1[:32] + deck1[64:]
    assert problem(game.state, 1, EventType.COMMIT, (deck0, twice)) == 304


@pytest.mark.parametrize("number", [K, K + 1, 2**40])
def test_a_challenge_names_a_candidate(number: int) -> None:
    """D8: indices are below K."""
    game = game_at(2)
    for body in ((number, 0), (0, number)):
        assert problem(game.state, 0, EventType.CHALLENGE, body) == 404
    assert problem(game.state, 0, EventType.CHALLENGE, (K - 1, 0)) is None


def test_a_wrong_reveal_is_302() -> None:
    """D1, D2: a seed or a slot that was not committed."""
    game = game_at(4)
    seeds0, seeds1, slots0, slots1 = owed_body(game)
    assert isinstance(seeds0, bytes)
    assert isinstance(slots1, bytes)
    bad_seed = (b"\1" + seeds0[1:], seeds1, slots0, slots1)
    bad_slot = (seeds0, seeds1, slots0, slots1[:-1] + b"\1")
    for body in (bad_seed, bad_slot, (seeds1, seeds0, slots0, slots1)):
        assert problem(game.state, 0, EventType.REVEAL, body) == 302


def test_commitments_of_another_game_do_not_reveal() -> None:
    """D6: the roots of an old game cannot be opened in a new one."""
    old, new = game_at(4, seed=6), game_at(0)
    new.event(0, EventType.COMMIT, old.log.entries[0].signed.event.body)
    new.event(1, EventType.COMMIT, owed_body(new))
    for author in (0, 1):
        body = old.log.entries[2 + author].signed.event.body
        new.event(author, EventType.CHALLENGE, body)
    assert problem(new.state, 0, EventType.REVEAL, owed_body(old)) == 302


def lines_of(body: Body) -> tuple[int, list[tuple[int, int, bytes]]]:
    """The deck and lines of an opening."""
    deck, lines = body
    assert isinstance(deck, int)
    assert isinstance(lines, tuple)
    return deck, list(lines)


@pytest.mark.parametrize("seq", [6, 7, 8, 9])
def test_openings_of_the_lay_out_are_exact(seq: int) -> None:
    """D11, D12: five lines in order, of that deck; values as committed."""
    game = game_at(seq)
    author, kind = seq & 1, SETUP_TYPES[seq]
    deck, lines = lines_of(owed_body(game))
    assert len(lines) == 5

    def code(changed: list[tuple[int, int, bytes]], at: int = deck) -> int | None:
        return problem(game.state, author, kind, (at, tuple(changed)))

    assert code(lines) is None
    assert code(lines, 1 - deck) == 404
    assert code(lines[:4]) == 404
    assert code([*lines, lines[0]]) == 404
    assert code([]) == 404
    index, value, salt = lines[0]
    rest = lines[1:]
    order = 404 if kind == EventType.OPEN_A else 405
    assert code([lines[1], lines[0], *lines[2:]]) == order
    assert code([((index + 30) % 52, value, salt), *rest]) == order
    assert code([(index, (value + 1) % 52, salt), *rest]) == 405
    assert code([(index, value, bytes(32)), *rest]) == 405
    assert code([(index, value, rest[0][2]), *rest]) == 405
    for wild in (52, 255, 2**40):
        assert code([(index, wild, salt), *rest]) == 404
        assert code([(wild, value, salt), *rest]) == 404
    assert code([(index, value, salt[:31]), *rest]) == 404


def test_the_lay_out_is_dealt_from_both_layers() -> None:
    """Card at position i of deck d = the owner's layer at the other's at i."""
    game = game_at(10)
    position = game.state.position
    assert position is not None
    for deck in (0, 1):
        other = 1 - deck
        kept = [game.state.deal.kept(player, deck) for player in (0, 1)]
        layers = [
            game.secrets[player].layer(game.game_id, player, deck, kept[player])
            for player in (0, 1)
        ]
        for i in range(52):
            card = layers[deck].perm[layers[other].perm[i]]
            shown = position.faces[52 * deck + i]
            assert shown == (card if i in range(12, 17) else 255)


@pytest.mark.parametrize("size", [11, 12, 13])
def test_smaller_reserves_open_other_positions(size: int) -> None:
    """The reserve's top is position r-1, the columns are the next four."""
    rules = replace(make_genesis().rules, reserve_size=size)
    game = FakeGame(make_genesis(rules, k=2), seed=1)
    game.set_up()
    position = game.state.position
    assert position is not None
    known = [slot for slot, face in enumerate(position.faces) if face != 255]
    first = list(range(size - 1, size + 4))
    assert known == first + [52 + i for i in first]
    assert len(position.piles[16]) == size


def test_the_lot_follows_from_both_reveals() -> None:
    """The hashes of events 4 and 5 decide; both are chained into the game id."""
    game = game_at(6)
    hashes = [entry.signed.hash for entry in game.log.entries]
    lot = dealer.lot_of(game.game_id, hashes[4], hashes[5])
    assert game.state.lot == lot
    lots = {game_at(6, seed=seed).state.lot for seed in range(12)}
    assert lots == {0, 1}


def test_apply_raises_what_problem_answers() -> None:
    """DealError blames the seat, LogError is for what the rules refuse."""
    game = game_at(1)
    first = game.log.entries[0].signed.event.body
    with pytest.raises(DealError) as cheat:
        apply(game.state, 1, EventType.COMMIT, first)
    assert (cheat.value.code, cheat.value.seat) == (304, 1)
    with pytest.raises(LogError) as refused:
        apply(game.state, 0, EventType.COMMIT, first)
    assert refused.value.code == 404
    after = apply(game.state, 1, EventType.COMMIT, owed_body(game))
    assert (after.length, game.state.length) == (2, 1)


def test_states_of_the_set_up_hide_nothing_else() -> None:
    """Up to seq 10 the state is [1, n]; the chain binds what was committed."""
    one, two = game_at(3, seed=1), game_at(3, seed=2)
    assert state_hash(one.state) == state_hash(two.state)
    assert one.log.head != two.log.head
    assert start_game(one.genesis) == start_game(one.genesis, one.game_id)


def test_seeds_never_stand_in_a_log_before_the_audit() -> None:
    """D16: the bytes of kept seeds and of unopened salts are nowhere in it."""
    game = play_game("crapette", seed=3, actions=60)
    data = b""
    fresh = FakeGame(game.genesis, seed=3)
    for entry in game.log.entries:
        event = entry.signed.event
        if event.type == EventType.AUDIT:
            break
        data += entry.signed.data
    for player in (0, 1):
        for deck in (0, 1):
            kept = game.state.deal.kept(player, deck)
            seed = fresh.secrets[player].seed(deck, kept)
            assert seed not in data
            assert encode(seed) in b"".join(e.signed.data for e in game.log.entries)
            layer = fresh.secrets[player].layer(game.game_id, player, deck, kept)
            opened = sum(salt in data for salt in layer.salts)
            assert 5 <= opened < 52
