"""Games that are already some way on, dealt once and copied for many schedules.

A deal costs more than the whole of a short schedule. What is copied is what a
program holds after an honest beginning: its disk, its game in memory, and what it
has sent so far (nobody may sign one of those numbers again).
"""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from functools import lru_cache

from crapette_p2p.session.commands import Act
from crapette_p2p.session.messages import Message
from crapette_p2p.session.opengame import OpenGame
from tests.helpers.disk import Disk
from tests.helpers.keys import toy_key
from tests.helpers.pair import Pair, Player, make_player, terms
from tests.helpers.policy import choose

NAMES = ("Ala", "Olek")


@dataclass(frozen=True)
class Held:
    """What one program holds."""

    disk: Disk
    game: OpenGame
    sent: tuple[Message, ...]

    def give_to(self, player: Player) -> None:
        """Copies of it all, so that the next schedule finds it untouched."""
        game = copy.copy(self.game)
        game.log = copy.copy(game.log)
        game.log.entries = list(game.log.entries)
        game.log.voids = list(game.log.voids)
        game.log.notes = list(game.log.notes)
        player.disk = self.disk.copy()
        player.games = {game.game_id: game}
        player.sent = list(self.sent)


def new_players(seed: int) -> list[Player]:
    """Two players whose entropy is that seed, with keys that cost nothing."""
    return [make_player(name, key=toy_key(name), seed=seed) for name in NAMES]


@lru_cache(maxsize=64)
def begun(preset: str, actions: int, variant: int) -> tuple[Held, Held]:
    """A deal of that preset after about so many honest actions a side."""
    rng = random.Random(variant)  # noqa: S311 - has to repeat
    players = new_players(variant)
    for player in players:
        player.options["terms"] = terms(preset)
    pair = Pair(*players, seed=variant)
    pair.connect(dialler=variant % 2)
    for _ in range(actions):
        for side, player in enumerate(players):
            game, seat = player.live.game, player.live.seat
            assert game is not None
            assert seat is not None
            action = choose(game, seat, rng)
            if action is not None:
                pair.attempt(side, Act(action))
            pair.pump()
    pair.cut()
    held = [Held(p.disk, p.kept()[-1], tuple(p.sent)) for p in players]
    return held[0], held[1]
