"""A whole deal, event by event, with its public state (spec 30 and 40, 3 to 5)."""

import copy
from dataclasses import dataclass, field

from tests.interop.checker_canonical import ProtocolError, Value, as_uint
from tests.interop.checker_crypto import beacon
from tests.interop.checker_deal import Deal, Owed
from tests.interop.checker_events import Event, state_hash
from tests.interop.checker_genesis import Genesis
from tests.interop.checker_play import Play
from tests.interop.checker_table import UNSEEN, Action, Table, rank

SUIT_ORDER = (0, 1, 3, 2)  # C < D < H < S, by suit number


@dataclass
class Game:
    """A deal as far as it has come.

    Attributes:
        genesis: Its terms.
        events: How many events are final.
        head: The hash of the last of them.
        hashes: Of all of them.
        deal: Commitments and openings.
        play: The table, from event 9 on.
        audits: The roles that have audited, in order.
        done: Whether RESULT is final.
    """

    genesis: Genesis
    events: int = 0
    head: bytes = b""
    hashes: list[bytes] = field(default_factory=list)
    deal: Deal = field(init=False)
    play: Play | None = None
    owed: Owed | None = None
    audits: list[int] = field(default_factory=list)
    done: bool = False

    def __post_init__(self) -> None:
        """Start before event 0."""
        self.head = self.genesis.game_id
        self.deal = Deal(self.head, self.genesis.k, self.genesis.rules.reserve_size)

    def copy(self) -> "Game":
        """The same deal once more."""
        other = copy.copy(self)
        other.hashes, other.audits = self.hashes.copy(), self.audits.copy()
        other.deal = self.deal.copy()
        other.play = None if self.play is None else self.play.copy()
        if other.play is not None:
            other.play.table.faces = other.deal.faces
        return other

    @property
    def hash(self) -> bytes:
        """The hash of the public state."""
        return state_hash(self.state())

    def state(self) -> Value:
        """The public state (spec 40, 5)."""
        if self.play is None:
            return (1, self.events)
        play, table = self.play, self.play.table
        counts = table.counts
        idle = 0 if counts.progressed else counts.idle + 1
        passes = int(counts.passes and not counts.progressed)
        end = play.end
        ended = None if end is None else (end.winner, end.reason, end.author)
        return (
            1,
            10,
            counts.active,
            counts.acts,
            bytes(table.faces),
            tuple(bytes(pile) for pile in table.piles),
            (idle, counts.limit, counts.fewest, passes),
            play.callable,
            tuple((offence.code, offence.seq) for offence in play.offences),
            (int(counts.spent), *counts.wrong, *counts.sit_out),
            play.offer,
            play.offered,
            None if self.owed is None else self.owed.value,
            ended,
            sum(1 << role for role in self.audits),
            int(self.done),
        )

    def apply(self, event: Event) -> None:
        """Take an event that is the next of its log.

        Args:
            event: The event; number, chain, signature and state are checked.

        Raises:
            ProtocolError: With the code of what is wrong.
        """
        event.check_body()
        if self.events < 10:
            self._set_up(event)
        elif event.seq >= 20_000:
            raise ProtocolError(404, "too many events")
        else:
            self._play(event)
        self.events += 1
        self.head = event.digest
        self.hashes.append(self.head)
        if self.events == 10:
            self._start()

    def _set_up(self, event: Event) -> None:
        owed = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)[event.seq]
        if (event.type, event.author) != (owed, event.seq % 2):
            raise ProtocolError(404, "not owed in the set-up")
        if owed == 1:
            self.deal.commit(event)
        elif owed == 2:
            self.deal.challenge(event)
        elif owed == 3:
            self.deal.reveal(event)
        else:
            deck = event.author if owed == 5 else 1 - event.author
            positions = self.deal.laid_out
            slots = [self.deal.slots_of[deck][p] for p in positions if owed == 5]
            self.deal.open(event, Owed(owed, deck, positions, bytes(slots)))

    def _start(self) -> None:
        rules = self.genesis.rules
        reserve = rules.reserve_size
        piles: list[list[int]] = [[] for _ in range(24)]
        for deck in (0, 1):
            slots = [52 * deck + position for position in range(52)]
            piles[16 + deck] = slots[:reserve]
            for column in range(4):
                piles[4 * deck + column] = [slots[reserve + column]]
            piles[18 + deck] = slots[: reserve + 3 : -1]
        table = Table(rules, self.deal.faces, piles)
        table.counts.limit = 0
        table.counts.fewest = table.both
        table.count(Action("turn"))
        lot = beacon(self.genesis.game_id, self.hashes[4], self.hashes[5])[1]
        table.counts.active = starter(table, lot)
        self.play = Play(table)

    def _play(self, event: Event) -> None:
        play = self.play
        if play is None:
            raise ProtocolError(500, "no table")
        if event.name in ("OPEN_A", "OPEN_B"):
            self._open(event)
        elif event.name in ("AUDIT", "RESULT"):
            self._after(event, play)
        elif self.owed is not None and event.name != "RESIGN":
            raise ProtocolError(404, "an opening is owed")
        else:
            try:
                self._act(event, play)
            except ProtocolError as error:
                raise ProtocolError(404, str(error)) from error
            self._look(play)

    def _open(self, event: Event) -> None:
        if self.owed is None:
            raise ProtocolError(404, "no opening is owed")
        self.deal.open(event, self.owed)
        position = self.owed.positions[0]
        slots = self.deal.slots_of[self.owed.deck]
        again = Owed(5, self.owed.deck, self.owed.positions, bytes([slots[position]]))
        self.owed = again if event.name == "OPEN_A" else None

    def _look(self, play: Play) -> None:
        self.owed = None
        if play.end is not None:
            return
        for pile in (16, 17, 20, 21):
            slots = play.table.piles[pile]
            if slots and play.table.faces[slots[-1]] == UNSEEN:
                deck, position = divmod(slots[-1], 52)
                self.owed = Owed(4, deck, (position,), b"")

    def _act(self, event: Event, play: Play) -> None:
        role, name = event.author, event.name
        if name == "MOVE":
            move = Action("move", event.number(0), event.number(1))
            play.act(role, move, event.seq)
        elif name == "TURN":
            play.act(role, Action("turn"), event.seq)
        elif name == "END":
            action = Action(("discard", "pass")[event.number(0)])
            play.act(role, action, event.seq)
        elif name == "STOP":
            named = Action("move", event.number(0), event.number(1))
            play.stop(role, named, event.seq)
        elif name == "RESIGN":
            play.resign(role)
        elif name == "DRAW_OFFER":
            play.offer_draw(role)
        elif name == "DRAW_ANSWER":
            play.answer_draw(role, accept=event.number(0) == 1)
        else:
            play.grant(role)

    def _after(self, event: Event, play: Play) -> None:
        end = play.end
        if end is None or end.author is not None or self.done:
            raise ProtocolError(404, "no final end")
        first = 0 if end.winner is None else end.winner
        if event.name == "AUDIT":
            owed = (first, 1 - first, None)[len(self.audits)]
            if event.author != owed:
                raise ProtocolError(404, "another one has to audit")
            self.deal.audit(event)
            self.audits.append(event.author)
            return
        if len(self.audits) < 2 or event.author != first:
            raise ProtocolError(404, "no result yet")
        body = (end.winner, end.reason, end.points)
        if event.body != body:
            raise ProtocolError(404, "another result")
        as_uint(event.body[2], 0, 2**63 - 1, 404)
        self.done = True


def starter(table: Table, lot: int) -> int:
    """Who starts (spec 20, 2.2).

    Args:
        table: The table as it was dealt.
        lot: What decides if nothing differs.

    Returns:
        The role.
    """
    rules = table.rules

    def height(slot: int) -> int:
        number = rank(table.faces[slot])
        return 14 if number == 1 and rules.ace_high_for_start else number

    def line(role: int) -> list[int]:
        top = table.piles[16 + role][-1]
        columns = [height(table.piles[4 * role + c][-1]) for c in range(4)]
        if rules.tie_break == 1:
            return [height(top), *columns[::-1]]
        return [height(top), *columns, SUIT_ORDER.index(table.faces[top] // 13)]

    mine, other = line(0), line(1)
    if mine == other:
        return lot
    return int((mine > other) != (rules.starter == 0))
