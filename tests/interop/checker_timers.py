"""What a side says by itself while time passes (spec 60, 10)."""

from dataclasses import dataclass, field

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_messages import read_message
from tests.interop.checker_owed import owed_by
from tests.interop.checker_resume import Resumer

PING, DEAD, STEP, ACK = 5_000, 15_000, 10_000, 20_000
TALK = ("PING", "PONG", "CHAT")


class GivenUpError(ProtocolError):
    """The link is given up."""

    def __init__(self, at: int, sent: list[list[object]]) -> None:
        """Keep when, and what was said until then."""
        super().__init__(106)
        self.at = at
        self.sent = sent


@dataclass
class Watch:
    """One side with its clock, in milliseconds since READY 0.

    Attributes:
        side: What takes the frames.
        sent: When it said what.
    """

    side: Resumer
    sent: list[list[object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start at READY 0, its RESUME sent already."""
        self._seen = len(self.side.sent)
        self._heard = self._pinged = self._since = 0
        self._unacked: int | None = None

    def take(self, at: int, payload: bytes) -> None:
        """A frame comes."""
        self.pass_until(at)
        self._heard = at
        self.side.receive(payload)
        if read_message(payload)[0] not in TALK:
            self._since = at
        names = [read_message(p)[0] for p in self.side.sent[self._seen :]]
        self._seen = len(self.side.sent)
        self.sent += [[at, name] for name in names]
        if "EVENT" in names:
            self._unacked = at

    def pass_until(self, until: int) -> None:
        """Nothing comes until then.

        Args:
            until: When the next thing happens, or the end.

        Raises:
            GivenUpError: When a timer runs out that ends the link.
        """
        while True:
            ping = max(self._heard, self._pinged) + PING
            dead = self._heard + DEAD
            limits = self._limits()
            due = min(ping, dead, *limits)
            if due > until:
                return
            if due == dead:
                raise GivenUpError(due, self.sent)
            if due in limits:
                raise GivenUpError(due, [*self.sent, [due, "BYE"]])
            self.sent.append([due, "PING"])
            self._pinged = due

    def _limits(self) -> list[int]:
        limits = []
        if self._waits():
            limits.append(self._since + STEP)
        if self._unacked is not None:
            limits.append(self._unacked + ACK)
        return limits

    def _waits(self) -> bool:
        """Whether the other owes what needs no thinking."""
        side = self.side
        if side.state in ("RESUMING", "SYNCING"):
            return True
        game = side.at_hand
        if game is None or game.client is None or game.client.pending is not None:
            return False
        owed = owed_by(game.client.game)
        if side.state == "LOBBY" or owed is None or owed[0] == game.client.role:
            return False
        return owed[1] not in (None, "GRANT")
