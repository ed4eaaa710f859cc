"""**Pure**: what became of a kept game, and how long ago, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the command line wants no more of it than it uses
    from crapette_p2p.net.kept import KeptGame
    from crapette_p2p.ui.language import Words

_STATUS: Final = {
    "open": "open",
    "accepted": "not begun",
    "finished": "finished",
    "damaged": "damaged",
    "failed": "failed",
}


NEXT_TURN: Final = "turn"
NEXT_DEAL: Final = "deal"
SIGNATURE: Final = "signature"


def what_goes_on(game: KeptGame) -> str:
    """What there is to be done in a game that can go on: one of the three above."""
    if game.status != "open" or game.match_goes_on:
        return NEXT_DEAL
    return SIGNATURE if game.is_over else NEXT_TURN


def outcome_text(game: KeptGame, words: Callable[..., str]) -> str:
    """Won, lost, open, abandoned … as its owner sees it."""
    if game.result is None or not game.is_over:
        return words("abandoned") if game.abandoned else words(_STATUS[game.status])
    told = _result_text(game, game.result[0], words)
    return words("{outcome}, unsigned", outcome=told) if is_unsigned(game) else told


def is_unsigned(game: KeptGame) -> bool:
    """Whether the game is over, and the other has yet to sign who has won."""
    return game.is_over and game.status == "open"


def _result_text(game: KeptGame, winner: object, words: Callable[..., str]) -> str:
    if winner not in (0, 1):
        return words("a draw")
    if game.seat is None:
        return words("{name} won", name=game.genesis.nicks[winner == 1])
    return words("won") if winner == game.seat else words("lost")


def ago_text(seconds: float, words: Words) -> str:
    """How long ago something was, in the largest unit that says enough."""
    minutes = max(int(seconds) // 60, 0)
    if minutes < 1:
        return words("just now")
    if minutes < 60:
        return words.count("{n} minute ago", "{n} minutes ago", minutes)
    if minutes < 48 * 60:
        return words.count("{n} hour ago", "{n} hours ago", minutes // 60)
    return words.count("{n} day ago", "{n} days ago", minutes // (24 * 60))
