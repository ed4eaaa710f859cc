"""D: the set-up: commitments, challenges, reveals and openings that lie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import DISCARD, TURN
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.fairdeal.layer import context, derive_layer
from crapette_p2p.gamelog.bodies import Body
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.genesis import Genesis, Match, encode_genesis
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Propose
from crapette_p2p.session.notices import TermsProposed
from tests.adversarial.by_hand import (
    ByHand,
    dealt,
    honest_secrets,
    rigged,
    started,
)
from tests.adversarial.stages import in_lobby
from tests.adversarial.verdicts import Conviction, Court
from tests.helpers.driving import position_of
from tests.helpers.pair import terms

SIDES = pytest.mark.parametrize("victim", [0, 1])
COMMIT, CHALLENGE = EventType.COMMIT, EventType.CHALLENGE
REVEAL, AUDIT = EventType.REVEAL, EventType.AUDIT
OPEN_A, OPEN_B = EventType.OPEN_A, EventType.OPEN_B


def flipped(data: object, at: int = 0) -> bytes:
    """Bytes with one bit turned."""
    assert isinstance(data, bytes)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def swapped(data: object, size: int = 32) -> bytes:
    """Bytes whose first two items change places."""
    assert isinstance(data, bytes)
    return data[size : 2 * size] + data[:size] + data[2 * size :]


def wrong(
    victim: int, kind: EventType, body: Body, code: int, k: int = 2
) -> Conviction | None:
    """An event of that type and body is refused with the code, provably."""
    cheat = started(victim=victim, k=k)
    cheat.settle_until_owing(kind)
    cheat.say(cheat.event(kind, body))
    return cheat.require(code, proven=True)


def honest_body(victim: int, kind: EventType, k: int = 2) -> Body:
    """What the cheat would send if he were honest."""
    return started(victim=victim, k=k).settle_until_owing(kind)[1]


@SIDES
def test_d01_a_seed_that_was_not_committed(victim: int, court: Court) -> None:
    """D1: any seed of either deck, or two in the wrong order: 302."""
    seeds0, seeds1, *slots = honest_body(victim, REVEAL, k=3)
    bodies = [
        (flipped(seeds0), seeds1, *slots),
        (flipped(seeds0, 63), seeds1, *slots),
        (seeds0, flipped(seeds1, 40), *slots),
        (swapped(seeds0), seeds1, *slots),
        (seeds1, seeds0, *slots),
    ]
    court.convict(*(wrong(victim, REVEAL, body, 302, k=3) for body in bodies))


@SIDES
def test_d02_slots_that_are_not_the_chosen_ones(victim: int, court: Court) -> None:
    """D2: slot hashes that do not make the root: 302."""
    seeds0, seeds1, slots0, slots1 = honest_body(victim, REVEAL)
    bodies = [
        (seeds0, seeds1, flipped(slots0, 1663), slots1),
        (seeds0, seeds1, slots0, flipped(slots1)),
        (seeds0, seeds1, swapped(slots0), slots1),
        (seeds0, seeds1, slots1, slots0),
    ]
    found = [wrong(victim, REVEAL, body, 302) for body in bodies]
    court.convict(*found)


def one_card(perm: bytes) -> bytes:
    """Fifty-two times the same."""
    return bytes([perm[0]]) * 52


@SIDES
@pytest.mark.parametrize("deck", [0, 1])
def test_d03_duplicates_in_a_candidate_that_is_opened(
    victim: int, deck: int, court: Court
) -> None:
    """D3, P13: no seed makes such a layer, so its REVEAL is 302."""
    cheat = rigged(one_card, deck=deck, victim=victim, kept=False)
    cheat.say(cheat.event(*cheat.settle_until_owing(REVEAL)))
    court.convict(cheat.require(302, proven=True))


@SIDES
@pytest.mark.parametrize("deck", [0, 1])
def test_d04_duplicates_in_the_kept_one_show_at_the_lay_out(
    victim: int, deck: int, court: Court
) -> None:
    """D4: the same card or slot twice in one deck: 406, at once if it is blatant."""
    cheat = rigged(one_card, deck=deck, victim=victim)
    kind = OPEN_B if cheat.seat == deck else OPEN_A
    cheat.say(cheat.event(*cheat.settle_until_owing(kind)))
    court.convict(cheat.require(406, proven=True))


def test_d04_duplicates_that_show_at_the_second_turn(court: Court) -> None:
    """D4: whatever the lay-out has not opened is one card: his second one is 406."""
    seed = next(s for s in range(1, 20) if mover_at(dealt(seed=s)) == 1)
    opened = dealt(seed=seed).state.deal.used_slots[1]

    def all_the_same(perm: bytes) -> bytes:
        hidden = [slot for slot in range(52) if not opened >> slot & 1]
        return bytes(perm[hidden[0]] if i in hidden else perm[i] for i in range(52))

    cheat = rigged(all_the_same, deck=1, seed=seed)
    cheat.settle(lambda state: state.position is not None)
    for seat in (1, 0, 1):
        assert mover_at(cheat) == seat
        cheat.play(seat, TURN)
        if seat == 0 or cheat.honest.closed is None:
            cheat.play(seat, DISCARD)
    cheat.before = cheat.honest_length()
    court.convict(cheat.require(406, proven=True))
    turned = [e.signed.event.type for e in cheat.log.entries].count(EventType.TURN)
    assert turned == 3


def mover_at(cheat: ByHand) -> int:
    """The seat of the player to move."""
    return int(position_of(cheat.honest).active)


@SIDES
@pytest.mark.parametrize("deck", [0, 1])
def test_d04_duplicates_that_never_show_are_found_by_the_audit(
    victim: int, deck: int, court: Court
) -> None:
    """D4: the winner's and the loser's AUDIT re-derive all 52: 408."""
    used = dealt(victim=victim).state.deal
    for winner in (victim, 1 - victim):
        shown = used.used_slots[deck] if 1 - victim == deck else 0

        def last_two(perm: bytes, shown: int = shown) -> bytes:
            unseen = [i for i in range(51, 20, -1) if not shown >> i & 1]
            changed = bytearray(perm)
            changed[unseen[0]] = changed[unseen[1]]
            return bytes(changed)

        cheat = rigged(last_two, deck=deck, victim=victim)
        cheat.settle(lambda state: state.position is not None)
        cheat.resign(1 - winner)
        cheat.say(cheat.event(*cheat.settle_until_owing(AUDIT)))
        court.convict(cheat.require(408, proven=True))


def test_d05_mirrored_roots(court: Court) -> None:
    """D5: the victim's roots, whole or one of them, or one's own twice: 304."""
    cheat = started(victim=0)
    cheat.settle_until_owing(COMMIT)
    mirrored = cheat.log.entries[0].signed.event.body
    (own0, own1) = honest_body(0, COMMIT)
    assert isinstance(own0, bytes)
    assert isinstance(own1, bytes)
    assert isinstance(mirrored[1], bytes)
    bodies: list[Body] = [
        mirrored,
        (mirrored[1], mirrored[0]),
        (own0[:32] + mirrored[1][32:], own1),
        (own0, own0),
        (own0[:32] * 2, own1),
    ]
    court.convict(*(wrong(0, COMMIT, body, 304) for body in bodies))


def test_d05_an_opening_of_the_others_is_none_of_ours(court: Court) -> None:
    """D5: the victim's own values and salts under the cheat's label: 405."""
    cheat = started(victim=0)
    cheat.settle_until_owing(OPEN_B)
    theirs = [e.signed.event for e in cheat.log.entries if e.signed.event.type == 5]
    assert theirs
    (_, lines) = theirs[0].body
    deck, mine = cheat.owed()[1]
    assert isinstance(lines, tuple)
    assert isinstance(mine, tuple)
    copied = tuple(
        (own[0], line[1], line[2]) for own, line in zip(mine, lines, strict=True)
    )
    cheat.say(cheat.event(OPEN_B, (deck, copied)))
    court.convict(cheat.require(405, proven=True))


@SIDES
def test_d06_roots_of_a_game_before(victim: int, court: Court) -> None:
    """D6: commitments of another game id open to nothing here: 302."""
    secrets = honest_secrets()
    cheat = started(victim=victim, secrets=secrets)
    old = tuple(
        b"".join(
            derive_layer(secrets.seed(d, c), context(bytes(32), cheat.seat, d, c)).root
            for c in (0, 1)
        )
        for d in (0, 1)
    )
    cheat.settle_until_owing(COMMIT)
    cheat.say(cheat.event(COMMIT, old))
    cheat.say(cheat.event(*cheat.settle_until_owing(REVEAL)))
    court.convict(cheat.require(302, proven=True))


@SIDES
def test_d07_roots_of_deck_0_for_deck_1(victim: int, court: Court) -> None:
    """D7: the deck is in every label, so they open to nothing there: 302."""
    secrets = honest_secrets()
    cheat = started(victim=victim, secrets=secrets)
    game_id = cheat.log.game_id
    moved = tuple(
        b"".join(
            derive_layer(
                secrets.seed(d, c), context(game_id, cheat.seat, 1 - d, c)
            ).root
            for c in (0, 1)
        )
        for d in (0, 1)
    )
    cheat.settle_until_owing(COMMIT)
    cheat.say(cheat.event(COMMIT, moved))
    cheat.say(cheat.event(*cheat.settle_until_owing(REVEAL)))
    court.convict(cheat.require(302, proven=True))


@SIDES
def test_d08_a_candidate_that_does_not_exist(victim: int, court: Court) -> None:
    """D8: challenge index K, K+1, a huge one, a boolean, one too many: 404."""
    bodies: list[Body] = [
        (2, 0),
        (0, 3),
        (0, 2**63 - 1),
        (True, 0),
        (0,),
        (0, 1, 0),
        (None, 0),
    ]
    found = [wrong(victim, CHALLENGE, body, 404) for body in bodies]
    court.convict(*found)


@pytest.mark.parametrize("k", [0, 1, 129, 2**63 - 1])
def test_d10_too_few_or_too_many_candidates(k: int) -> None:
    """D10: K outside 2 to 128 is 301, and nobody is asked."""
    proposed(k, 301)


@pytest.mark.parametrize("k", [2, 15])
def test_d10_fewer_candidates_than_we_want(k: int) -> None:
    """D10, P20: role 1 insists on its own minimum."""
    proposed(k, 301)


@pytest.mark.parametrize("bent", ["keys", "roles", "nicks", "match"])
def test_d10_terms_that_are_not_ours(bent: str) -> None:
    """D10: other keys or nicks than at the login, roles exchanged, a made-up match."""
    hostile = in_lobby(victim=1)
    ala, olek = hostile.cheat.key.public, hostile.honest.key.public
    changes: dict[str, dict[str, object]] = {
        "keys": {"keys": (ala, bytes(31) + b"\x07")},
        "roles": {"keys": (olek, ala), "nicks": ("Olek", "Ala")},
        "nicks": {"nicks": ("Ala", "Ola")},
        "match": {"match": Match(2, 3, (1, 0), bytes(32))},
    }
    proposed(16, 301, **changes[bent])


def proposed(k: int, code: int, **changes: object) -> None:
    """A proposal with that K, bent further, is turned down at once."""
    hostile = in_lobby(victim=1)
    hostile.honest.options["min_candidates"] = 16
    hostile.pair.connect()
    hostile.honest.notices.clear()
    ala, olek = hostile.cheat, hostile.honest
    genesis = Genesis(
        preset="crapette",
        rules=PRESETS["crapette"],
        k=k,
        keys=(ala.key.public, olek.key.public),
        nicks=("Ala", "Olek"),
        nonces=(bytes(32), None),
    )
    genesis = replace(genesis, **changes)  # type: ignore[arg-type] # fields by name
    hostile.say(wire.ProposeMessage(encode_genesis(genesis)))
    hostile.require(code)
    assert not hostile.honest.of(TermsProposed)


@SIDES
def test_d10_another_k_than_agreed(victim: int, court: Court) -> None:
    """D10: roots or seeds for one candidate more or less: 404."""
    roots0, roots1 = honest_body(victim, COMMIT)
    assert isinstance(roots0, bytes)
    assert isinstance(roots1, bytes)
    more = bytes(32)
    found = [
        wrong(victim, COMMIT, (roots0 + more, roots1), 404),
        wrong(victim, COMMIT, (roots0, roots1[:32]), 404),
        wrong(victim, COMMIT, (roots0, roots1, more), 404),
    ]
    seeds0, seeds1, *slots = honest_body(victim, REVEAL)
    assert isinstance(seeds0, bytes)
    found.append(wrong(victim, REVEAL, (seeds0 + more, seeds1, *slots), 404))
    found.append(wrong(victim, REVEAL, (seeds0, b"", *slots), 404))
    court.convict(*found)


def test_d10_an_acceptance_of_other_terms() -> None:
    """D10: ACCEPT signs the id of this very genesis; another K is 403."""
    hostile = in_lobby(victim=0)
    hostile.pair.held[1] = True
    hostile.pair.command(0, Propose(terms()))
    hostile.say(wire.Accept(bytes(32), hostile.cheat.key.sign(b"another genesis")))
    hostile.require(403)
