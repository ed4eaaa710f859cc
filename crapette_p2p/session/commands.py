"""What the owner of a session can ask of it.

``Session.command`` raises LocalProtocolError where the state forbids a command
and IllegalMove where the engine refuses an action; nothing changed then.
"""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.engine.actions import Action
from crapette_p2p.engine.ruleset import RuleSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a table offers: everything in the genesis that a person chooses."""

    preset: str
    """Label of the rule set."""
    rules: RuleSet
    """The rule set itself; it is what counts."""
    candidates: int = 64
    """K of the cut-and-choose, 2..128."""
    assist: bool = False
    """Whether both clients may hint."""
    target: int = 1
    """Deals or points that win the match; 1 is a single deal."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Answer to the four cards: did both screens show the same?"""

    same: bool
    """False closes the link: somebody stands between."""
    remember: bool = True
    """Whether the owner wants the peer kept among the known ones."""


@dataclass(frozen=True, slots=True)
class AcceptPlayer:
    """Seat the peer without comparing cards; he stays unverified."""


@dataclass(frozen=True, slots=True)
class RefusePlayer:
    """Send the peer away (206)."""


@dataclass(frozen=True, slots=True)
class Propose:
    """Offer a deal (role 0 only)."""

    terms: Terms | None = None
    """None: the next deal of the running match, or the table's terms again."""


@dataclass(frozen=True, slots=True)
class AcceptTerms:
    """Agree to the proposed deal."""


@dataclass(frozen=True, slots=True)
class DeclineTerms:
    """Turn the proposed deal down, which closes the link."""

    code: int = 206
    """300 rule set, 301 parameter, 206 the human said no."""


@dataclass(frozen=True, slots=True)
class Act:
    """Do something in the game; a Stop or a resignation may wait its turn."""

    action: Action
    """What, as this session's seat."""


@dataclass(frozen=True, slots=True)
class SayChat:
    """Say something to the peer; never logged, never signed."""

    text: str
    """Cut to what fits."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Close the link; the game stays resumable.

    If the deal was closed here and the peer may not know it yet, that is waited for.
    """

    code: int = 501
    """501 leaving, 502 game over, 205 busy."""
    at_once: bool = False
    """Whether nothing is waited for."""


@dataclass(frozen=True, slots=True)
class MarkAbandoned:
    """Note in the own log that the peer abandoned; undone when he returns."""


Command = (
    Confirm
    | AcceptPlayer
    | RefusePlayer
    | Propose
    | AcceptTerms
    | DeclineTerms
    | Act
    | SayChat
    | Leave
    | MarkAbandoned
)
