"""What a session tells its owner: small frozen values that say what is known.

None of them holds a secret, and text of the peer in them has passed the
whitelist of protocol.md 9.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from crapette_p2p.cards import Card
from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import End
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.game import GameState
from crapette_p2p.gamelog.genesis import Genesis


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Who sits on the other side."""

    idpub: bytes
    """Ed25519 identity key, 32 bytes."""
    nick: str
    """As signed by the peer; show it beside the fingerprint's tail."""
    fingerprint: str
    """Sixteen Crockford-base32 characters in groups of four."""
    verified: str
    """How the key is known: none, sas, invite, pin."""


_TIMEOUT: Final = 106

# Login -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardsToCompare:
    """A first contact: ask the person (Confirm, AcceptPlayer or RefusePlayer)."""

    cards: tuple[Card, ...]
    """The four cards both screens show."""
    peer: Peer
    """Who says to be there."""
    namesake: bool
    """The same nick is remembered with another key."""


@dataclass(frozen=True, slots=True)
class PeerKnown:
    """The login question is settled on this side: this peer has the seat."""

    peer: Peer
    """With how it was verified; ``invite`` means the token is used up."""
    remember: bool
    """Whether to keep the peer (a person said so, or it was known before)."""


@dataclass(frozen=True, slots=True)
class WaitingForPeer:
    """A person on the other side has to answer."""

    what: str
    """login, terms."""


# Setting up ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LobbyOpened:
    """No deal is open on this link."""

    proposes: bool
    """Whether this side is to propose the next deal."""


@dataclass(frozen=True, slots=True)
class TermsProposed:
    """The peer proposes a deal: AcceptTerms or DeclineTerms."""

    genesis: Genesis
    """Everything agreed, but for our own nonce."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Both signed; leaving from here on is abandoning."""

    game_id: bytes
    """32 bytes."""
    seat: Seat
    """Ours."""


@dataclass(frozen=True, slots=True)
class GameResumed:
    """Both logs are equal again and play goes on."""

    game_id: bytes
    """32 bytes."""
    seat: Seat
    """Ours."""


@dataclass(frozen=True, slots=True)
class DealProgress:
    """How far the fair deal is, and whose work is awaited."""

    step: str
    """commit, challenge, reveal, deal: what comes next."""
    whose: Seat
    """Who has to do it."""
    done: int
    """Steps done so far; all of them when the cards are dealt."""
    total: int
    """All steps of the set-up."""


# Play ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFinal:
    """An event both signed; the only thing that changes the game."""

    seq: int
    """Its number."""
    author: Seat
    """Whose it is."""
    type: EventType
    """Its type."""
    action: Action | None
    """The player's action, None for set-up, openings, AUDIT and RESULT."""
    body: tuple[object, ...]
    """The event's fields."""
    before: GameState = field(repr=False)
    """The game right before it: whoever reads this late need not remember it."""
    state: GameState = field(repr=False)
    """The game right after it."""


@dataclass(frozen=True, slots=True)
class EventVoid:
    """An own action lost a collision; it is not proposed again by itself."""

    action: Action
    """What did not happen."""


@dataclass(frozen=True, slots=True)
class ActionDropped:
    """A waiting Stop or resignation was no longer possible when its turn came."""

    action: Action
    """What was not sent."""
    refusal: str
    """Why, a stable code of the engine."""


@dataclass(frozen=True, slots=True)
class ChatReceived:
    """The peer said something."""

    text: str
    """One line, stripped of control characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """The deal is closed: RESULT is signed by both."""

    game_id: bytes
    """32 bytes."""
    end: End
    """Winner, reason and points."""
    score: tuple[int, int]
    """Of the match, this deal included."""
    match_over: bool
    """Whether a score reached the target."""


@dataclass(frozen=True, slots=True)
class EndBrought:
    """The peer lacked the end of a deal that was closed here, and has it now."""

    over: GameOver
    """Which deal, and how it went."""


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The end of the deal is final; the audits follow."""

    end: End
    """Winner, reason and points."""


# The link --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PeerQuiet:
    """Nothing was heard from the peer for a while."""

    seconds: int
    """How long."""


@dataclass(frozen=True, slots=True)
class PeerHeard:
    """The peer that was quiet speaks again."""


@dataclass(frozen=True, slots=True)
class AckLate:
    """The peer answers but does not confirm our event."""

    seconds: int
    """How long."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The link is gone; an open game is kept and can be resumed."""

    code: int
    """106 for silence, 0 for an end of file, else the code we closed with."""
    unanswered: bool = False
    """Whether a person, here or there, did not answer in time (106)."""


@dataclass(frozen=True, slots=True)
class PeerLeft:
    """The peer said goodbye; an open game is kept."""

    code: int
    """501 leaving, 502 game over, 205 busy, 206 refused …"""
    text: str
    """A hint, display-filtered."""
    unanswered: bool = False
    """Whether a person, here or there, did not answer in time (106)."""
    at_door: bool = False
    """Whether they did not let us in (206), rather than turn terms down."""

    @property
    def timed_out(self) -> bool:
        """Whether nobody has left: a program there gave this link up (106)."""
        return self.code == _TIMEOUT


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFailed:
    """The protocol was broken, or the login failed."""

    code: int
    """Wire code."""
    by_peer: bool
    """True: the peer says so (BYE); False: we found it."""
    game_failed: bool
    """The game itself is FAILED and cannot go on, ever."""
    evidence: bytes | None = None
    """Evidence file for ``verify``, where the fault is provable."""
    key: bytes | None = None
    """The key the peer has proven, where another was expected (202)."""
    text: str = ""
    """What the peer says with it, display-filtered: a hint."""
    cards: bool = False
    """Our own person saw other cards than the peer's (201)."""


Notice = (
    CardsToCompare
    | PeerKnown
    | WaitingForPeer
    | LobbyOpened
    | TermsProposed
    | GameStarted
    | GameResumed
    | DealProgress
    | EventFinal
    | EventVoid
    | ActionDropped
    | ChatReceived
    | DealEnded
    | GameOver
    | EndBrought
    | PeerQuiet
    | PeerHeard
    | AckLate
    | LinkLost
    | PeerLeft
    | SessionFailed
)
