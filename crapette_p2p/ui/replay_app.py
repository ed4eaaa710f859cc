"""The replay of one log: any move of it, backwards too, at any speed.

Theory of operation. A log holds moves, so every position is a fold over its
events (``gamelog/replay.py``); this screen only chooses which step is shown.
While it runs, ``_next_at`` says when the next step is due: evenly, or as the players
played it where their times were kept (``play/pacing.py``). It ends on the last
position and stays there. A broken log plays up to the break, and says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from crapette_p2p.engine import Position
from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.gamelog.replay import Replay
from crapette_p2p.gamelog.times import Times
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import meant
from crapette_p2p.ui.input.keymap import REPLAY_KEYS, key_lines
from crapette_p2p.ui.input.palette import Order
from crapette_p2p.ui.play.board_screen import BoardScreen
from crapette_p2p.ui.play.pacing import Pace, waits_of
from crapette_p2p.ui.play.reel import Reel
from crapette_p2p.ui.render import Hit, PileHit, SeekHit
from crapette_p2p.ui.screens.reading import Reading, keys_page
from crapette_p2p.ui.screens.rules_page import rules_page
from crapette_p2p.ui.table_view import Scrubber, TableView, View
from crapette_p2p.ui.told_apart import told_apart
from crapette_p2p.ui.view import BarPiece, Text
from crapette_p2p.ui.webpage import CLOSED_FOR_GOOD, NO_TIMES

ON_THE_LINE: Final = (
    "On the line below the table ! marks a Stop! call, and ~ a place where somebody "
    "left, was lost or came back."
)
LEFT_REPLAY: Final = "left"
_TEN: Final = 10
_PILE_KEYS: Final = "12345678"
_DIGITS: Final = frozenset("0123456789")
"""Not whatever is called a digit: a French keyboard has a key for ²."""


class ReplayScreen(BoardScreen):
    """A game watched again; see the module's theory of operation."""

    where = "replay"

    def __init__(
        self,
        desk: Desk,
        replay: Replay,
        *,
        name: str = "",
        seat: int = 0,
        times: Times | None = None,
    ) -> None:
        super().__init__(desk)
        self.reel = Reel(replay, desk.words, name)
        self.name = name
        self.place = 0
        self.pace = Pace(waits_of(replay, times))
        self.playing = False
        self.shows_hidden = False
        self._seat = Seat(seat)
        self._hidden = replay.hidden_faces()
        self._next_at = 0.0
        self._number = ""
        self._looking = False
        self._wanted = ""

    def settings_changed(self) -> None:
        """The log is written anew, in the language in force."""
        self.reel = Reel(self.reel.replay, self.desk.words, self.name)

    # What is seen -------------------------------------------------------------

    @property
    def board(self) -> Position:
        """The position on the screen."""
        return self.reel.position(self.place)

    @property
    def opened(self) -> bytes | None:
        """What lies face down, while that is shown."""
        return self._hidden if self.shows_hidden else None

    @property
    def bottom_seat(self) -> int:
        """Whose side is at the bottom."""
        return self._seat

    def view(self, now: float) -> View:
        """The table, and where we are in the game."""
        if self.over is not None:
            self.over.size = self.size
            return self.over.view(now)
        question = self.question
        return TableView(
            position=self.board,
            seat=self._seat,
            bar=self._bar(),
            marks=self.reel.mark(self.place),
            found=self.found,
            hidden=self.opened,
            log=self.reel.log(self.place),
            log_scroll=self.log_scroll,
            message=self._message(now),
            message_style=self.said_style,
            prompt=self.prompt(),
            dialog=question.dialog(now) if question is not None else None,
            key_lines=key_lines(REPLAY_KEYS, self.desk.words),
            scrubber=self._scrubber(),
        )

    def _message(self, now: float) -> Text:
        if self._looking:
            return (self.desk.words("Look at which pile?"),)
        if self._number:
            return (f"{self._number}…",)
        return self.saying(now)

    def _bar(self) -> tuple[BarPiece, ...]:
        words = self.desk.words
        names = told_apart(self.reel.replay.log.genesis.nicks, None, words)
        mine, theirs = names[self._seat], names[other(self._seat)]
        hidden = words("hidden: on") if self.shows_hidden else words("hidden: off")
        return (
            BarPiece(words("Replay {name}", name=self.name), 5),
            BarPiece(f"{mine} – {theirs}", 9),
            BarPiece(self._verified(), 8),
            BarPiece(words("seen by {name}", name=mine), 2),
            BarPiece(hidden, 7 if self.shows_hidden else 1),
        )

    def _verified(self) -> str:
        words, verdict = self.desk.words, self.reel.replay.verdict
        if verdict is None:
            return words("not verified")
        if verdict.first_bad is not None:
            return words("DAMAGED at record {n}", n=verdict.first_bad)
        if not verdict.begun:
            return words("never began")
        if verdict.torn:
            return words("torn at record {n}", n=verdict.records)
        return words("verified ✓ level {n}", n=verdict.level)

    def _scrubber(self) -> Scrubber:
        words, reel = self.desk.words, self.reel
        turn = words("turn {n}/{all}", n=reel.turn(self.place), all=reel.turns)
        return Scrubber(
            place=self.place,
            length=reel.length,
            marks=reel.marks(),
            left=f"{reel.move(self.place)}/{reel.moves}  {turn}",
            right=self._speed(),
            playing=self.playing,
        )

    def _speed(self) -> str:
        speed = f"{self.pace.speed:g}"
        if self.pace.as_played:
            return self.desk.words("as played {speed}×", speed=speed)
        return f"{speed}×"

    # Time ---------------------------------------------------------------------

    def wakes_at(self, now: float) -> float | None:
        """The next step, while it runs; the end of a sentence."""
        times = [self.said_until(now), self._next_at if self.playing else None]
        return min((time for time in times if time is not None), default=None)

    def wake(self, now: float) -> None:
        """Show what is due; steps that came too late are not skipped."""
        if not self.playing or now < self._next_at:
            return
        self._go(self.place + 1)
        self._next_at = max(now, self._next_at) + self.pace.seconds(self.place)
        self.playing = self.place < self.reel.length

    def _go(self, place: int) -> None:
        self.place = min(max(place, 0), self.reel.length)
        self.log_scroll = 0

    # Keys ---------------------------------------------------------------------

    def board_key(self, key: str, now: float) -> None:
        """A key of the viewer."""
        self.said = ()
        key = meant(key, {".", "-"})
        if self._looking:
            self._look_key(key, now)
        elif key in _DIGITS:
            self._number = (self._number + key)[-4:]
        elif not self._move_key(key, now):
            self._other_key(key, now)
        if key not in _DIGITS:
            self._number = ""

    def _move_key(self, key: str, now: float) -> bool:
        reel = self.reel
        turn = reel.turn(self.place)
        match key:
            case "right" | "." | "l":
                self._go(self.place + 1)
            case "left" | "," | "h":
                self._go(self.place - 1)
            case "]":
                self._go(reel.begin_of(turn + 1))
            case "[":
                begin = reel.begin_of(turn)
                self._go(begin if begin < self.place else reel.begin_of(turn - 1))
            case "pagedown" | "pageup":
                step = _TEN if key == "pagedown" else -_TEN
                self._go(reel.begin_of(max(turn + step, 1)))
            case "home" | "g":
                self._go(0)
            case "end":
                self._go(reel.length)
            case "G":
                number = self._number
                self._go(reel.begin_of(int(number)) if number else reel.length)
            case "!":
                self._next_call(now)
            case _:
                return False
        self.playing = False
        return True

    def _next_call(self, now: float) -> None:
        later = [place for place in self.reel.calls() if place > self.place]
        if later:
            self._go(later[0])
        else:
            self.say(self.desk.words("No Stop! call from here on."), now)

    def _other_key(self, key: str, now: float) -> None:
        words = self.desk.words
        match key:
            case " ":
                self.play(now)
            case "+" | "-" | "=":
                with self._hurrying(now):
                    self.pace.press(key)
            case "f":
                self._seat = other(self._seat)
            case "x":
                self._toggle_hidden(now)
            case "v":
                self._looking = True
            case "w":
                self.play_as_played(now)
            case "/":
                self.type_line("find", words("find:"))
            case "n" | "N":
                self._find(1 if key == "n" else -1, now)
            case ":":
                self.type_line("order", ":")
            case "?" | "f1":
                self.over = self._keys_page()
            case "q":
                self.done = LEFT_REPLAY
            case "escape":
                self.found = None
            case _:
                pass

    def _keys_page(self) -> Reading:
        signs = self.desk.words(ON_THE_LINE)
        return keys_page(self.desk, REPLAY_KEYS, signs, self.reel.breaks)

    def play(self, now: float) -> None:
        """Run, or stand still; from the end it begins anew."""
        self.playing = not self.playing
        if self.playing and self.place == self.reel.length:
            self._go(0)
        self._next_at = now + self.pace.seconds(self.place)

    def play_as_played(self, now: float) -> None:
        """Wait like the players did, or no longer."""
        pace = self.pace
        if not pace.is_known:
            self.say(self.desk.words(NO_TIMES), now)
            return
        pace.as_played = not pace.as_played
        if pace.as_played and not self.playing:
            self.play(now)
        self._next_at = now + pace.seconds(self.place)

    @contextmanager
    def _hurrying(self, now: float) -> Iterator[None]:
        """Change the speed of the wait that runs, too."""
        before = self.pace.speed
        yield
        left = max(self._next_at - now, 0.0)
        self._next_at = now + left * before / self.pace.speed

    def _toggle_hidden(self, now: float) -> None:
        if self._hidden is None:
            self.say(self.desk.words(CLOSED_FOR_GOOD), now)
        else:
            self.shows_hidden = not self.shows_hidden

    def _look_key(self, key: str, now: float) -> None:
        self._looking = False
        piles = {"c": 16 + self._seat, "o": 17 - self._seat, " ": 18 + self._seat}
        piles |= {"d": 22 + self._seat, "p": 23 - self._seat}
        if key in _PILE_KEYS:
            self.look(int(key) - 1, now)
        elif key in piles:
            self.look(piles[key], now)

    def find(self, text: str, now: float) -> None:
        """The next move of a card, to a foundation, or with a text."""
        self._wanted = text
        self.found = None
        if text.strip():
            self._find(1, now)

    def _find(self, direction: int, now: float) -> None:
        place = self.reel.find(self._wanted, self.place, direction, self.desk.theme)
        if place is None:
            self.say(self.desk.words("Not found."), now)
            return
        self._go(place)
        step = self.reel.step(place)
        self.found = step.card if step is not None else None

    def leaving(self, now: float) -> None:
        """Nothing is lost by leaving a replay."""
        del now
        self.done = LEFT_REPLAY

    # Mouse and commands -------------------------------------------------------

    def pressed(self, hit: Hit | None, button: str, now: float) -> None:
        """The line of the replay seeks; a pile is looked at."""
        del button
        if self.over is not None or self.question is not None:
            return
        if isinstance(hit, SeekHit):
            self.playing = False
            self._go(hit.place)
        elif isinstance(hit, PileHit):
            self.look(hit.pile, now)

    def wheel(self, step: int, now: float) -> None:
        """The wheel steps through the moves."""
        if self.over is not None:
            self.over.wheel(step, now)
        else:
            self.playing = False
            self._go(self.place + step)

    def order(self, order: Order, now: float) -> bool:
        """The palette's commands of the replay."""
        argument = order.argument
        match order.name:
            case "goto" if _is_number(argument):
                self._go(self.reel.begin_of(int(argument)))
            case "speed":
                with self._hurrying(now):
                    return self.pace.set(argument)
            case "as-played":
                self.play_as_played(now)
            case "flip":
                self._seat = other(self._seat)
            case "hidden":
                self._toggle_hidden(now)
            case "rules":
                self.over = rules_page(self.desk, self.board.rules)
            case "keys":
                self.over = self._keys_page()
            case "quit":
                self.done = LEFT_REPLAY
            case _:
                return False
        return True


def _is_number(text: str) -> bool:
    return 0 < len(text) < 10 and _DIGITS.issuperset(text)


def place_of(at: str, reel: Reel) -> int:
    """The place that ``turn:N`` or ``move:N`` means; raises ValueError."""
    kind, _, number = at.partition(":")
    if kind not in {"turn", "move"} or not _is_number(number):
        raise ValueError(f"not turn:N or move:N: {at!r}")
    if kind == "turn":
        return reel.begin_of(int(number))
    return reel.place_of_move(int(number))


def name_of(path: Path) -> str:
    """What a log is called on the screen: its date and the game's beginning."""
    return path.stem[:17]
