"""A game against a bot: how strong it is to be, and the seat across from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.net.paths import Paths
from crapette_p2p.net.player import Player
from crapette_p2p.net.sparring import Manner, interrupted, spar_again, sparring
from crapette_p2p.session.commands import Terms
from crapette_p2p.ui.screens.menu import BACK, Item, Menu
from crapette_p2p.ui.screens.rules_editor import RulesEditor, terms_text
from crapette_p2p.ui.screens.waiting import Waiting
from crapette_p2p.ui.seats import seat_flow
from crapette_p2p.ui.settings import LEVELS
from crapette_p2p.ui.surface import Surface

DONE = 0
_RULES: Final = "rules"
"""Chosen to change what is played."""


async def choose_game(surface: Surface, terms: Terms) -> tuple[str, Terms] | None:
    """The strength and the rules that are chosen; None for no game."""
    desk, words = surface.desk, surface.desk.words
    about = {
        "novice": words("overlooks a good deal"),
        "club": words("looks for plays, errs now and then"),
        "master": words("searches its turn"),
    }
    levels = [Item(level, level, about[level], level[0]) for level in LEVELS]
    at = LEVELS.index(desk.settings.level)
    while True:
        played = Item(_RULES, words("rules"), terms_text(terms, desk), "e")
        menu = Menu(desk, words("Play against a bot"), [*levels, played])
        menu.at = at
        done = await surface.show(menu)
        if done != _RULES:
            return None if done == BACK else (str(done), terms)
        edited = await surface.show(RulesEditor(desk, terms))
        terms = edited if isinstance(edited, Terms) else terms


async def new_bot_game(
    surface: Surface, player: Player, paths: Paths, terms: Terms
) -> int:
    """Choose a bot and what is played, and play it."""
    offered = replace(terms, assist=surface.desk.settings.assist)
    chosen = await choose_game(surface, offered)
    if chosen is None:
        return DONE
    level, terms = chosen
    seat = sparring(player, paths, terms=terms, manner=Manner(level=level))
    return await seat_flow(surface, seat, bot=True)


async def bot_meanwhile(
    surface: Surface, player: Player, paths: Paths, terms: Terms
) -> int:
    """Go on with the newest game against a bot, or begin one where there is none."""
    found = interrupted(player, paths)
    if found is None:
        return await new_bot_game(surface, player, paths, terms)
    words = surface.desk.words
    waiting = Waiting(surface.desk, words("Play against a bot"))
    waiting.step(words("waiting for the other player"))
    surface.put(waiting)
    return await seat_flow(surface, spar_again(player, *found), bot=True)
