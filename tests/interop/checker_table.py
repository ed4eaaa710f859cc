"""The table: piles, what may be played, duties and counters (spec 20, 4, 5, 8)."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_rulesets import COLUMN, DRAWN, RESERVE, Rules

UNSEEN = 255
TURN_ACTIONS = 400
EVENTS_BLOCK = 16_000
EMPTY, BLOCKED, AGREED, RESIGNED = range(4)


@dataclass(frozen=True)
class Action:
    """A table action, or the play a Stop names.

    Attributes:
        kind: `move`, `turn`, `discard` or `pass`.
        source: The pile a move comes from.
        target: The pile it goes to.
    """

    kind: str
    source: int = -1
    target: int = -1

    @property
    def to_foundation(self) -> bool:
        """Whether it is a foundation play."""
        return self.kind == "move" and 8 <= self.target < 16


@dataclass
class Counts:
    """What a Stop brings back besides the piles (spec 40, 5.6).

    Attributes:
        active: The role to move.
        acts: Table actions of the running turn.
        idle: Idle turns without the running one.
        progressed: Whether there was progress in the running turn.
        limit: How many idle turns block.
        fewest: The lowest sum of both personals.
        passes: Whether the turn before was passed.
        spent: Whether the caller may not call.
        wrong: Wrong calls of both roles.
        sit_out: Turns both roles have to sit out.
    """

    active: int = 0
    acts: int = 0
    idle: int = 0
    progressed: bool = False
    limit: int = 8
    fewest: int = 96
    passes: bool = False
    spent: bool = False
    wrong: tuple[int, int] = (0, 0)
    sit_out: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class End:
    """How a deal ended; `author` while it is provisional."""

    winner: int | None
    reason: int
    points: int
    author: int | None = None


@dataclass(frozen=True)
class Offence:
    """An open offence and the position before it."""

    code: int
    seq: int
    due: tuple[Action, ...]
    piles: tuple[tuple[int, ...], ...]
    counts: Counts


def rank(card: int) -> int:
    """1 for an ace to 13 for a king."""
    return card % 13 + 1


def plus(pair: tuple[int, int], role: int, by: int) -> tuple[int, int]:
    """A pair with one role's number changed."""
    return (pair[0] + by, pair[1]) if role == 0 else (pair[0], pair[1] + by)


