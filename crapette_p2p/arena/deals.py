"""One deal between two bots, played out in this process, and what it showed.

The referee deals all 104 cards, but the bots see a position in which only what
has come up is known, exactly as over a connection. Everything follows from the
numbers of the ``Task``: played again, it is the same deal with the same actions.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from crapette_p2p.bot import TurnMemory, choose
from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    Action,
    Position,
    RuleSet,
    Stop,
    TableAction,
    judge,
    play,
    start,
    turn_up,
)
from crapette_p2p.engine.counters_json import end_reason
from crapette_p2p.engine.layout import SEATS, Seat, other

FIRST_SEQ = 10
"""The number of a deal's first event after the set-up (protocol.md 5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One deal to be played."""

    number: int
    """Which deal of the arena."""
    swapped: bool
    """False: ``a`` has seat A; True: ``b`` has, with the same cards."""
    a: str
    """The level that is measured."""
    b: str
    """The level it plays against."""
    rules: RuleSet
    seed: int
    """The arena's seed."""
    nodes: int | None = None
    """Boards a searching level looks at for one action; None = its own number."""
    nodes_b: int | None = None
    """The same for ``b``, where the two differ."""

    @property
    def budgets(self) -> tuple[int | None, int | None]:
        """The boards of seats A and B."""
        a, b = self.nodes, self.nodes_b or self.nodes
        return (b, a) if self.swapped else (a, b)

    @property
    def levels(self) -> tuple[str, str]:
        """The levels in seats A and B."""
        return (self.b, self.a) if self.swapped else (self.a, self.b)


@dataclass(slots=True)
class Tally:
    """What one seat did in a deal."""

    offences: int = 0
    """Offences committed (under ``automatic``: penalties)."""
    right_calls: int = 0
    wrong_calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a deal went; seats are those of the deal."""

    number: int
    swapped: bool
    winner: int | None
    """A seat, or None for a draw."""
    reason: str
    """empty, blocked, limit, agreed, resigned."""
    points: int
    starter: int
    """The seat that moved first."""
    events: int
    turns: int
    longest_turn: int
    """Table actions of the longest turn."""
    offences: tuple[int, int]
    right_calls: tuple[int, int]
    wrong_calls: tuple[int, int]


def shuffled_faces(numbers: random.Random) -> bytes:
    """Two shuffled decks by slot, the same on every Python version."""
    faces = bytearray()
    for _ in SEATS:
        deck = list(range(52))
        for last in range(51, 0, -1):
            # Only random() is promised to repeat across versions, not shuffle().
            chosen = int(numbers.random() * (last + 1))
            deck[last], deck[chosen] = deck[chosen], deck[last]
        faces += bytes(deck)
    return bytes(faces)


def layout_only(faces: bytes, rules: RuleSet) -> bytes:
    """What is seen of the faces before the first action."""
    first = rules.reserve_size - 1
    seen = {deck + first + i for deck in (0, 52) for i in range(5)}
    return bytes(f if slot in seen else UNKNOWN for slot, f in enumerate(faces))


@dataclass(slots=True)
class Referee:
    """Plays one task; ``outcome`` runs it to the end."""

    task: Task
    faces: bytes = b""
    position: Position = field(init=False)
    events: int = FIRST_SEQ
    turns: int = 1
    longest_turn: int = 0
    tallies: tuple[Tally, Tally] = field(default_factory=lambda: (Tally(), Tally()))
    _whims: tuple[random.Random, ...] = ()
    _memories: tuple[TurnMemory, ...] = ()
    _acts: int = 0

    def __post_init__(self) -> None:
        task = self.task
        cards = _numbers(task.seed, task.number, "cards")
        self.faces = self.faces or shuffled_faces(cards)
        lot = int(cards.random() * 2)
        self.position = start(task.rules, layout_only(self.faces, task.rules), lot=lot)
        # A level has the same whims in both seats.
        self._whims = tuple(
            _numbers(task.seed, task.number, "ab"[seat ^ task.swapped])
            for seat in SEATS
        )
        self._memories = (TurnMemory(), TurnMemory())

    def outcome(self) -> Outcome:
        """Play to the end."""
        starter = self.position.active
        while (end := self.position.end) is None or end.provisional_by is not None:
            self.step()
        first, second = self.tallies
        return Outcome(
            number=self.task.number,
            swapped=self.task.swapped,
            winner=end.winner,
            reason=end_reason(end),
            points=end.points,
            starter=starter,
            events=self.events - FIRST_SEQ,
            turns=self.turns,
            longest_turn=self.longest_turn,
            offences=(first.offences, second.offences),
            right_calls=(first.right_calls, second.right_calls),
            wrong_calls=(first.wrong_calls, second.wrong_calls),
        )

    def step(self) -> tuple[Seat, Action]:
        """Let one bot do one thing, and open the card that comes up by it."""
        before = self.position
        seat, action = self._next_action()
        after = play(before, seat, action, seq=self.events)
        self._count(before, seat, action, after)
        slot = after.unopened()
        while slot is not None:
            after = turn_up(after, slot, self.faces[slot])
            slot = after.unopened()
        if not has_every_card(after):
            raise AssertionError(f"cards got lost: {self.task}, event {self.events}")
        self.position = after
        self.events += 1
        return seat, action

    def _next_action(self) -> tuple[Seat, Action]:
        """The opponent of whoever can be called is asked first, then the mover."""
        position = self.position
        callable_seat = position.callable
        mover = position.active
        first = other(mover if callable_seat is None else callable_seat)
        for seat in (first, other(first)):
            action = choose(
                position,
                seat,
                level=self.task.levels[seat],
                rand=self._whims[seat].random,
                nodes=self.task.budgets[seat],
                memory=self._memories[seat],
            )
            if action is not None:
                return seat, action
        raise AssertionError("no bot has anything to do in a running deal")

    def _count(
        self, before: Position, seat: Seat, action: Action, after: Position
    ) -> None:
        if isinstance(action, Stop):
            if judge(before, action) is None:
                self.tallies[seat].wrong_calls += 1
            else:
                self.tallies[seat].right_calls += 1
                self.turns += 1
                self._acts = 0
            return
        if not isinstance(action, TableAction):
            return
        self._acts += 1
        self.longest_turn = max(self.longest_turn, self._acts)
        if after.penalty is not None or _offended(before, after, self.events):
            self.tallies[seat].offences += 1
        if after.active != before.active:
            self._acts = 0
            self.turns += after.end is None


def _offended(before: Position, after: Position, seq: int) -> bool:
    """Whether the action just made is an offence that can be called."""
    return after.offences != before.offences and any(
        offence.seq == seq for offence in after.offences
    )


def _numbers(seed: int, number: int, what: str) -> random.Random:
    return random.Random(f"{seed}/{number}/{what}")  # noqa: S311 - to be repeated


def has_every_card(position: Position) -> bool:
    """Whether each of the 104 cards lies in exactly one place."""
    lying = b"".join(position.piles)
    return len(lying) == len(set(lying)) == 104


def play_pair(tasks: tuple[Task, Task]) -> tuple[Outcome, Outcome]:
    """Play a deal with both seatings."""
    one, two = tasks
    return Referee(one).outcome(), Referee(two).outcome()
