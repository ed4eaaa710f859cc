"""A whole game typed at the table, on three keyboards."""

from __future__ import annotations

import random

import pytest

from crapette_p2p.bot import choose
from crapette_p2p.engine import Action, AnswerDraw, Discard, Move
from crapette_p2p.engine.layout import DRAWN
from crapette_p2p.engine.ruleset import DEFAULT_PRESET, PRESETS
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.session.commands import AcceptTerms, Command, Confirm
from crapette_p2p.session.notices import EventFinal
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import ALIASES
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.settings import Settings
from tests.helpers.keystrokes import keys_of, takes_up
from tests.ui.screen_table import screen_table

TYPED = {value: key for key, value in ALIASES.items() if key not in {".", "f1"}}
"""Key → what the same physical key sends on another layout."""


class TypedGame:
    """A game against the robot, every action of ours typed."""

    def __init__(
        self,
        seed: int,
        layout: dict[str, str],
        *,
        animation: bool = False,
        preset: str = DEFAULT_PRESET,
    ) -> None:
        self.table = screen_table(preset, seed=seed)
        self.dice = random.Random(seed)  # noqa: S311 - a repeatable player
        self.layout = layout
        self.keys = self.actions = 0
        self.now = 100.0
        self.told = 0
        self.command(Confirm(same=True))
        self.command(AcceptTerms())
        state, seat = self.table.game, self.table.seat
        assert state is not None
        assert state.position is not None
        assert seat is not None
        self.told = len(self.notices)
        setup = TableSetup(
            seat=seat,
            names=state.genesis.nicks,
            position=state.position,
            send=self.command,
        )
        self.screen = TableScreen(
            Desk(settings=Settings(pace=0, animation=animation)), setup
        )
        self.screen.begin(self.now)

    @property
    def notices(self) -> list[object]:
        """Everything our session has said."""
        return list(self.table.pair.players[self.table.side].notices)

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        state = self.table.game
        assert state is not None
        return state

    def command(self, command: Command) -> None:
        """Hand a command to the real session."""
        self.table.command(command)

    def hear(self) -> None:
        """Give the screen what the session said, and let two seconds pass."""
        notices = self.notices
        for notice in notices[self.told :]:
            if not isinstance(notice, EventFinal) or notice.state.position is None:
                continue
            if notice.action is not None or notice.type == EventType.OPEN_B:
                position = notice.state.position
                self.screen.feed.push(notice.author, notice.action, position)
                self.screen.happened(self.now)
        self.told = len(notices)
        self.now += 2.0
        self.screen.wake(self.now)

    def press(self, key: str) -> None:
        """Press a key of this keyboard."""
        self.keys += 1
        self.now += 0.5
        self.screen.key(self.layout.get(key, key), self.now)

    def close_boxes(self) -> None:
        """Boxes that only tell something are closed (and not counted)."""
        question = self.screen.question
        if question is not None and question.name == "called":
            self.now += 2.0
            self.screen.key("enter", self.now)

    def think(self) -> Action | None:
        """What a club player does now."""
        position, seat = self.state.position, self.table.seat
        assert position is not None
        assert seat is not None
        if self.state.due is not None or self.state.final_end is not None:
            return None
        return choose(position, seat, level="club", rand=self.dice.random)

    def play(self, most: int) -> None:
        """Play until the deal has ended."""
        for _ in range(most):
            self.hear()
            self.close_boxes()
            action = self.think()
            if self.state.final_end is not None:
                return
            if isinstance(action, AnswerDraw):
                self.decline()
                continue
            if action is None:
                continue
            before = self.state.length
            self.make(action)
            self.actions += 1
            assert self.state.length > before, (action, self.screen.hands.state)

    def decline(self) -> None:
        """Talk is no action of the game, and not counted."""
        keys = ["n"] if self.screen.question else [":", *"draw", "enter", "n"]
        for key in keys:
            self.now += 1.5
            self.screen.key(key, self.now)

    def make(self, action: Action) -> None:
        """Type one action, letting go of a card in hand where another one goes."""
        picked = self.screen.hands.state.picked
        moves_drawn = isinstance(action, Move) and action.source & ~1 == DRAWN
        question = self.screen.question
        if question is not None:
            self.now += 1.0  # it listens only then
            self.press("escape")
        position = self.state.position
        assert position is not None
        takes = takes_up(action, position)
        goes_on = moves_drawn or isinstance(action, Discard) or takes
        if picked is not None and not goes_on:
            self.press("escape")
        for key in keys_of(action, in_hand=picked is not None):
            self.press(key)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_whole_games_take_few_keys(preset: str) -> None:
    """At most 1.4 keys an action, from the first card to the last."""
    games = [TypedGame(seed, {}, preset=preset) for seed in (1, 2, 3, 4)]
    for game in games:
        game.play(500)
        assert game.state.final_end is not None
    keys = sum(game.keys for game in games)
    assert keys / sum(game.actions for game in games) <= 1.4


@pytest.mark.slow
def test_the_same_game_is_typed_on_any_keyboard() -> None:
    """ЙЦУКЕН letters and the digit row of AZERTY lead to the same game."""
    latin, other = TypedGame(1, {}), TypedGame(1, TYPED)
    for game in (latin, other):
        game.play(60)
    assert latin.state.position == other.state.position
    assert latin.keys == other.keys