@dataclass
class Table:
    """All that lies on the table, and the counts.

    Attributes:
        rules: The rule set.
        faces: A card for each slot.
        piles: 24 piles of slots, bottom first.
        counts: What a Stop brings back.
        strict: Whether turning up an unseen face is refused (spec 10, 5.6).
    """

    rules: Rules
    faces: list[int]
    piles: list[list[int]]
    counts: Counts = field(default_factory=Counts)
    strict: bool = False

    def top(self, pile: int) -> int | None:
        """The card on top of a pile, or None."""
        return self.faces[self.piles[pile][-1]] if self.piles[pile] else None

    def hidden(self, role: int) -> int:
        """Cards in stock, drawn card and waste."""
        return sum(len(self.piles[kind + role]) for kind in (18, 20, 22))

    def personal(self, role: int) -> int:
        """Cards in all piles of a player."""
        return self.hidden(role) + len(self.piles[16 + role])

    @property
    def both(self) -> int:
        """The sum of both personals."""
        return self.personal(0) + self.personal(1)

    def can_turn(self, role: int) -> bool:
        """Whether there is something to turn up."""
        return bool(self.piles[18 + role] or self.piles[22 + role])

    def foundation(self, card: int) -> int | None:
        """The foundation a card fits, the lower of two."""
        if card == UNSEEN:
            return None
        first = 8 + card // 13 * 2
        for pile in (first, first + 1):
            if len(self.piles[pile]) == rank(card) - 1:
                return pile
        return None

    def sources(self, role: int) -> list[int]:
        """The piles a player plays from."""
        own = [22 + role] if self.rules.own_waste_playable else []
        return [16 + role, 20 + role, *range(8), *own]

    def due(self) -> tuple[list[str], list[Action]]:
        """The duties that stand for the mover and the plays that are due."""
        rules, role = self.rules, self.counts.active
        if rules.enforcement == 0 or not rules.foundation_duty:
            return [], []
        names: list[str] = []
        plays = []
        for source in self.sources(role):
            card = self.top(source)
            goal = None if card is None else self.foundation(card)
            if goal is not None:
                plays.append(Action("move", source, goal))
        first = [play for play in plays if play.source == 16 + role]
        if rules.reserve_first and first:
            names, plays = ["F-reserve", "F"], first
        elif plays:
            names = ["F"]
        if self._space_stands(role):
            names.append("space")
            if not plays:
                plays = [
                    Action("move", 16 + role, column)
                    for column in range(8)
                    if not self.piles[column]
                ]
        return names, plays

    def _space_stands(self, role: int) -> bool:
        rules = self.rules
        return bool(
            rules.fill_spaces_before_turn
            and rules.space_sources & RESERVE
            and not self.piles[20 + role]
            and self.can_turn(role)
            and self.counts.acts < TURN_ACTIONS
            and self.piles[16 + role]
            and not all(self.piles[:8])
        )

    def offence(self, action: Action) -> int:
        """The offence an action is, or 0."""
        forced = self.rules.opens_with_turn and self.counts.acts == 0
        if action.kind == "turn" and forced:
            return 0
        names, _ = self.due()
        reserve = action.source == 16 + self.counts.active
        if "F-reserve" in names and not (action.to_foundation and reserve):
            return 1
        if "F" in names and not action.to_foundation:
            return 2
        return 3 if "space" in names and action.kind == "turn" else 0

    def check(self, action: Action) -> None:
        """Refuse what the mover may not play, duties apart.

        Args:
            action: His table action.

        Raises:
            ProtocolError: With a word of tables/refusals.json.
        """
        role = self.counts.active
        forced = self.rules.opens_with_turn and self.counts.acts == 0
        if forced and action.kind != "turn" and self.can_turn(role):
            raise ProtocolError("turn-comes-first")
        if action.kind == "turn":
            self._check_turn(role)
        elif action.kind == "discard":
            if not self.piles[20 + role]:
                raise ProtocolError("nothing-drawn")
        elif action.kind == "pass":
            if self.hidden(role):
                raise ProtocolError("cards-left")
        else:
            self._check_move(role, action)

    def _check_turn(self, role: int) -> None:
        if self.piles[20 + role]:
            raise ProtocolError("card-is-drawn")
        if not self.can_turn(role):
            raise ProtocolError("nothing-to-turn")

    def _check_move(self, role: int, action: Action) -> None:
        if action.source not in self.sources(role):
            raise ProtocolError("no-source")
        card = self.top(action.source)
        if card is None:
            raise ProtocolError("no-card")
        if card == UNSEEN:
            raise ProtocolError("opening-owed")
        if self.counts.acts >= TURN_ACTIONS and not action.to_foundation:
            raise ProtocolError("too-many-actions")
        target = action.target
        if 0 <= target < 8:
            self._check_column(card, action)
        elif 8 <= target < 16:
            goal = self.foundation(card)
            if goal is None or goal // 2 != target // 2:
                raise ProtocolError("foundation-misfit")
            if goal != target:
                raise ProtocolError("other-foundation")
        elif target in (17 - role, 23 - role):
            under = self.top(target)
            if under is None:
                raise ProtocolError("nothing-to-load")
            near = abs(rank(card) - rank(under)) == 1
            if under == UNSEEN or card // 13 != under // 13 or not near:
                raise ProtocolError("load-misfit")
        else:
            raise ProtocolError("no-target")

    def hides(self, action: Action) -> bool:
        """Whether an action would turn up a face that is not given (spec 10, 5.6)."""
        role = self.counts.active
        pile = self.piles[16 + role][:-1] if action.source == 16 + role else []
        if action.kind == "turn":
            pile = self.piles[18 + role] or self.piles[22 + role][:1]
        return self.strict and bool(pile) and self.faces[pile[-1]] == UNSEEN

    @property
    def unopened(self) -> bool:
        """Whether a card lies face up that nobody has opened."""
        tops = [self.piles[pile][-1:] for pile in (16, 17, 20, 21)]
        return any(self.faces[slot] == UNSEEN for top in tops for slot in top)

    def _check_column(self, card: int, action: Action) -> None:
        under = self.top(action.target)
        if under is None:
            kind = {True: COLUMN}.get(action.source < 8, DRAWN)
            kind = RESERVE if action.source in (16, 17) else kind
            if not self.rules.space_sources & kind:
                raise ProtocolError("space-source")
            return
        colours = (card // 13 + under // 13) % 2 == 1
        below = under != UNSEEN and rank(card) == rank(under) - 1
        if action.source == action.target or not colours or not below:
            raise ProtocolError("column-misfit")

    def actions(self) -> Iterator[Action]:
        """All table actions of the mover that are accepted, duties apart."""
        role = self.counts.active
        tries = [Action(kind) for kind in ("turn", "discard", "pass")]
        for source in self.sources(role):
            card = self.top(source)
            goal = None if card is None else self.foundation(card)
            goals = [] if goal is None else [goal]
            targets = [*range(8), *goals, 17 - role, 23 - role]
            tries += [Action("move", source, target) for target in targets]
        for action in tries:
            try:
                self.check(action)
            except ProtocolError:
                continue
            yield action

    def perform(self, action: Action) -> None:
        """Move the cards of an action, nothing else."""
        role, piles = self.counts.active, self.piles
        if action.kind == "turn":
            if not piles[18 + role]:
                piles[18 + role], piles[22 + role] = piles[22 + role][::-1], []
            piles[20 + role].append(piles[18 + role].pop())
        elif action.kind == "discard":
            piles[22 + role].append(piles[20 + role].pop())
        elif action.kind == "move":
            piles[action.target].append(piles[action.source].pop())

    def count(self, action: Action) -> None:
        """Look for progress after an action (spec 20, 8.1 and 8.2)."""
        counts, both = self.counts, self.both
        most = max(self.hidden(0), self.hidden(1))
        if action.to_foundation or both < counts.fewest:
            counts.progressed, counts.idle = True, 0
            counts.fewest, counts.limit = both, 0
        counts.limit = max(8, counts.limit, 2 * most + 2)

    def turn_counts(self, *, lost: bool = False, passed: bool = False) -> bool:
        """Count the turn that ends (spec 20, 8.3); whether two were passed."""
        counts = self.counts
        if lost or not counts.progressed:
            counts.idle += 1
        passed = passed and not counts.progressed
        twice = passed and counts.passes
        counts.passes, counts.progressed = passed, False
        return twice

    def turn_begins(self, seq: int, *, twice: bool = False) -> int:
        """Hand over to the other (spec 20, 8.3, 1 to 4).

        Args:
            seq: The number of the event that ends the turn before.
            twice: Whether two turns in a row were passed.

        Returns:
            0, or 1 when the deal is blocked, 2 when by the number of events.
        """
        counts = self.counts
        counts.acts = 0
        counts.active = 1 - counts.active
        blocked = counts.idle >= counts.limit or twice
        while not blocked and counts.sit_out[counts.active]:
            counts.sit_out = plus(counts.sit_out, counts.active, -1)
            counts.idle += 1
            counts.passes = counts.progressed = False
            counts.active = 1 - counts.active
            blocked = counts.idle >= counts.limit
        if not blocked and seq >= EVENTS_BLOCK:
            return 2
        return int(blocked)

    def won(self, role: int) -> bool:
        """Whether a player has played all he needs to (spec 20, 7.1)."""
        own = range(4 * role, 4 * role + 4)
        needed = ((), own, range(8))[self.rules.win_needs_tableau]
        return not self.personal(role) and not any(self.piles[c] for c in needed)

    def value(self, role: int) -> int:
        """The points in a player's piles (spec 20, 9.1)."""
        return self.hidden(role) + 2 * len(self.piles[16 + role])

    def end(self, reason: int, winner: int | None, author: int | None = None) -> End:
        """An end with its points (spec 20, 9).

        Args:
            reason: A number of spec 40, 3.5.
            winner: Who won; ignored for a blocked deal.
            author: Whose action it was, while it is provisional.

        Returns:
            The end.
        """
        points = 0
        hoyle = self.rules.scoring == 1
        if reason == BLOCKED:
            winner = None
            gap = self.value(0) - self.value(1)
            if self.rules.blocked_result == 1 and gap:
                winner = int(gap > 0)
                points = abs(gap) if hoyle else 1
        elif winner is not None:
            points = 30 + self.value(1 - winner) if hoyle else 1
        return End(winner, reason, points, author)

    def snapshot(self) -> tuple[tuple[tuple[int, ...], ...], Counts]:
        """What a Stop would bring back."""
        return tuple(tuple(pile) for pile in self.piles), replace(self.counts)

    def restore(self, offence: Offence) -> None:
        """Bring back the position before an offence."""
        self.piles = [list(pile) for pile in offence.piles]
        self.counts = replace(offence.counts)
