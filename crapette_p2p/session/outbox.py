"""Collects the effects of one call, in the order in which they have to happen."""

from __future__ import annotations

from crapette_p2p.session.effects import Close, Effect, Emit, Persist, Send
from crapette_p2p.session.framing import frame
from crapette_p2p.session.messages import Message, encode_message
from crapette_p2p.session.notices import (
    ActionDropped,
    DealEnded,
    DealProgress,
    EndBrought,
    EventFinal,
    EventVoid,
    GameOver,
    GameResumed,
    GameStarted,
    LinkLost,
    LobbyOpened,
    Notice,
    PeerLeft,
    SessionFailed,
)
from crapette_p2p.session.opengame import OpenGame

_OF_PLAY = (
    GameStarted
    | GameResumed
    | DealProgress
    | EventFinal
    | EventVoid
    | ActionDropped
    | DealEnded
    | GameOver
    | EndBrought
    | LobbyOpened
)
_ENDINGS = LinkLost | PeerLeft | SessionFailed


class Outbox:
    """What the parts of a session write their effects into."""

    __slots__ = ("_effects", "_held", "closed")

    def __init__(self) -> None:
        self._effects: list[Effect] = []
        self._held: list[Notice] | None = None
        self.closed = False
        """Whether the link was closed; nothing is sent from then on."""

    def add(self, *effects: Effect) -> None:
        """Append effects as they stand."""
        self._effects.extend(effects)

    def send(self, message: Message) -> None:
        """Send a message, unless the link is closed."""
        self.send_payload(encode_message(message))

    def send_payload(self, payload: bytes) -> None:
        """Send an encoded message, unless the link is closed."""
        if not self.closed:
            self._effects.append(Send(frame(payload)))

    def persist(self, game_id: bytes, kind: int, *body: object) -> None:
        """Append a record to the game's log."""
        self._effects.append(Persist(game_id, kind, body))

    def emit(self, notice: Notice) -> None:
        """Tell the owner; of play not before his question about the peer is over."""
        if self._held is not None and isinstance(notice, _OF_PLAY):
            self._held.append(notice)
            return
        if isinstance(notice, _ENDINGS):  # no answer comes now; what is done is done
            brought = (n for n in self._held or [] if isinstance(n, EndBrought))
            self._effects.extend(map(Emit, brought))
        self._effects.append(Emit(notice))

    def hold_play(self) -> None:
        """A person is asked who the peer is: what is played meanwhile can wait.

        The other side may have been content before, and goes on with a game at once;
        a table that comes over the question would leave it unanswered.
        """
        self._held = []

    def tell_play(self) -> None:
        """The person has answered: tell what was held back."""
        held, self._held = self._held or [], None
        self._effects.extend(map(Emit, held))

    def close(self, code: int) -> None:
        """Close the link, once."""
        if not self.closed:
            self._effects.append(Close(code))
            self.closed = True

    def repair(self, game: OpenGame | None) -> None:
        """Write the records a crash has kept out of the game's log, once."""
        if game is not None:
            self._effects.extend(game.repairs)
            game.repairs = ()

    def drain(self) -> list[Effect]:
        """The effects so far; the outbox is empty afterwards."""
        effects, self._effects = self._effects, []
        return effects
