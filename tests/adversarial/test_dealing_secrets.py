"""D: what nobody may know, choose or repeat: chance, seeds, face-down cards."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.fairdeal.layer import context, derive_layer
from crapette_p2p.gamelog.events import EventType, decode_event
from crapette_p2p.gamelog.secrets import Secrets, draw_index
from crapette_p2p.net import sources
from crapette_p2p.net.paths import find_paths
from crapette_p2p.net.player import player_at
from crapette_p2p.net.sources import entropy
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act
from crapette_p2p.session.notices import EventFinal
from tests.adversarial.by_hand import Rigged
from tests.helpers.driving import act, drive, log_of, position_of, state_of
from tests.helpers.pair import Pair, Player, make_player, play_pair, terms


def bytes_from(values: list[int]) -> Callable[[int], bytes]:
    """Entropy that is exactly these bytes."""
    left = list(values)
    return lambda count: bytes(left.pop(0) for _ in range(count))


@pytest.mark.parametrize("k", [2, 3, 16, 64, 100, 128])
def test_d09_our_challenge_is_uniform(k: int) -> None:
    """D9: every byte of entropy is used or rejected so that no index is favoured."""
    rest = 256 % k
    counts = Counter(draw_index(bytes_from([value]), k) for value in range(256 - rest))
    assert set(counts) == set(range(k))
    assert len(set(counts.values())) == 1
    for value in range(256 - rest, 256):
        assert draw_index(bytes_from([value, 5]), k) == 5 % k


@pytest.mark.parametrize("side", [0, 1])
def test_d09_our_challenge_is_drawn_after_all_roots_are_in(side: int) -> None:
    """D9: not one byte of it before both COMMITs are final."""
    pair = Pair()
    pair.players[0].options["terms"] = terms("russian-bank")
    player = pair.players[side]
    drawn: list[tuple[int, int]] = []
    honest = player.rng.randbytes

    def recorded(count: int) -> bytes:
        game = player.session.game if player.session else None
        drawn.append((game.length if game else -1, count))
        return honest(count)

    player.options["rand"] = recorded
    pair.connect()
    indices = [length for length, count in drawn if count == 1]
    # Our own challenge is number 2 or 3: drawn when exactly that many are final.
    assert set(indices) == {2 + side}


def test_d16_seeds_are_fresh_in_each_game() -> None:
    """D16: no seed comes twice, not in a game and not in 10^5 of them."""
    seen: set[bytes] = set()
    for _ in range(100_000):
        secrets = Secrets.fresh(os.urandom, 2)
        seen |= {secrets.seed(deck, c) for deck in (0, 1) for c in (0, 1)}
    assert len(seen) == 400_000


def test_d16_a_real_player_draws_from_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D16: nothing seeded, nothing derived from the identity key."""
    monkeypatch.setattr(sources, "entropy", entropy)  # as where there is no test
    assert player_at(find_paths(str(tmp_path), {}), "Ala").rand is os.urandom


def seeds_of(player: Player) -> list[bytes]:
    """The seeds of the candidates a player keeps."""
    game = player.kept()[-1]
    assert game.secrets is not None
    kept = [(deck, game.state.deal.kept(game.seat, deck)) for deck in (0, 1)]
    return [game.secrets.seed(deck, candidate) for deck, candidate in kept]


def test_d16_seeds_leave_this_machine_with_the_audit_only() -> None:
    """D16: neither in a log nor in a message before, and then in both."""
    pair = play_pair("russian-bank", seed=1)
    rng = random.Random(1)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda state: state.length >= 40)
    seeds = [seed for player in pair.players for seed in seeds_of(player)]
    for player in pair.players:
        for seed in seeds:
            assert seed not in said_by(player)
            assert seed not in b"".join(player.disk.logs.values())
    act(pair, 0, RESIGN)
    logs = b"".join(pair.players[0].disk.logs.values())
    assert all(seed in logs for seed in seeds)
    assert not pair.players[0].disk.seeds


def said_by(player: Player) -> bytes:
    """Everything a player has sent."""
    return b"".join(wire.encode_message(message) for message in player.sent)


def test_d17_known_answers() -> None:
    """D17: the published layer; the vectors of protocol/ hold many more."""
    layer = derive_layer(b"\xa5" * 32, context(bytes(range(32)), 0, 1, 7))
    assert list(layer.perm[:8]) == [18, 45, 32, 22, 15, 46, 25, 13]
    assert layer.salts[0].hex().startswith("d090e27b820edfcb551eb336a5a51c11")
    assert layer.slots[:32].hex().startswith("3a66d7b923dff215c58d0adbebce5a3d")
    assert layer.root.hex() == (
        "a60ad8bd2f6aa3aa578a9c68fa3527d13fda85bea0d0345f13cdb3f36a039636"
    )


def chi_square(decks: list[bytes]) -> float:
    """How far from uniform: the z-score of cards by places."""
    counts = Counter((place, card) for deck in decks for place, card in enumerate(deck))
    expected = len(decks) / 52
    chi2 = sum(
        (counts[place, card] - expected) ** 2 / expected
        for place in range(52)
        for card in range(52)
    )
    freedom = 51 * 51
    return float((chi2 - freedom) / (2 * freedom) ** 0.5)


