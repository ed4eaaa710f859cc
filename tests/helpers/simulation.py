"""Random schedules for two honest programs on a bad network and bad machines.

One seed is one schedule: bytes arrive late and in pieces, links are cut and made
again from either side, programs crash before any write or send, and some of their
machines with them, an old backup is put back, people act at the same time. Then the
network heals and the game has to end: closed on both sides, with equal logs, and
nobody may have signed two events with one number or have called the other a cheat.

Schedules are short, so that there can be many: half of them begin with the deal,
the others in the middle of a game that was dealt once (``beginnings.py``).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.events import EventType, decode_event
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.commands import Act
from crapette_p2p.session.effects import Effect, Persist
from crapette_p2p.session.notices import SessionFailed
from crapette_p2p.session.states import GAME_STATES
from tests.helpers.beginnings import begun, new_players
from tests.helpers.forging import require_one_signature
from tests.helpers.pair import Disk, Pair, Player, terms
from tests.helpers.policy import choose


class SimulationError(AssertionError):
    """What no schedule may lead to, with the seed that did."""

    def __init__(self, seed: int, why: str) -> None:
        super().__init__(f"seed {seed}: {why}")


def send_first(effects: list[Effect]) -> list[Effect]:
    """The mutant that does not record first: what is kept comes after the rest."""
    late = [e for e in effects if isinstance(e, Persist)]
    return [e for e in effects if not isinstance(e, Persist)] + late


@dataclass
class Simulation:
    """One schedule; ``run`` raises SimulationError if it goes wrong."""

    seed: int
    steps: int = 50
    backups: bool | None = None
    """Whether old backups are put back (then lost signatures may be renewed);
    None: with every second seed."""
    forgetful: bool = False
    """The mutant that sends before it records."""
    pair: Pair = field(init=False)
    copies: list[Disk | None] = field(default_factory=lambda: [None, None])
    log: list[str] = field(default_factory=list)
    """What the schedule did, for a person who looks into a failure."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)  # noqa: S311 - a repeatable schedule
        if self.backups is None:
            self.backups = self.seed % 2 == 0
        players = new_players(self.seed)
        preset = self.rng.choice(list(PRESETS))
        for player in players:
            player.options["terms"] = terms(preset)
            if self.forgetful:
                player.reorder = send_first
        self.pair = Pair(*players, seed=self.seed, split="mostly")
        if self.rng.random() < 0.5:
            actions = self.rng.choice((0, 6, 20))
            for player, held in zip(
                players, begun(preset, actions, self.seed // 1000), strict=True
            ):
                held.give_to(player)

    # The schedule -------------------------------------------------------------

    def run(self) -> None:
        """Chaos, then peace, then the verdict."""
        try:
            for _ in range(self.steps):
                self._step()
            self._heal()
            self._judge()
        except SimulationError:
            raise
        except (AssertionError, LogError) as error:
            raise SimulationError(self.seed, str(error) or "an assertion") from error

    def _step(self) -> None:
        roll = self.rng.random()
        if self.pair.wire is None or roll < 0.02:
            self._note("link")
            self.pair.join(dialler=self.rng.randrange(2))
        elif roll < 0.04:
            self._note("cut")
            self.pair.cut()
        elif roll < 0.09:
            self._crash_soon()
        elif roll < 0.12 and self.backups:
            self._backup_or_restore()
        elif roll < 0.13:
            self._let_time_pass()
        elif roll < 0.4:
            self._act(0)
            self._act(1)
        else:
            for _ in range(self.rng.choice((1, 4, 20))):
                self.pair.step()

    def _note(self, what: str) -> None:
        self.log.append(what)

    def _crash_soon(self) -> None:
        side = self.rng.randrange(2)
        player = self.pair.players[side]
        if player.session is not None:
            player.crash_before = player.steps + self.rng.randint(1, 6)
            player.loses_power = player.crash_before % 2 == 0
            self._note(f"crash of {side} before step {player.crash_before}")

    def _backup_or_restore(self) -> None:
        side = self.rng.randrange(2)
        player, copy = self.pair.players[side], self.copies[side]
        if copy is None:
            if _has_committed(player):
                self.copies[side] = player.disk.copy()
                self._note(f"backup of {side}")
            return
        self._note(f"restore of {side}")
        self.pair.cut()
        player.crash()
        player.disk, self.copies[side] = copy, None

    def _let_time_pass(self) -> None:
        self.pair.now += self.rng.choice((1.0, 6.0, 11.0, 21.0))
        self._note(f"time {self.pair.now}")
        self.pair.tick()

    def _act(self, side: int) -> None:
        player = self.pair.players[side]
        session = player.session
        if session is None or session.state not in GAME_STATES:
            return
        if session.game is None or session.seat is None:
            return
        action = choose(session.game, session.seat, self.rng, resign=0.002, talk=0.06)
        if action is not None and self.pair.attempt(side, Act(action)):
            self._note(f"{side} acts: {action}")

    # Peace --------------------------------------------------------------------

    def _heal(self) -> None:
        pair = self.pair
        for player in pair.players:
            player.crash_before = None
        pair.split = "whole"
        pair.connect(dialler=self.rng.randrange(2))
        for _ in range(5):
            if all(game_over(player) for player in pair.players):
                return
            for side in (0, 1):
                self._act(side)
                pair.pump()
        for side in (0, 1):
            session = pair.players[side].session
            if session is not None and session.may(RESIGN):
                pair.attempt(side, Act(RESIGN))
            pair.pump()

    def _judge(self) -> None:
        for player in self.pair.players:
            for notice in player.notices:
                if isinstance(notice, SessionFailed):
                    raise SimulationError(self.seed, f"{player.name}: {notice}")
        if not all(game_over(player) for player in self.pair.players):
            raise SimulationError(self.seed, "the game does not end")
        logs = [_last_entries(player) for player in self.pair.players]
        if logs[0] != logs[1]:
            raise SimulationError(self.seed, "the logs differ")
        player = self.rng.choice(self.pair.players)  # the other's says the same
        verdict = verify_log(list(player.disk.logs.values())[-1], player.key.verify)
        if verdict.level != 5:
            raise SimulationError(self.seed, f"{player.name}: {verdict}")
        if not self.backups:
            require_one_signature(self.pair)


def game_over(player: Player) -> bool:
    """Whether the newest game of a player is closed."""
    games = player.kept()
    return bool(games) and games[-1].done


def _last_entries(player: Player) -> list[bytes]:
    game = player.kept()[-1]
    return [game.game_id, *(entry.signed.hash for entry in game.log.entries)]


def _has_committed(player: Player) -> bool:
    """Whether a backup holds the seeds of what was promised."""
    sent = [m for m in player.sent if hasattr(m, "event")]
    return any(decode_event(m.event).type == EventType.COMMIT for m in sent) and all(
        game.is_open for game in player.kept()
    )
