"""The states of a session and which message may arrive in which: data only.

The table never knows which side we are; where a row holds for one role or after
one step only, the row says so by a condition, and ``Session`` answers whether
the condition holds. BYE may always come but in FAILED. Whatever the table does
not list is 104 (protocol.md 6; 12, 4.7, 4.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.state import SETUP_TYPES, GameState, Phase
from crapette_p2p.session.messages import MessageType


class State(Enum):
    """Where a session stands."""

    TLS = "TLS"
    """Before ``connected``."""
    HELLO = "HELLO"
    """Listener: waits for HELLO."""
    HOST = "HOST"
    """Dialler: waits for HOST."""
    AUTH = "AUTH"
    """Listener: waits for AUTH."""
    WAIT_HUMAN = "WAIT_HUMAN"
    """Listener: a person looks at the four cards."""
    READY = "READY"
    """Dialler: waits for READY."""
    RESUMING = "RESUMING"
    """Both name the game they have open."""
    SYNCING = "SYNCING"
    """The shorter log catches up."""
    LOBBY = "LOBBY"
    """No deal is open."""
    PROPOSED = "PROPOSED"
    """A deal is proposed, not yet started."""
    COMMIT = "COMMIT"
    CHALLENGE = "CHALLENGE"
    REVEAL = "REVEAL"
    DEAL = "DEAL"
    """The cards of the lay-out are opened."""
    PLAY = "PLAY"
    OPENING = "OPENING"
    """A card that was turned up is owed."""
    ENDING = "ENDING"
    """A provisional end waits for GRANT or STOP."""
    OVER = "OVER"
    """The end is final; the first AUDIT is owed."""
    AUDIT = "AUDIT"
    """The second AUDIT or RESULT is owed."""
    CLOSED = "CLOSED"
    """The link was closed without an open game."""
    SUSPENDED = "SUSPENDED"
    """The link is gone, the game is kept."""
    FAILED = "FAILED"
    """The game can never go on."""


class Condition(Enum):
    """When a row of the table holds."""

    ALWAYS = "always"
    ROLE_1 = "role 1"
    """The peer is role 0 of the deal that may be proposed here."""
    PROPOSED = "after PROPOSE"
    """We proposed and are waiting."""
    ACCEPTED = "after ACCEPT"
    """We accepted a deal that has not started."""
    ACCEPTED_OPEN = "accepted, not started"
    """Both named a game we accepted; START is all that is missing."""
    FINISHED_GAME = "of the finished game"
    """The deal before is still at hand."""
    SHORTER = "shorter"
    """Our log is the shorter one."""
    LONGER = "longer"
    """Our log is the longer one."""
    LENGTH_0 = "at length 0"
    """No event of the open game is final."""


_PINGS: Final = {
    MessageType.PING: Condition.ALWAYS,
    MessageType.PONG: Condition.ALWAYS,
}
_TALK: Final = _PINGS | {MessageType.CHAT: Condition.ALWAYS}
_LOBBY: Final = _TALK | {
    MessageType.PROPOSE: Condition.ROLE_1,
    MessageType.START: Condition.ACCEPTED,
    MessageType.ACCEPT: Condition.PROPOSED,
    MessageType.EVENT: Condition.FINISHED_GAME,
    MessageType.ACK: Condition.FINISHED_GAME,
}
_GAME: Final = _TALK | {
    MessageType.EVENT: Condition.ALWAYS,
    MessageType.ACK: Condition.ALWAYS,
    MessageType.START: Condition.LENGTH_0,
}

GAME_STATES: Final = frozenset(
    {
        State.COMMIT,
        State.CHALLENGE,
        State.REVEAL,
        State.DEAL,
        State.PLAY,
        State.OPENING,
        State.ENDING,
        State.OVER,
        State.AUDIT,
    }
)
"""An open game on a live link."""
TALK_STATES: Final = GAME_STATES | {State.SYNCING, State.LOBBY, State.PROPOSED}
"""Where the peer may be sent CHAT."""
ENDED_STATES: Final = frozenset({State.CLOSED, State.SUSPENDED, State.FAILED})
"""The session is over; a new link needs a new one."""

ALLOWED: Final[Mapping[State, Mapping[MessageType, Condition]]] = MappingProxyType(
    {
        State.TLS: {},
        State.HELLO: {MessageType.HELLO: Condition.ALWAYS},
        State.AUTH: {MessageType.AUTH: Condition.ALWAYS},
        State.HOST: {MessageType.HOST: Condition.ALWAYS},
        State.READY: _PINGS | {MessageType.READY: Condition.ALWAYS},
        State.WAIT_HUMAN: _PINGS,
        State.RESUMING: _PINGS
        | {
            MessageType.RESUME: Condition.ALWAYS,
            MessageType.START: Condition.ACCEPTED_OPEN,
        },
        State.SYNCING: _TALK
        | {
            MessageType.RECORDS: Condition.SHORTER,
            MessageType.SYNC: Condition.LONGER,
        },
        State.LOBBY: _LOBBY,
        State.PROPOSED: _LOBBY,
        **dict.fromkeys(GAME_STATES, _GAME),
        State.CLOSED: {},
        State.SUSPENDED: {},
        State.FAILED: {},
    }
)
"""What may arrive from the peer, BYE apart."""

_SETUP_STATES: Final = {
    EventType.COMMIT: State.COMMIT,
    EventType.CHALLENGE: State.CHALLENGE,
    EventType.REVEAL: State.REVEAL,
    EventType.OPEN_A: State.DEAL,
    EventType.OPEN_B: State.DEAL,
}
_PHASE_STATES: Final = {
    Phase.PLAY: State.PLAY,
    Phase.OPENING: State.OPENING,
    Phase.ENDING: State.ENDING,
    Phase.RESULT: State.AUDIT,
    Phase.OVER: State.LOBBY,
}


def state_of_game(game: GameState) -> State:
    """The state of a session whose game stands so."""
    phase = game.phase
    if phase is Phase.SETUP:
        return _SETUP_STATES[SETUP_TYPES[game.length]]
    if phase is Phase.AUDIT:
        return State.AUDIT if game.audits else State.OVER
    return _PHASE_STATES[phase]
