"""A game against a bot: how strong it is to be, and the seat across from it."""

from __future__ import annotations

from dataclasses import replace

from crapette_p2p.net.paths import Paths
from crapette_p2p.net.player import Player
from crapette_p2p.net.sparring import Manner, interrupted, spar_again, sparring
from crapette_p2p.session.commands import Terms
from crapette_p2p.ui.screens.menu import BACK, Item, Menu
from crapette_p2p.ui.screens.waiting import Waiting
from crapette_p2p.ui.seats import seat_flow
from crapette_p2p.ui.settings import LEVELS
from crapette_p2p.ui.surface import Surface

DONE = 0


async def choose_level(surface: Surface) -> str | None:
    """The strength that is chosen; None for no game."""
    desk, words = surface.desk, surface.desk.words
    about = {
        "novice": words("overlooks a good deal"),
        "club": words("looks for plays, errs now and then"),
        "master": words("searches its turn"),
    }
    items = [Item(level, level, about[level], level[0]) for level in LEVELS]
    menu = Menu(desk, words("Play against a bot"), items)
    menu.at = LEVELS.index(desk.settings.level)
    level = await surface.show(menu)
    return None if level == BACK else str(level)


async def new_bot_game(
    surface: Surface, player: Player, paths: Paths, terms: Terms
) -> int:
    """Choose a bot and play it."""
    level = await choose_level(surface)
    if level is None:
        return DONE
    terms = replace(terms, assist=surface.desk.settings.assist)
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
