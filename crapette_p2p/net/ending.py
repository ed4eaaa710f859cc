"""How links end: which of two stays, who comes back, and why a table closes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from crapette_p2p.net.failures import Exit, Failure, exit_of_code, wire_failure
from crapette_p2p.session.keys import KEY_SIZE, fingerprint, format_fingerprint
from crapette_p2p.session.messages import SPOKEN
from crapette_p2p.session.notices import LinkLost, PeerLeft, SessionFailed

Ending = SessionFailed | PeerLeft | LinkLost

TIMEOUT: Final = 106
OTHER_VERSION: Final = 200
OTHER_KEY: Final = 202
BUSY: Final = 205
UNKNOWN_GAME: Final = 410
INTERNAL: Final = 500
LEFT: Final = 501
GAME_OVER: Final = 502
_VERSION: Final = re.compile(r"crapette/[0-9]{1,3}")
_TRIED_AGAIN: Final = frozenset({TIMEOUT, BUSY, LEFT})
"""Farewells after which the same game is tried again: silence, an older link of
ours that still has the seat there, a peer that saved and left."""


def older_stays(*, older: bool, newer: bool, preferred: bool) -> bool:
    """Which of two living links with one key stays (protocol.md 12, P18).

    ``older`` and ``newer``: whether this end dialled them. ``preferred``: whether
    this end's dialled link is the one to keep: role 1's of the open game, without
    a game the smaller key's. Both ends come to the same answer.
    """
    return older != newer and older == preferred


def is_not_kept_there(ending: SessionFailed) -> bool:
    """Whether the peer's program says that it does not know the game."""
    return ending.by_peer and ending.code == UNKNOWN_GAME


def is_passing(ending: Ending | None, *, back: bool = False) -> bool:
    """Whether what ended the link may be over when a new one is made.

    ``back``: whether a peer who has played here came back, and may do so once more
    from where the game is kept.
    """
    match ending:
        case SessionFailed() if is_not_kept_there(ending):
            return back
        case SessionFailed(code=code):
            return code == TIMEOUT
        case PeerLeft(code=code):
            return code in _TRIED_AGAIN
        case _:
            return True


def failure_of(
    ending: Ending | None,
    *,
    played: bool = False,
    kept: bool = False,
    own: bytes = b"",
) -> Failure | None:
    """Why a table is closed that nobody comes back to; None if all is well.

    ``played``: a game was finished. ``kept``: one is open and saved. ``own``: our key,
    which whoever did not let us in can name.
    """
    match ending:
        case SessionFailed(key=bytes(key)):
            return wire_failure(OTHER_KEY, by="us", key=shown_key(key))
        case SessionFailed(cards=True, code=code):
            return Failure("cards-differ", exit_of_code(code), {"wire": str(code)})
        case SessionFailed(code=code, by_peer=by_peer) if code == INTERNAL:
            return _internal(by_peer=by_peer, kept=kept)
        case SessionFailed(code=code, by_peer=by_peer, text=text):
            if code == OTHER_VERSION and _VERSION.fullmatch(text):
                facts = {"theirs": text, "ours": SPOKEN}
                return Failure("version-differs", exit_of_code(code), facts)
            if by_peer and exit_of_code(code) is Exit.CHEATED:
                return _accused(code, game=kept or played)
            failure = wire_failure(code, by="peer" if by_peer else "us")
            if kept and is_not_kept_there(ending):
                return replace(failure, code="kept-here-only")
            return _truthful(failure, by_peer=by_peer, game=kept or played)
        case LinkLost(unanswered=True) | PeerLeft(unanswered=True) if not (
            kept or played
        ):
            return Failure("unanswered", Exit.PROTOCOL, {"wire": str(TIMEOUT)})
        case LinkLost(code=code) | PeerLeft(code=code) if code == TIMEOUT and not (
            kept or played
        ):
            return Failure("peer-silent-early", Exit.PROTOCOL, {"wire": str(code)})
        case PeerLeft(code=code, at_door=True):
            facts = {"wire": str(code), "key": shown_key(own)}
            return Failure("not-let-in", exit_of_code(code), facts)
        case PeerLeft(code=code) if code not in (LEFT, GAME_OVER):
            return wire_failure(code, by="peer")
    if kept:
        return wire_failure(LEFT)
    if played:
        return None  # the game is over, whatever the peer says or does not say
    return Failure("peer-hung-up", Exit.CANNOT_REACH)


_IF_PEER_SAYS: Final = {
    "other-key": "not-expected-there",
    "login-not-proven": "not-believed-there",
}
_IF_WE_SAY: Final = {
    "name-refused": "name-not-shown",
    "rules-refused": "rules-not-known",
    "terms-refused": "terms-not-taken",
    "unknown-game": "game-not-here",
}
"""Failures that say something else of the one who found them."""


def _truthful(failure: Failure, *, by_peer: bool, game: bool) -> Failure:
    """The same, without a game that is not there or that we do not know ourselves."""
    if failure.code == "protocol-broken" and not game:
        return replace(failure, code="protocol-broken-early")
    names = _IF_PEER_SAYS if by_peer else _IF_WE_SAY
    return replace(failure, code=names.get(failure.code, failure.code))


def _accused(code: int, *, game: bool) -> Failure:
    """The peer says that we broke a game; without one it is only noise."""
    facts = {"wire": str(code), "by": "peer"}
    if not game:
        return Failure("protocol-broken-early", Exit.PROTOCOL, facts)
    return Failure("accused", Exit.CHEATED, facts)


def _internal(*, by_peer: bool, kept: bool) -> Failure:
    """A program's own fault: status 1 is ours alone, the peer's is a lost peer."""
    facts = {"wire": str(INTERNAL), "by": "peer" if by_peer else "us"}
    if not by_peer:
        return Failure("game-stuck", Exit.BUG, facts)
    if kept:
        return Failure("peer-failed", Exit.PEER_LOST, facts)
    return Failure("peer-failed-early", Exit.PROTOCOL, facts)


def shown_key(key: bytes) -> str:
    """A key, or its fingerprint, as people see it."""
    whole = len(key) == KEY_SIZE
    return format_fingerprint(fingerprint(key) if whole else key)


_AT_THE_DOOR: Final = {
    TIMEOUT: "silent",
    OTHER_VERSION: "door-version",
    201: "door-key",
    OTHER_KEY: "door-key",
    203: "door-own-key",
    204: "door-key",
    BUSY: "door-taken",
    206: "door-refused",
    207: "door-invite",
    208: "door-name",
    LEFT: "hung-up",
}


def turned_away(ending: Ending) -> Failure:
    """Why somebody who was at the door did not get the seat."""
    match ending:
        case LinkLost(code=0):
            return Failure("hung-up", Exit.CANNOT_REACH)
        case SessionFailed(cards=True):
            return Failure("door-cards", Exit.CANNOT_REACH)
        case LinkLost(unanswered=True) | PeerLeft(unanswered=True):
            return Failure("door-unanswered", Exit.CANNOT_REACH)
        case SessionFailed(code=201, by_peer=True):
            return Failure("door-unsure", Exit.CANNOT_REACH)
        case SessionFailed(code=202, by_peer=True):
            return Failure("door-unexpected", Exit.CANNOT_REACH)
        case SessionFailed(code=code) | PeerLeft(code=code) | LinkLost(code=code):
            name = _AT_THE_DOOR.get(code, "stranger")
            return Failure(name, Exit.CANNOT_REACH, {"wire": str(code)})
