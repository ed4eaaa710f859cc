"""What the peer's BYE means to the player (protocol/spec/90-errors.md)."""

from __future__ import annotations

from typing import Final

from crapette_p2p.session.channel import GAME_FAULTS
from crapette_p2p.session.messages import Bye
from crapette_p2p.session.notices import PeerLeft, SessionFailed
from crapette_p2p.session.text import displayable

TIMEOUT: Final = 106
GAME_OVER: Final = 502
_FAREWELLS: Final = frozenset({TIMEOUT, 205, 206, 501, GAME_OVER})
"""Codes of BYE that blame nobody: the peer has left."""


def heard_bye(
    message: Bye, *, asked: bool = False, refused: bool = False
) -> PeerLeft | SessionFailed:
    """The notice that tells of a BYE; its text is safe to show.

    ``asked``: whether a person was to answer something when it came. ``refused``:
    whether the listener had said that we are not let in.
    """
    code, text = message.code, displayable(message.text)
    if code in _FAREWELLS:
        unanswered = asked and code == TIMEOUT
        return PeerLeft(code, text, unanswered, at_door=refused and code == 206)
    failed = code in GAME_FAULTS
    return SessionFailed(code=code, by_peer=True, game_failed=failed, text=text)
