"""What a side says by itself while time passes (spec 60, 10)."""

from dataclasses import dataclass, field
from typing import Protocol

from tests.interop.checker_canonical import ProtocolError, encode
from tests.interop.checker_lobby import Lobby
from tests.interop.checker_login import Dialler, Listener, Login
from tests.interop.checker_messages import read_message
from tests.interop.checker_owed import owed_by

PING, DEAD, LOGIN, STEP, ACK, HUMAN = 5_000, 15_000, 10_000, 10_000, 20_000, 120_000
TALK = ("PING", "PONG", "CHAT")


class GivenUpError(ProtocolError):
    """The link is given up."""

    def __init__(self, at: int, sent: list[list[object]]) -> None:
        """Keep when, and what was said until then."""
        super().__init__(106)
        self.at = at
        self.sent = sent


class Side(Protocol):
    """What takes frames and decisions, and says how long it waits."""

    @property
    def sent(self) -> list[bytes]:
        """The payloads it has sent."""

    @property
    def alive(self) -> bool:
        """Whether signs of life are due here."""

    @property
    def patience(self) -> int | None:
        """How long the other's next step may take, None for ever."""

    @property
    def login(self) -> bool:
        """Whether that time runs from the start of the link."""

    def receive(self, payload: bytes) -> None:
        """Take a frame."""

    def decide(self, what: str, data: bytes) -> None:
        """Its player decides."""


@dataclass
class Seated:
    """A side from READY 0 on."""

    lobby: Lobby
    alive = True
    login = False

    @property
    def sent(self) -> list[bytes]:
        """The payloads it has sent."""
        return self.lobby.sent

    def receive(self, payload: bytes) -> None:
        """Take a frame."""
        self.lobby.receive(payload)

    def decide(self, what: str, data: bytes) -> None:
        """Its player proposes or agrees."""
        {"propose": self.lobby.propose, "accept": self.lobby.accept}[what](data)

    @property
    def patience(self) -> int | None:
        """How long the other's next step may take."""
        side = self.lobby
        if side.state in ("RESUMING", "SYNCING"):
            return STEP
        if side.state == "PROPOSED":
            if side.offered is not None:
                return None  # one's own person thinks
            return HUMAN if side.proposed is not None else STEP
        game = side.at_hand
        if side.state == "COMMIT" and game is not None and game.client is None:
            return STEP  # the other's COMMIT, if he is role 0
        if game is None or game.client is None or game.client.pending is not None:
            return None
        owed = owed_by(game.client.game)
        if side.state == "LOBBY" or owed is None or owed[0] == game.client.role:
            return None
        return None if owed[1] in (None, "GRANT") else STEP


class AtTheDoor:
    """A side from TLS on, until it is in."""

    def __init__(self, login: Login, *, dialler: bool) -> None:
        """Begin.

        Args:
            login: Who it is.
            dialler: Whether it dials.
        """
        self.side = Dialler(login) if dialler else Listener(login)
        self.sent = login.sent

    @property
    def alive(self) -> bool:
        """Before AUTH nobody pings."""
        return self.side.state not in ("HELLO", "HOST", "AUTH")

    @property
    def login(self) -> bool:
        """Until READY the time runs from TLS on, people apart."""
        if isinstance(self.side, Dialler):
            return self.side.state != "RESUME" and not self.side.asked
        return self.side.state in ("HELLO", "AUTH")

    @property
    def patience(self) -> int | None:
        """How long the other's next step, or one's own person, may take."""
        if self.side.state == "LOBBY":
            return None
        if self.side.state == "RESUME":
            return STEP
        return LOGIN if self.login else HUMAN

    def receive(self, payload: bytes) -> None:
        """Take a frame; what comes after READY 0 is not judged here."""
        name, fields = read_message(payload)
        if name == "PING" and self.alive:
            self.sent.append(encode((9, fields[0])))
        elif name == "RESUME" and self.side.state == "RESUME":
            self.side.state = "LOBBY"
        elif name not in TALK:
            self.side.receive(payload)

    def decide(self, what: str, data: bytes) -> None:
        """Its player lets the other in."""
        if what != "seat" or data or not isinstance(self.side, Listener):
            raise ProtocolError(500, what)
        self.side.seat()


@dataclass
class Watch:
    """One side with its clock, in milliseconds.

    Attributes:
        side: What takes the frames.
        sent: When it said what.
    """

    side: Side
    sent: list[list[object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start, with what is sent at once sent already."""
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
        self._note(at)

    def decide(self, at: int, what: str, data: bytes) -> None:
        """Its player decides."""
        self.pass_until(at)
        self.side.decide(what, data)
        self._since = at
        self._note(at)

    def _note(self, at: int) -> None:
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
            limits = self._limits()
            life = [max(self._heard, self._pinged) + PING, self._heard + DEAD]
            due = min(life + limits if self.side.alive else limits, default=until + 1)
            if due > until:
                return
            if self.side.alive and due == life[1]:
                raise GivenUpError(due, self.sent)
            if due in limits:
                raise GivenUpError(due, [*self.sent, [due, "BYE"]])
            self.sent.append([due, "PING"])
            self._pinged = due

    def _limits(self) -> list[int]:
        limits = []
        patience = self.side.patience
        if patience is not None:
            limits.append(patience + (0 if self.side.login else self._since))
        if self._unacked is not None:
            limits.append(self._unacked + ACK)
        return limits
