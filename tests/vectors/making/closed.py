"""Deals of a match that are over and closed, for what comes after them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.genesis import Match
from tests.helpers.fakegame import FakeGame, make_genesis
from tests.vectors.making.received import K

TARGET: Final = 3


@cache
def closed_deal(target: int = TARGET, winner: int = 0) -> FakeGame:
    """The first deal of a match, over and closed; role 1 or role 0 has won it."""
    genesis = replace(make_genesis("russian-bank", k=K), match=Match(1, target))
    game = FakeGame(genesis)
    game.set_up()
    game.event(1 - winner, EventType.RESIGN, ())
    game.settle()
    assert game.state.done
    return game


def drawn_deal() -> FakeGame:
    """A single deal that both have agreed to draw."""
    game = FakeGame(make_genesis("russian-bank", k=K, seed=1))
    game.set_up()
    game.event(0, EventType.DRAW_OFFER, ())
    game.event(1, EventType.DRAW_ANSWER, (1,))
    game.settle()
    assert game.state.done
    return game
