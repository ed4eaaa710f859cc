"""Generators of rule sets, deals and random games for the property tests.

Everything comes from one seed, so that a failing example is a number. Hypothesis
chooses the seeds and the rule sets; ``CRAPETTE_GAMES=20`` plays twenty times as many
games, other ones at each run (with ``--timeout=0 -o faulthandler_timeout=0``: it
takes its time); CI plays the same few each time.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st

from crapette_p2p.cards import UNKNOWN, format_card
from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    GRANT,
    OFFER_DRAW,
    PRESETS,
    RESIGN,
    Action,
    Move,
    Position,
    RuleSet,
    Stop,
    due_plays,
    format_pile,
    legal_with_offences,
    play,
    refusal,
    resolve_stop,
    start,
)
from crapette_p2p.engine.ruleset import CHOICES, SPACE_BITS, problem

GAMES = int(os.environ.get("CRAPETTE_GAMES", "1"))
"""How many times as many games as in CI."""

Policy = Callable[[Position, random.Random], Action]
"""How the mover of a random game finds his action."""
Step = tuple[Position, int, Action, int, Position]
"""Position before, seat, action, event number, position after."""


def examples(count: int) -> settings:
    """The settings of a property test that takes ``count`` examples in CI."""
    return settings(
        max_examples=count * GAMES,
        derandomize=GAMES == 1,
        database=None,
        deadline=None,
    )


def seeded(seed: int) -> random.Random:
    """The numbers of one random game."""
    return random.Random(seed)  # noqa: S311 - a game has to repeat, no more


def random_rules(rng: random.Random) -> RuleSet:
    """A lawful rule set: a preset with about half of its switches thrown anew."""
    rules = PRESETS[rng.choice(sorted(PRESETS))]
    for name, values in CHOICES.items():
        if rng.random() < 0.4:
            rules = replace(rules, **{name: rng.choice(values)})  # type: ignore[arg-type] # by name
    sources = frozenset(s for s in sorted(SPACE_BITS) if rng.random() < 0.7)
    duty = rng.random() < 0.8
    rules = replace(
        rules,
        reserve_size=rng.choice((11, 12, 13)),
        ace_high_for_start=rng.random() < 0.3,
        opens_with_turn=rng.random() < 0.5,
        foundation_duty=duty,
        reserve_first=duty and rng.random() < 0.5,
        fill_spaces_before_turn=duty and rng.random() < 0.5,
        own_waste_playable=rng.random() < 0.3,
        space_sources=sources,
    )
    assert problem(rules) is None
    return rules


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """The four presets and random lawful rule sets."""
    seeds = st.integers(0, 2**32 - 1)
    random_ones = seeds.map(lambda seed: random_rules(seeded(seed)))
    return st.sampled_from([PRESETS[name] for name in sorted(PRESETS)]) | random_ones


def seeds() -> st.SearchStrategy[int]:
    """Seeds of random games."""
    return st.integers(0, 2**32 - 1)


def random_faces(rng: random.Random) -> bytes:
    """Two shuffled decks, by slot."""
    faces = b""
    for _ in range(2):
        deck = list(range(52))
        rng.shuffle(deck)
        faces += bytes(deck)
    return faces


def only_layout(faces: bytes, rules: RuleSet) -> bytes:
    """The faces of a deal of which nothing but the lay-out has been seen."""
    size = rules.reserve_size
    open_ones = {deck + i for deck in (0, 52) for i in range(size - 1, size + 4)}
    return bytes(f if i in open_ones else UNKNOWN for i, f in enumerate(faces))


def deck_names(faces: bytes) -> tuple[list[str], list[str]]:
    """Both decks as texts, from the top."""
    names = [format_card(face) for face in faces]
    return names[:52], names[52:]


def any_action(position: Position, rng: random.Random) -> Action:
    """Any accepted action, offences included."""
    return rng.choice(legal_with_offences(position))[0]


def lively_action(position: Position, rng: random.Random) -> Action:
    """Mostly a play that gets somewhere, so that games come to their end."""
    listed = [action for action, _ in legal_with_offences(position)]
    wanted = [
        action
        for action in listed
        if isinstance(action, Move) and (action.source > 7 or action.target > 7)
    ]
    if wanted and rng.random() < 0.85:
        return rng.choice(wanted)
    return rng.choice(listed)


def greedy_action(position: Position, rng: random.Random) -> Action:
    """A clean play that gets somewhere, else whatever carries the turn on."""
    clean = [a for a, offence in legal_with_offences(position) if offence is None]
    moves = [a for a in clean if isinstance(a, Move)]
    wanted = [a for a in moves if a.source > 7 or a.target > 7]
    ends = [a for a in clean if not isinstance(a, Move)]
    return rng.choice(wanted or ends or moves)


def _call(position: Position, rng: random.Random) -> Stop:
    """A call that names a due play of an open offence, or anything at all."""
    dues = [due for offence in position.offences for due in due_plays(offence.before)]
    if dues and rng.random() < 0.8:
        due = rng.choice(dues)
        return resolve_stop(position, due.source, format_pile(due.target))
    offender = position.callable or 0
    source = rng.choice((*range(8), 16 + offender, 20 + offender))
    return resolve_stop(position, source, rng.choice("F12345678"))


def _talk(position: Position, rng: random.Random) -> tuple[int, Action] | None:
    """Now and then something that is no table action, lawful for its seat."""
    seat = rng.randrange(2)
    throw = rng.random()
    action: Action = OFFER_DRAW
    if throw < 0.04:
        action = _call(position, rng)
    elif throw < 0.05:
        action = RESIGN if rng.random() < 0.03 else OFFER_DRAW
    elif throw < 0.30:
        action = ACCEPT_DRAW if rng.random() < 0.02 else DECLINE_DRAW
    else:
        return None
    return None if refusal(position, seat, action) else (seat, action)


def random_step(
    position: Position, rng: random.Random, policy: Policy
) -> tuple[int, Action]:
    """Who does what next in a random game."""
    end = position.end
    if end is not None:
        assert end.provisional_by is not None
        caller = 1 - end.provisional_by
        stop = _call(position, rng)
        if rng.random() < 0.5 and refusal(position, caller, stop) is None:
            return caller, stop
        return caller, GRANT
    offended = position.callable if position.offences else None
    if offended is not None and rng.random() < 0.1:
        stop = _call(position, rng)
        if refusal(position, 1 - offended, stop) is None:
            return 1 - offended, stop
    return _talk(position, rng) or (position.active, policy(position, rng))


def is_over(position: Position) -> bool:
    """Whether the deal has ended for good."""
    return position.end is not None and position.end.provisional_by is None


def random_game(
    rules: RuleSet,
    seed: int,
    *,
    policy: Policy = lively_action,
    steps: int = 400,
    seq: int = 10,
) -> Iterator[Step]:
    """A game with all faces given, at most ``steps`` events long."""
    rng = seeded(seed)
    position = start(rules, random_faces(rng), lot=rng.randrange(2))
    for number in range(seq, seq + steps):
        if is_over(position):
            return
        seat, action = random_step(position, rng, policy)
        after = play(position, seat, action, seq=number)
        yield position, seat, action, number, after
        position = after
