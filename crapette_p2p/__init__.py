"""Crapette across the network: rules, fair deal, signed log, session, table.

The public names are loaded when they are first used, so that importing the
package costs nothing and pulls in neither ``ssl`` nor ``asyncio``.
"""

TYPE_CHECKING = False
"""Not ``typing``'s: importing that would cost more than all the rest here."""
if TYPE_CHECKING:
    from crapette_p2p.cards import Card
    from crapette_p2p.engine.actions import Move
    from crapette_p2p.engine.notation import format_action, parse_action
    from crapette_p2p.engine.play import play
    from crapette_p2p.engine.position import Position
    from crapette_p2p.engine.position_json import parse_position
    from crapette_p2p.engine.rules import legal_actions
    from crapette_p2p.engine.ruleset import RuleSet
    from crapette_p2p.errors import CrapetteError
    from crapette_p2p.gamelog.log import GameLog
    from crapette_p2p.gamelog.replay import Replay, open_replay
    from crapette_p2p.gamelog.verify import verify_log
    from crapette_p2p.session.session import Session

__version__ = "0.1.0"

__all__ = [
    "Card",
    "CrapetteError",
    "GameLog",
    "Move",
    "Position",
    "Replay",
    "RuleSet",
    "Session",
    "__version__",
    "format_action",
    "legal_actions",
    "open_replay",
    "parse_action",
    "parse_position",
    "play",
    "verify_log",
]

_HOMES = {
    "Card": "cards",
    "CrapetteError": "errors",
    "GameLog": "gamelog.log",
    "Move": "engine.actions",
    "Position": "engine.position",
    "Replay": "gamelog.replay",
    "RuleSet": "engine.ruleset",
    "Session": "session.session",
    "format_action": "engine.notation",
    "legal_actions": "engine.rules",
    "open_replay": "gamelog.replay",
    "parse_action": "engine.notation",
    "parse_position": "engine.position_json",
    "play": "engine.play",
    "verify_log": "gamelog.verify",
}
"""Public name → module it lives in."""


def __getattr__(name: str) -> object:
    """Load a public name from the module it lives in."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted(__all__)
