"""One game as its player holds it, over however many links it takes.

Theory of operation. A ``Session`` lives as long as one link; an ``OpenGame``
lives until RESULT and is handed from one session to the next, or loaded again
from the log file and the seeds after a restart. It holds the log, the state
after the final events, the own event that waits for its ACK (``mine``) and the
secrets. It decides nothing: ``channel.py`` and ``resume.py`` do.

What a file does not say is made good on loading: the ACK of a peer's event that
was written before a crash cut off its countersignature is made again (Ed25519
is deterministic), and handed to the next session to be recorded (P17).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.events import ack_message
from crapette_p2p.gamelog.game import start_game, step
from crapette_p2p.gamelog.loading import load_log
from crapette_p2p.gamelog.log import Entry, GameLog, Note, SignedEvent
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.secrets import Secrets
from crapette_p2p.gamelog.state import GameState, owes, state_hash
from crapette_p2p.session.effects import Persist

FAILED: Final = "failed"
ABANDONED: Final = "abandoned"
RETURNED: Final = "returned"
"""Texts of the NOTE records that mean something to a session."""
RESUMED: Final = "resumed"
"""Text of the NOTE that marks where a link was lost, for whoever replays the log."""
_MAX_RESUMED: Final = 256
"""A peer that comes and goes without end must not fill the log."""


class OpenGame:
    """A game between two sessions: log, state, secrets."""

    __slots__ = (
        "_mine_after",
        "floor",
        "log",
        "repairs",
        "seat",
        "secrets",
        "state",
        "waiting",
    )

    def __init__(
        self,
        log: GameLog,
        *,
        seat: Seat,
        secrets: Secrets | None = None,
        state: GameState | None = None,
    ) -> None:
        self.log = log
        self.seat = seat
        """Ours."""
        self.secrets = secrets
        """None before COMMIT and after RESULT."""
        self.state = state or start_game(log.genesis, log.game_id)
        """After the final events."""
        self.floor = 0
        """The peer holds our events below this number: sign none of them (P5)."""
        self.waiting: Action | None = None
        """A Stop or a resignation that has to wait its turn (P3)."""
        self.repairs: tuple[Persist, ...] = ()
        """Records the next session writes before anything else."""
        self._mine_after: GameState | None = None

    @property
    def game_id(self) -> bytes:
        """32 bytes."""
        return self.log.game_id

    @property
    def peer_key(self) -> bytes:
        """The identity key of the other player."""
        return self.log.genesis.keys[other(self.seat)]

    @property
    def length(self) -> int:
        """How many events are final."""
        return self.log.length

    @property
    def mine(self) -> SignedEvent | None:
        """The own event that waits for its ACK."""
        return self.log.pending

    @property
    def mine_after(self) -> GameState:
        """The state after ``mine``, to hold the peer's ACK against."""
        mine = self.mine
        if mine is None:
            raise LogError("no own event waits")
        if self._mine_after is None or self._mine_after.length != self.length + 1:
            event = mine.event
            after = step(self.state, event.author, event.type, event.body)
            if isinstance(after, int):
                raise LogError("the own event is not lawful", code=after)
            self._mine_after = after
        return self._mine_after

    @property
    def started(self) -> bool:
        """Whether both signed the genesis; before it the game is not open."""
        return self.log.sigs[0] is not None or self.length > 0

    @property
    def done(self) -> bool:
        """Whether RESULT is final."""
        return self.state.done

    @property
    def failed(self) -> int | None:
        """The code the game failed with, None while it can go on."""
        if self.log.fault is not None:
            return self.log.fault.code
        return next((n.code for n in self.log.notes if n.text == FAILED), None)

    @property
    def abandoned(self) -> bool:
        """Whether the own log says that the peer abandoned the game."""
        said = [n.text for n in self.log.notes if n.text in (ABANDONED, RETURNED)]
        return bool(said) and said[-1] == ABANDONED

    @property
    def is_open(self) -> bool:
        """Whether there is something to go on with."""
        return self.started and not self.done and self.failed is None

    @property
    def debtor(self) -> Seat | None:
        """Whose signed message is awaited next (P14); None once it is over."""
        if self.mine is not None:
            return other(self.seat)
        owed = owes(self.state)
        return owed.author if owed is not None else None

    def expect_ack(self, mine: SignedEvent, after: GameState) -> None:
        """Hold an own event until its ACK comes."""
        self.log.pending = mine
        self._mine_after = after

    def abandon(self) -> Persist | None:
        """What is noted when the owner gives up waiting; None if it is noted."""
        return None if self.abandoned else self.note(501, ABANDONED)

    def came_back(self) -> Persist | None:
        """What is noted now that the game goes on over another link.

        One mark a place is enough, and none before the first event.
        """
        if self.abandoned:
            return self.note(501, RETURNED)
        places = [n.at for n in self.log.notes if n.text == RESUMED]
        if not self.length > 0 or self.length in places or len(places) >= _MAX_RESUMED:
            return None
        return self.note(501, RESUMED)

    def note(self, code: int, text: str) -> Persist:
        """A local remark, and the effect that records it."""
        self.log.notes.append(Note(code, text, self.log.length))
        return Persist(self.game_id, RecordKind.NOTE, (code, text))


def load_game(
    data: bytes,
    *,
    idpub: bytes,
    sign: Callable[[bytes], bytes],
    secrets: Secrets | None = None,
) -> OpenGame:
    """Read a game back from the bytes of its log file, torn tail or not.

    Raises LogError for a log that is damaged or is not this player's. The own
    signatures and the peer's were judged before they were written; they are not
    verified again.
    """
    loaded = load_log(data)
    seat = loaded.log.genesis.seat_of(idpub)
    if seat is None:
        raise LogError("a game of other players")
    game = OpenGame(loaded.log, seat=seat, secrets=secrets, state=loaded.state)
    _acknowledge_last(game, sign)
    return game


def _acknowledge_last(game: OpenGame, sign: Callable[[bytes], bytes]) -> None:
    """A peer's event without its ACK is final: make the ACK again (P17)."""
    last = game.log.pending
    if last is None or last.event.author == game.seat:
        return
    event = last.event
    after = step(game.state, event.author, event.type, event.body)
    if isinstance(after, int):
        raise LogError("the last event is not lawful", code=after)
    hash_ = state_hash(after)
    ack = sign(ack_message(game.game_id, event.seq, last.hash, hash_))
    game.log.append(Entry(last, hash_, ack))
    game.state = after
    body = (event.seq, last.hash, hash_, ack)
    game.repairs = (Persist(game.game_id, RecordKind.ACK, body),)