@pytest.mark.slow
def test_d18_layers_are_uniform_even_if_one_of_them_is_not() -> None:
    """D18: permutations of fresh seeds, and their product with a fixed layer."""
    rng = random.Random(18)  # noqa: S311 - repeatable seeds
    honest = [
        derive_layer(rng.randbytes(32), context(rng.randbytes(32), 0, 0, 0)).perm
        for _ in range(2500)
    ]
    constants = [
        bytes(range(52)),
        bytes(range(51, -1, -1)),
        bytes(range(7, 52)) + bytes(range(7)),
        bytes(rng.sample(range(52), 52)),
    ]
    dealt = [honest]
    for fixed in constants:
        dealt.append([bytes(fixed[slot] for slot in perm) for perm in honest])
        dealt.append([bytes(perm[slot] for slot in fixed) for perm in honest])
    for decks in dealt:
        assert abs(chi_square(decks)) < 4
        assert abs(neighbours(decks)) < 4
    assert chi_square([constants[1]] * 100) > 100  # the measures themselves can tell
    assert neighbours([constants[1]] * 100) > 100


def neighbours(decks: list[bytes]) -> float:
    """The same for the distance of each card to the next: no order is left either."""
    counts = Counter(
        (later - card) % 52
        for deck in decks
        for card, later in itertools.pairwise(deck)
    )
    expected = len(decks)
    chi2 = sum((counts[d] - expected) ** 2 / expected for d in range(1, 52))
    return float((chi2 - 50) / (2 * 50) ** 0.5)


# D19 ------------------------------------------------------------------------------


def plant(monkeypatch: pytest.MonkeyPatch, player: Player, place: _Swap) -> None:
    """Let one player's seeds make a layer with two cards exchanged."""
    fresh = Secrets.fresh

    def planted(rand: Callable[[int], bytes], k: int) -> Secrets:
        honest = fresh(rand, k)
        if rand != player.rng.randbytes:
            return honest
        deck, candidate, slots = place
        return Rigged(
            honest,
            deck=deck,
            candidate=candidate,
            change=lambda perm: exchanged(perm, slots),
        )

    monkeypatch.setattr(Secrets, "fresh", planted)


_Swap = tuple[int, int, tuple[int, int]]


def exchanged(perm: bytes, slots: tuple[int, int]) -> bytes:
    """A permutation with the values of two slots exchanged: still one."""
    changed = bytearray(perm)
    first, second = slots
    changed[first], changed[second] = perm[second], perm[first]
    return bytes(changed)


def view_of(pair: Pair, swap: _Swap, seat: int) -> list[object]:
    """All that the other side has heard, without the commitments to two slots."""
    seen: list[object] = []
    deck, candidate, slots = swap
    for message in pair.players[seat].sent:
        seen.append((type(message).__name__, len(wire.encode_message(message))))
        if isinstance(message, wire.EventMessage):
            event = decode_event(message.event)
            body = list(event.body)
            if event.type == EventType.COMMIT:
                body[deck] = blotted(body[deck], [candidate])
            if event.type == EventType.REVEAL:
                body[2 + deck] = blotted(body[2 + deck], slots)
            seen.append((event.seq, event.type, event.state, body))
    seen += [
        (n.seq, n.author, n.action, n.state.position)
        for n in pair.players[1 - seat].notices
        if isinstance(n, EventFinal)
    ]
    return seen


def blotted(data: object, places: list[int] | tuple[int, ...]) -> bytes:
    """Hashes with some of them blacked out."""
    assert isinstance(data, bytes)
    hashes = [data[i : i + 32] for i in range(0, len(data), 32)]
    return b"".join(b"" if n in places else h for n, h in enumerate(hashes))


def game_with(seed: int, players: tuple[Player, Player]) -> Pair:
    """A game up to the point where a card of role 0's stock is to be opened."""
    pair = Pair(*players, seed=seed)
    pair.players[0].options["terms"] = terms("russian-bank")
    pair.connect()
    mover = int(position_of(pair.players[0]).active)
    if mover == 0:
        pair.command(0, Act(TURN))
        pair.deliver(1)
    return pair


@pytest.mark.parametrize("deck", [0, 1])
def test_d19_before_its_opening_a_card_leaves_no_trace(
    deck: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D19: two games with two hidden cards exchanged look the same to the other."""

    def players() -> tuple[Player, Player]:
        return make_player("Ala", seed=3), make_player("Olek", seed=3)

    honest = game_with(3, players())
    deal = state_of(honest.players[0]).deal
    kept = deal.kept(0, deck)
    # Two places of role 0's layer that the lay-out has not opened.
    unseen = [s for s in range(20, 52) if not deal.used_slots[deck] >> s & 1]
    swap = (deck, kept, (unseen[0], unseen[1]))
    other = players()
    plant(monkeypatch, other[0], swap)
    exchanged_game = game_with(3, other)
    assert view_of(honest, swap, 0) == view_of(exchanged_game, swap, 0)
    heads = [log_of(pair.players[0]).head for pair in (honest, exchanged_game)]
    assert heads[0] != heads[1]  # it really was another shuffle
