"""Crapette across the network: rules, fair deal, signed log, session, table.

The public names are loaded when they are first used, so that importing the
package costs nothing and pulls in neither ``ssl`` nor ``asyncio``.
"""

TYPE_CHECKING = False
"""Not ``typing``'s: importing that would cost more than all the rest here."""
if TYPE_CHECKING:
    from crapette_p2p.cards import Card
    from crapette_p2p.engine.actions import Move
    from crapette_p2p.engine.position import Position
    from crapette_p2p.engine.ruleset import RuleSet
    from crapette_p2p.errors import CrapetteError

__version__ = "0.1.0"

__all__ = [
    "Card",
    "CrapetteError",
    "Move",
    "Position",
    "RuleSet",
    "__version__",
]

_HOMES = {
    "Card": "cards",
    "CrapetteError": "errors",
    "Move": "engine.actions",
    "Position": "engine.position",
    "RuleSet": "engine.ruleset",
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
