"""The recorded games, played over by the slow second reading of the rules.

The oracle (``tests/helpers/oracle.py``) shares no code with the package. It gets the
decks out of the opened shuffles and the actions as text, and has to come to every
table that the recorded states show.
"""

from __future__ import annotations

import pytest

from crapette_p2p.canonical import decode
from crapette_p2p.cards import CARD_NAMES
from crapette_p2p.fairdeal.dealer import full_deck
from crapette_p2p.fairdeal.layer import context, derive_layer
from crapette_p2p.gamelog.records import RecordKind, read_records
from tests.helpers import oracle
from tests.vectors.making.games import GAMES
from tests.vectors.making.plans import PLANS
from tests.vectors.test_games import index_of, states_of

State = tuple[object, ...]
SET_UP = 10


def events_of(preset: str) -> list[State]:
    """The events of a recorded game, decoded."""
    records = read_records((GAMES / f"{preset}.crlog").read_bytes()).records
    found = []
    for record in records:
        if record.kind == RecordKind.EVENT:
            event = decode(record.body[0])  # type: ignore[arg-type] # bytes in an EVENT
            assert isinstance(event, tuple)
            found.append(event)
    return found


def decks_of(preset: str) -> tuple[bytes, bytes]:
    """Both decks by deal position, from the seeds the players opened."""
    events = events_of(preset)
    kept = {1: events[2][7], 0: events[3][7]}
    seeds = {event[3]: event[7] for event in events if event[6] == 48}
    perms = {}
    for role in (0, 1):
        for deck in (0, 1):
            ctx = context(bytes.fromhex(index_of(preset)["game_id"]), role, deck, 0)
            candidate = kept[role][deck]  # type: ignore[index] # a pair of numbers
            ctx = ctx[:-2] + candidate.to_bytes(2, "big")
            perms[role, deck] = derive_layer(seeds[role][deck], ctx).perm  # type: ignore[index] # a pair of seeds
    return (
        full_deck(perms[1, 0], perms[0, 0]),
        full_deck(perms[0, 1], perms[1, 1]),
    )


def table_of(state: State, decks: tuple[bytes, bytes]) -> dict[str, object]:
    """A recorded state in the oracle's words."""
    _, _, active, acts, _, piles, counters = state[:7]
    assert isinstance(piles, tuple)
    assert isinstance(counters, tuple)
    names = [
        [CARD_NAMES[decks[slot // 52][slot % 52]] for slot in pile] for pile in piles
    ]
    sides = {
        name: {
            "reserve": names[16 + seat],
            "stock": names[18 + seat],
            "drawn": names[20 + seat][0] if names[20 + seat] else None,
            "waste": names[22 + seat],
        }
        for seat, name in enumerate("AB")
    }
    heights = {s: [len(names[8 + 2 * n]), len(names[9 + 2 * n])] for n, s in _SUITS}
    return {
        "to_move": "AB"[int(str(active))],
        "acts": acts,
        "tableau": names[:8],
        "foundations": heights,
        "limit": counters[1],
        "fewest": counters[2],
        "wrong": state[9],
        **sides,
    }


_SUITS = tuple(enumerate("CDSH"))


def seen_by(state: oracle.State) -> dict[str, object]:
    """The same of the oracle's state."""
    keys = ("to_move", "acts", "tableau", "foundations", "fewest", "A", "B")
    wrong = [state["wrong"][seat] for seat in "AB"]
    out = [state["sit_out"][seat] for seat in "AB"]
    return {key: state[key] for key in keys} | {
        "limit": oracle.limit(state),
        "wrong": (int(state["banned"]), *wrong, *out),
    }


@pytest.mark.slow
@pytest.mark.parametrize("preset", PLANS)
def test_the_oracle_comes_to_the_same_tables(preset: str) -> None:
    """Every table of a recorded game is the one the rules' text leads to."""
    decks, states = decks_of(preset), states_of(preset)
    texts = tuple([CARD_NAMES[card] for card in deck] for deck in decks)
    begun = decode(states[SET_UP])
    assert isinstance(begun, tuple)
    rules = index_of(preset)["terms"]["rules"]
    table = oracle.start(rules, (texts[0], texts[1]), lot=0)
    assert seen_by(table) == table_of(begun, decks)
    for seq, (author, _, text, _) in enumerate(index_of(preset)["events"]):
        if text is None:
            continue
        action = text.removesuffix(f" {author}")
        if not action.startswith("stop "):
            action = action.partition(" ")[0]
        table = oracle.play(table, author, action, seq=seq)
        after = decode(states[seq + 1])
        assert isinstance(after, tuple)
        assert seen_by(table) == table_of(after, decks), seq
