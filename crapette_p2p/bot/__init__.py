"""Bots: what a seat does next, from what everybody can see. Pure."""

from crapette_p2p.bot.choosing import choose
from crapette_p2p.bot.hints import Hint, hint
from crapette_p2p.bot.levels import LEVELS, PLAYED, Level
from crapette_p2p.bot.planning import TurnMemory

__all__ = ["LEVELS", "PLAYED", "Hint", "Level", "TurnMemory", "choose", "hint"]
