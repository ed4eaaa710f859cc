"""Two people in two windows play a whole deal, by keys alone.

A player here sees its own window, and reads its own log to choose a move (a bot
looks at that table as anybody may); whatever happens, happens by keys. One window
opens the table from the menu, the other one joins by the address that it shows.

    python -m tests.helpers.by_keys --preset garibaldka --show FOLDER
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from crapette_p2p.bot import choose
from crapette_p2p.engine import (
    Action,
    AnswerDraw,
    Discard,
    Grant,
    Move,
    Position,
    Resign,
    Stop,
)
from crapette_p2p.engine.layout import DRAWN, Seat
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.fold import LogFold
from crapette_p2p.gamelog.records import read_records
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.paths import find_paths
from tests.helpers.journals import rows_of_journal
from tests.helpers.keystrokes import keys_of, takes_up
from tests.helpers.windows import PATIENCE, Window, crapette, news_of

_BOX: Final = re.compile("[─=-] ?STOP! ?[─=-]")
_IN_HAND: Final = " in hand – press a pile"
_NAMED: Final = {"enter": "\r", "escape": "\x1b"}
_AGAIN: Final = 1.5
"""Seconds after which a key that was not taken is pressed again."""


@dataclass
class Player:
    """Somebody at a window."""

    name: str
    window: Window
    home: Path
    level: str
    dice: random.Random
    size: tuple[int, int] = (80, 24)
    """Of the window."""
    keys: int = 0
    """Pressed for an action; that is what the table costs."""
    boxes: int = 0
    """Pressed to close a box that only tells something."""
    repeats: int = 0
    """Pressed once more, because nothing had come of it yet."""
    actions: int = 0
    """What came of them."""
    calls: int = 0
    """Stop! called."""
    _fold: LogFold = field(default_factory=LogFold)
    _read: int = 0
    """Records of the log that were read."""
    _tried: tuple[int, float] = (-1, 0.0)
    """Length of the log at the last try, and when that was."""

    # What this player knows ---------------------------------------------------

    @property
    def log(self) -> Path:
        """The log of the game."""
        (path,) = (self.home / "games").glob("*.crlog")
        return path

    @property
    def seat(self) -> Seat:
        """Ours."""
        assert self._fold.log is not None
        return Seat(self._fold.log.genesis.nicks.index(self.name))

    def state(self) -> GameState:
        """The game as our own log has it, read on from where we were."""
        for record in read_records(self.log.read_bytes()).records[self._read :]:
            assert self._fold.add(record)
            self._read += 1
        assert self._fold.state is not None
        return self._fold.state

    def choice(self, state: GameState) -> Action | None:
        """What to do now, if anything."""
        if state.position is None or state.due is not None:
            return None
        if state.final_end is not None:
            return None
        return choose(
            state.position, self.seat, level=self.level, rand=self.dice.random
        )

    def is_ready(self, text: str, action: Action) -> bool:
        """Whether the window shows that this can be done now."""
        if isinstance(action, Stop | AnswerDraw | Grant | Resign):
            return True
        rows = text.split("\n")
        return "YOUR MOVE" in rows[0] and "waiting for" not in rows[-2]

    def is_up_to_date(self) -> bool:
        """Whether the window shows our log to its end, and no box over it.

        It comes to an event later than the log, and all at once to a bot's whole turn.
        """
        state = self.state()
        lines = self.window.lines
        if state.position is None or "waiting for" in lines[-2]:
            return False
        if "dealing …" in lines[0]:
            return False
        assert self._fold.log is not None
        told = rows_of_journal(self._fold.log, state, self.seat, self.size)
        return all(lines[row].rstrip() == text for row, text in told.items())

    def sees(self, action: Action) -> bool:
        """Whether the window has come to this moment, and lets the action be done."""
        return self.is_up_to_date() and self.is_ready(self.window.text, action)

    def has_pressed_at(self, state: GameState) -> bool:
        """Whether something was pressed at this table, which may be done any moment."""
        return self._tried[0] == state.length

    def is_told(self) -> bool:
        """Whether a box about a call is to be closed first."""
        return _BOX.search(self.window.text) is not None

    def wait_for(self, predicate: Callable[[GameState], bool]) -> None:
        """Wait until our log has come so far."""
        deadline = time.monotonic() + PATIENCE
        while not predicate(self.state()):
            assert time.monotonic() < deadline, self.window.text
            news_of([self.window], 0.3)

    # What this player does ----------------------------------------------------

    def press(self, *keys: str) -> None:
        """Press keys at the table."""
        self.window.type("".join(_NAMED.get(key, key) for key in keys))

    def step(self) -> bool:
        """Do what can be done; whether something was."""
        state = self.state()
        text = self.window.text  # looked at last: it is never older than the log
        if _BOX.search(text):
            return self._once(-2, "enter")
        action = self.choice(state)
        if action is None or not self.is_ready(text, action):
            return False
        assert state.position is not None  # else there was no choice
        keys = self.keys_for(action, state.position, text)
        return self._once(state.length, *keys, done=action)

    def keys_for(self, action: Action, position: Position, text: str) -> list[str]:
        """The keys of an action, with what lies in their way."""
        drawn = isinstance(action, Move) and action.source & ~1 == DRAWN
        in_hand = _IN_HAND in text
        keys = keys_of(action, in_hand=in_hand)
        goes_on = drawn or isinstance(action, Discard) or takes_up(action, position)
        if in_hand and not goes_on:
            keys = ["escape", *keys]
        if isinstance(action, Stop) and "call Stop! and name" in text:
            keys = ["!", *keys[1:]]  # the box opens the same prompt
        return keys

    def _once(self, moment: int, *keys: str, done: Action | None = None) -> bool:
        """Press keys, but not again before they have had their time."""
        tried, at = self._tried
        now = time.monotonic()
        if tried == moment and now - at < _AGAIN:
            return False
        self._tried = (moment, now)
        if tried == moment:
            keys = keys if done is None else ("escape", *keys)
            self.repeats += len(keys)
        elif done is None:
            self.boxes += len(keys)
        else:
            self.keys += len(keys)
            self.actions += 1
            self.calls += isinstance(done, Stop)
        self.press(*keys)
        return True


@dataclass(frozen=True)
class Deal:
    """A finished deal and what it took."""

    players: tuple[Player, Player]
    screens: tuple[str, str]
    """What stood on each at the end."""
    seconds: float
    """From the first card to the last."""

    @property
    def keys_per_action(self) -> float:
        """What the table costs a player."""
        keys = sum(player.keys for player in self.players)
        return keys / sum(player.actions for player in self.players)


@contextmanager
def seated(
    home: Path,
    preset: str,
    *,
    levels: Sequence[str] = ("club", "novice"),
    seed: int = 1,
    size: tuple[int, int] = (80, 24),
) -> Iterator[tuple[Player, Player]]:
    """Ala opens a table from her menu, Olek joins by its address; both sit there."""
    names, homes = ("Ala", "Olek"), (home / "ala", home / "olek")
    wanted = {"pace": 0, "announce": False, "port": 0, "rules": preset}
    for name, place in zip(names, homes, strict=True):
        config = find_paths(str(place)).config_file
        config.parent.mkdir(parents=True)
        lines = {**wanted, "name": name}.items()
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines)
        config.write_text(text, encoding="utf-8")
    cols, rows = size
    with Window(crapette(homes[0]), cols=cols, rows=rows) as first:
        first.shows("Host a table")
        first.type("h")
        text = first.shows("Listening on port")
        port = re.findall(r"Listening on port (\d+)", text)[0]
        words = crapette(homes[1], "join", "127.0.0.1", port)
        with Window(words, cols=cols, rows=rows) as second:
            made = [
                Player(name, window, place, level, random.Random(seed + number), size)  # noqa: S311 - a repeatable player
                for number, (name, window, place, level) in enumerate(
                    zip(names, (first, second), homes, levels, strict=True)
                )
            ]
            _meet(*made)
            yield made[0], made[1]


def _meet(ala: Player, olek: Player) -> None:
    """Compare the four cards, agree on the rules, see the table."""
    cards = [
        next(row for row in text.split("\n") if "│" in row)
        for text in (p.window.shows("the same four cards") for p in (ala, olek))
    ]
    assert cards[0] == cards[1], cards
    for player in (ala, olek):
        insist(player.window, "y", "the same four cards")
    # A busy machine may have taken a second y for an answer to this already.
    asked = ("What will be played", "turn 1")
    olek.window.until(lambda text: any(word in text for word in asked), why=str(asked))
    insist(olek.window, "y", asked[0])
    for player in (ala, olek):
        player.window.shows("turn 1")


def insist(window: Window, key: str, gone: str) -> None:
    """Press a key until what it answers is gone: a box is deaf for a second."""
    deadline = time.monotonic() + PATIENCE
    while gone in window.text:
        assert time.monotonic() < deadline, window.text
        window.type(key)
        news_of([window], 1.0)


def play_on(players: tuple[Player, Player], *, turns: int | None = None) -> float:
    """Play to the end of the deal, or to a turn, then to rest; how long that took."""
    began = time.monotonic()
    heard = began
    while True:
        if turns is not None and turn_of(players[0]) >= turns:
            come_to_rest(players)
            return time.monotonic() - began
        moved = [player.step() for player in players]
        if any(moved):
            heard = time.monotonic()
        state = players[0].state()
        if state.final_end is not None:
            return time.monotonic() - began
        screens = "\n".join(player.window.text for player in players)
        assert time.monotonic() - heard < PATIENCE, screens
        if not any(moved):
            news_of([player.window for player in players], 0.3)


def turn_of(player: Player) -> int:
    """Which turn the window shows; 0 before the first."""
    told = re.search(r"│ turn (\d+) ", player.window.text)
    return int(told[1]) if told else 0


def come_to_rest(players: tuple[Player, Player]) -> None:
    """Let what was pressed come to something, and both windows to the logs' end.

    A key that is still on its way, or a box that opens, is no place to go on from.
    """
    deadline = time.monotonic() + PATIENCE
    while not (is_quiet(players) and all(p.is_up_to_date() for p in players)):
        screens = "\n".join(player.window.text for player in players)
        assert time.monotonic() < deadline, screens
        busy = (p for p in players if p.is_told() or p.has_pressed_at(p.state()))
        if not any(player.step() for player in busy):
            news_of([player.window for player in players], 0.3)


def is_quiet(players: tuple[Player, Player]) -> bool:
    """Whether both logs are equal, no event is owed, and nothing was pressed there."""
    first, second = (player.state() for player in players)
    alike = first.length == second.length and first.due is None
    return alike and not any(player.has_pressed_at(first) for player in players)


def whole_deal(
    home: Path, preset: str, *, seed: int = 1, size: tuple[int, int] = (80, 24)
) -> Deal:
    """One deal from hello to the box at its end, both logs proven and equal."""
    with seated(home, preset, seed=seed, size=size) as players:
        seconds = play_on(players)
        return ended(players, seconds)


def ended(players: tuple[Player, Player], seconds: float) -> Deal:
    """The box at the end on both screens; then both leave, and the logs agree."""
    ala, olek = players
    screens = (ala.window.shows("next deal"), olek.window.shows("next deal"))
    insist(olek.window, "m", "look at the table")
    insist(ala.window, "m", "look at the table")
    assert olek.window.ended() == 0
    ala.window.shows("Host a table")
    ala.window.type("q")
    assert ala.window.ended() == 0
    for player in players:
        assert player.window.is_given_back()
        assert "level 5 of 5" in _told("verify", str(player.log))
    _told("compare", str(ala.log), str(olek.log))
    return Deal(players, screens, seconds)


def _told(*words: str) -> str:
    """What a command says; it has to succeed."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            crapette(Path(home), *words), capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def main() -> int:
    """Play one deal of a preset, or of each, and say what it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.helpers.by_keys")
    parser.add_argument("--preset", choices=list(PRESETS), action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--show", type=Path, help="where to write the last screens")
    args = parser.parse_args()
    cols, rows = map(int, args.size.split("x"))
    for preset in args.preset or PRESETS:
        with tempfile.TemporaryDirectory() as home:
            deal = whole_deal(Path(home), preset, seed=args.seed, size=(cols, rows))
        for player, screen in zip(deal.players, deal.screens, strict=True):
            if args.show is not None:
                args.show.mkdir(parents=True, exist_ok=True)
                path = args.show / f"end-{preset}-{player.name}.txt"
                path.write_text(screen + "\n", encoding="utf-8")
        told = ("actions", "keys", "calls", "boxes", "repeats")
        counts = ", ".join(
            f"{sum(getattr(player, what) for player in deal.players)} {what}"
            for what in told
        )
        ratio = f"{deal.keys_per_action:.2f} keys an action"
        print(f"{preset}: {counts}; {ratio}, {deal.seconds:.0f} s", flush=True)  # noqa: T201 - this is a command
    return 0


if __name__ == "__main__":
    sys.exit(main())
