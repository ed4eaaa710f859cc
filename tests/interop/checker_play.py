"""What players do: actions, Stops, draws and ends (spec 20, 4 to 9)."""

from dataclasses import dataclass, field, replace

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_table import (
    AGREED,
    BLOCKED,
    EMPTY,
    RESIGNED,
    Action,
    End,
    Offence,
    Table,
    plus,
)

OFFENCES = ("", "reserve-first", "missed-foundation", "unfilled-space")


@dataclass
class Play:
    """A deal in play.

    Attributes:
        table: Piles and counts.
        callable: The role whose actions are callable.
        offences: The open offences, in order.
        offer: The role whose offer of a draw is open.
        offered: 1 if role 0 has offered in this turn, plus 2 if role 1 has.
        end: How it ended.
        limited: Whether it was blocked by the number of events.
        last_actor: Who made the last table action.
    """

    table: Table
    callable: int | None = None
    offences: list[Offence] = field(default_factory=list)
    offer: int | None = None
    offered: int = 0
    end: End | None = None
    limited: bool = False
    last_actor: int | None = None

    def copy(self) -> "Play":
        """The same deal once more."""
        old = self.table
        piles = [pile.copy() for pile in old.piles]
        counts = replace(old.counts)
        table = replace(old, faces=old.faces.copy(), piles=piles, counts=counts)
        return replace(self, table=table, offences=self.offences.copy())

    def _no_end(self) -> None:
        if self.end is not None:
            word = "game-over" if self.end.author is None else "end-is-provisional"
            raise ProtocolError(word)

    def _finish(self, end: End) -> None:
        self.end, self.offer = end, None

    def _end_turn(
        self, seq: int, author: int | None = None, *, lost: bool, passed: bool = False
    ) -> None:
        twice = self.table.turn_counts(lost=lost, passed=passed)
        self._begin_turn(seq, author, twice=twice)

    def _begin_turn(
        self, seq: int, author: int | None = None, *, twice: bool = False
    ) -> None:
        blocked = self.table.turn_begins(seq, twice=twice)
        self.offered = 0
        if blocked:
            self.limited = blocked == 2
            self._finish(self.table.end(BLOCKED, None, author))

    def accepts(self, action: Action) -> bool:
        """Whether the mover may make a table action now."""
        try:
            self._no_end()
            self.table.check(action)
        except ProtocolError:
            return False
        how = self.table.rules.enforcement
        ending = action.kind in ("discard", "pass")
        if how in (1, 3) and self.table.offence(action):
            return how == 1 and not ending
        return not self.table.hides(action)

    def act(self, role: int, action: Action, seq: int) -> str:
        """Make a table action.

        Args:
            role: Who acts.
            action: What he does.
            seq: The number of the event.

        Returns:
            The name of the offence it is, or nothing.

        Raises:
            ProtocolError: With a word of tables/refusals.json.
        """
        table, rules = self.table, self.table.rules
        self._no_end()
        if role != table.counts.active:
            raise ProtocolError("not-your-turn")
        table.check(action)
        code = table.offence(action)
        ending = action.kind in ("discard", "pass")
        if code and (rules.enforcement == 3 or (rules.enforcement == 1 and ending)):
            raise ProtocolError(OFFENCES[code])
        if table.hides(action) and not (code and rules.enforcement == 1):
            raise ProtocolError("unknown-card")
        if self.offer == 1 - role:
            self.offer = None
        self.last_actor = role
        if code and rules.enforcement == 1:
            self._drop_drawn(role)
            self._end_turn(seq, lost=True)
            return OFFENCES[code]
        if rules.calls:
            self._open_window(role, action, code, seq)
        table.perform(action)
        table.counts.acts += 1
        table.count(action)
        author = role if rules.calls else None
        if table.won(role):
            self._finish(table.end(EMPTY, role, author))
        elif ending:
            self._end_turn(seq, author, lost=False, passed=action.kind == "pass")
        return OFFENCES[code]

    def _open_window(self, role: int, action: Action, code: int, seq: int) -> None:
        piles, counts = self.table.snapshot()
        if self.callable != role:
            self.callable, self.offences = role, []
            self.table.counts.spent = False
        elif self.table.rules.stop_window == 1:
            self.offences = []
        if code:
            due = tuple(self.table.due()[1])
            self.offences.append(Offence(code, seq, due, piles, counts))

    def _drop_drawn(self, role: int) -> None:
        piles = self.table.piles
        piles[22 + role] += piles[20 + role]
        piles[20 + role] = []

    def check_stop(self, role: int) -> None:
        """Refuse a Stop that may not be called (spec 20, 6.3)."""
        if self.end is not None and self.end.author is None:
            raise ProtocolError("game-over")
        if not self.table.rules.calls:
            raise ProtocolError("no-calls")
        if self.callable != 1 - role:
            raise ProtocolError("nothing-to-call")
        if self.table.counts.spent:
            raise ProtocolError("call-spent")

    def stop(self, role: int, named: Action, seq: int) -> bool:
        """Call Stop.

        Args:
            role: Who calls.
            named: The missed play.
            seq: The number of the event.

        Returns:
            Whether it is upheld.
        """
        self.check_stop(role)
        for offence in self.offences:
            if named in offence.due:
                self._uphold(1 - role, offence, named, seq)
                return True
        counts = self.table.counts
        counts.spent, counts.wrong = True, plus(counts.wrong, role, 1)
        if self.table.rules.wrong_call == 1 and counts.wrong[role] % 3 == 0:
            counts.sit_out = plus(counts.sit_out, role, 1)
        self._make_final()
        return False

    def _uphold(self, offender: int, offence: Offence, named: Action, seq: int) -> None:
        table = self.table
        table.restore(offence)
        self.callable, self.offences, self.end = None, [], None
        by = table.rules.missed_card_played_by
        if by == 1:
            table.turn_counts(lost=True)
        if by:
            table.perform(named)
            table.count(named)
            if table.won(offender):
                self._finish(table.end(EMPTY, offender))
                return
        self._drop_drawn(offender)
        if by == 1:
            self._begin_turn(seq)
        else:
            self._end_turn(seq, lost=True)

    def _make_final(self) -> None:
        if self.end is not None:
            self.end = End(self.end.winner, self.end.reason, self.end.points)

    def grant(self, role: int) -> None:
        """Accept a provisional end."""
        if self.end is None:
            raise ProtocolError("nothing-to-grant")
        if self.end.author is None:
            raise ProtocolError("game-over")
        if self.end.author == role:
            raise ProtocolError("not-yours-to-grant")
        self._make_final()

    def resign(self, role: int) -> None:
        """Give up."""
        self._no_end()
        self._finish(self.table.end(RESIGNED, 1 - role))

    def offer_draw(self, role: int) -> None:
        """Offer a draw."""
        self._no_end()
        if self.offer is not None:
            raise ProtocolError("offer-stands")
        if self.offered >> role & 1:
            raise ProtocolError("already-offered")
        self.offer, self.offered = role, self.offered | 1 << role

    def answer_draw(self, role: int, *, accept: bool) -> None:
        """Answer an offer."""
        self._no_end()
        if self.offer != 1 - role:
            raise ProtocolError("no-offer")
        if accept:
            self._finish(self.table.end(AGREED, None))
        self.offer = None
