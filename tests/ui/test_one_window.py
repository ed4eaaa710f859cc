"""A game in a window of a terminal: what keyboards, mice and shells do to it."""

from __future__ import annotations

import random
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from crapette_p2p.bot import choose
from crapette_p2p.engine import Discard, Move, Pass, Position, Turn
from crapette_p2p.engine.layout import COLUMNS, DRAWN, RESERVE, STOCK, WASTE
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.ui.render import PileHit, render
from crapette_p2p.ui.table_view import TableView
from tests.helpers import windows
from tests.helpers.by_keys import Player
from tests.helpers.windows import Window, crapette

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(windows.MISSING), reason=windows.MISSING),
]
LADDER = [(200, 60), (80, 24), (60, 18), (40, 10), (1, 1), (80, 24)]
AZERTY = "&é\"'(-è_"
"""What the keys from 1 to 8 type on a French keyboard."""
PASTE = b"\x1b[200~qqq d\nd\n\x03\x1b[201~"


def game_against_a_bot(home: Path) -> list[str]:
    """The command line of a game that begins at once."""
    words = ("bot", "--level", "novice", "--rules", "russian-bank", "--seed", "3")
    return crapette(home, *words, "--no-anim", name="Ala")


@pytest.fixture
def ala(tmp_path: Path) -> Iterator[Player]:
    """Ala against a bot, at a turn of hers."""
    with Window(game_against_a_bot(tmp_path)) as window:
        window.shows("YOUR MOVE")
        dice = random.Random(1)  # noqa: S311 - a repeatable player
        yield Player("Ala", window, tmp_path, "club", dice)


def position_of(player: Player) -> Position:
    """The table as the log has it."""
    position = player.state().position
    assert position is not None
    return position


def table_of(text: str) -> list[str]:
    """The rows between the bar with its clock and the message."""
    return text.split("\n")[1:-2]


def cell_of(player: Player, pile: int) -> tuple[int, int]:
    """Where a pile lies on the player's screen."""
    view = TableView(position=position_of(player), seat=player.seat)
    frame = render(view, 80, 24)
    return next(
        (x, y) for y in range(24) for x in range(80) if frame.hit(x, y) == PileHit(pile)
    )


def assert_lines_are_read(window: Window) -> None:
    """The shell has its terminal as it left it: lines, that are seen typed."""
    window.type("stty -a\n")
    text = window.shows("cs8", "tostop")
    words = set(text.replace(";", " ").split())
    assert {"icanon", "echo", "icrnl", "isig", "opost"} <= words, text


@contextmanager
def game_in_a_shell(home: Path) -> Iterator[tuple[Window, list[str]]]:
    """A game that a shell with jobs has started, and its table as it stands there."""
    with Window(["sh", "-i"]) as window:
        window.type(shlex.join(game_against_a_bot(home)) + "\r")
        window.shows("YOUR MOVE", "d discard")
        ala = Player("Ala", window, home, "club", random.Random(1))  # noqa: S311 - not asked
        window.until(lambda _: ala.is_up_to_date())
        yield window, table_of(window.text)


def test_ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back(
    tmp_path: Path,
) -> None:
    """A shell with jobs: the program really stops there, and comes back."""
    with game_in_a_shell(tmp_path) as (window, before):
        window.type("\x1a")
        window.shows("Stopped")
        assert window.is_given_back()
        window.type("echo still $((40 + 2))\r")
        window.shows("still 42")
        window.type("fg\r")
        window.until(lambda text: table_of(text) == before)
        assert not window.is_given_back()
        window.type("\x03")
        window.shows("Leave the table?")
        window.type("\x03")
        window.until(lambda _: window.is_given_back())
        assert_lines_are_read(window)


@pytest.mark.parametrize("behind", [False, True])
def test_a_stop_from_outside_leaves_no_terminal_that_reads_lines(
    tmp_path: Path, *, behind: bool
) -> None:
    """STOP: the shell makes the terminal its own, and fg gives it back."""
    with game_in_a_shell(tmp_path) as (window, before):
        window.signal(signal.SIGSTOP)
        window.shows("Stopped")
        window.type("stty sane\n")  # as shells that edit lines do of themselves
        if behind:  # it runs, and must not touch what is the shell's
            window.type("bg\n")
        window.type("echo still $((40 + 2))\n")
        window.shows("still 42")
        window.type("fg\n")
        window.until(lambda text: table_of(text) == before and "still" not in text)
        window.type("?")  # no Enter
        window.shows("Piles: first where from")
        window.type("\x1b")
        window.until(lambda text: table_of(text) == before)
        window.signal(signal.SIGTERM)
        window.until(lambda _: window.is_given_back())
        assert_lines_are_read(window)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)],
)
def test_a_signal_gives_the_terminal_back(
    ala: Player, number: signal.Signals, code: int
) -> None:
    """No alternate screen, no mouse, a cursor: and the shell says how it ended."""
    assert not ala.window.is_given_back()
    ala.window.signal(number)
    assert ala.window.ended() == code
    assert ala.window.is_given_back()


@pytest.mark.parametrize(
    "cure", [["doctor", "--reset"], [], ["bot", "--plain", "--level", "novice"]]
)
def test_a_killed_program_is_cleaned_up_after(tmp_path: Path, cure: list[str]) -> None:
    """Nothing can be done at KILL; ``doctor --reset`` or the next start does it."""
    game = game_against_a_bot(tmp_path)
    then = crapette(tmp_path, *cure, name="Ala")
    line = f"{shlex.join(game)}; echo killed; read _; {shlex.join(then)}; stty -a"
    with Window(["sh", "-c", line]) as window:
        window.shows("YOUR MOVE")
        window.signal(signal.SIGKILL)
        window.shows("killed")
        assert not window.is_given_back()
        window.type("\n")  # the terminal reads keys: Enter would not end the line
        if not cure:
            window.shows("Host a table")
            window.type("q")
        elif "--plain" in cure:
            window.shows("fans: 1")
            window.type("quit\r")
        window.ended()
        assert window.is_given_back()
        assert " icanon" in window.text
        assert " echo " in window.text


def test_any_size_in_a_turn(ala: Player) -> None:
    """A picked card stays picked from 200x60 down to 1x1 and back."""
    ala.window.type("c")
    before = table_of(ala.window.shows("c… ", "d discard"))
    for cols, rows in LADDER:
        ala.window.resize(cols, rows)
        if (cols, rows) == (40, 10):
            ala.window.shows("crapette needs 60×18")
        elif cols > 40:
            text = ala.window.shows("c… ", "YOUR MOVE")
            assert len(text.split("\n")) == rows
    ala.window.until(lambda text: table_of(text) == before)
    ala.window.type("\x1b")
    ala.window.until(lambda text: "c… " not in text)


def test_a_paste_is_no_row_of_keys(ala: Player) -> None:
    """At the table it does nothing; in a line that is typed it is text."""
    ala.window.send(PASTE)
    ala.window.type("t")
    ala.window.shows("say:")
    ala.window.send(PASTE)
    text = ala.window.shows("say: qqq d")
    assert "Leave the table?" not in text


def test_the_mouse_is_given_back_to_who_selects_text(ala: Player) -> None:
    """``:mouse off`` and the terminal has its selection again; ``on`` takes it."""
    for word, flag in (("off", "0"), ("on", "1")):
        ala.window.type(f":mouse {word}\r")
        ala.window.until(
            lambda _, flag=flag: (
                ala.window.facts("mouse_any_flag")  # type: ignore[misc] # the loop's own value
                == {"mouse_any_flag": flag}
            )
        )


def test_other_layouts_at_the_table_and_in_a_line(ala: Player) -> None:
    """``с`` is the key of the reserve, ``é`` is 2; typed in a line they are text."""
    ala.window.type("с")
    ala.window.shows("c… ")
    # The bot may have emptied a column before.
    column = next(c for c in COLUMNS if position_of(ala).piles[c])
    ala.window.type(f"\x1b{AZERTY[column]}")
    ala.window.shows(f"{column + 1}… ")
    ala.window.type("\x1bе")  # the Russian key of t
    ala.window.shows("say:")
    ala.window.type("сам é")
    ala.window.shows("say: сам é")


def test_a_turn_by_the_mouse_alone(ala: Player) -> None:
    """Press and press, drag, double press; the right button puts back."""
    ala.state()
    own = ala.seat
    x, y = cell_of(ala, RESERVE + own)
    ala.window.mouse(x, y)
    ala.window.shows("c… ")
    ala.window.mouse(x, y, up=True)
    ala.window.mouse(x, y, button=2)
    ala.window.until(lambda text: "c… " not in text)
    done = set[str]()
    for _ in range(3000):
        if done == {"press", "drag", "draw", "discard"}:
            return
        ala.wait_for(lambda state: state.due is None)
        position = position_of(ala)
        # The screen last: it comes to a turn later than the log.
        if position.active != own or "YOUR MOVE" not in ala.window.text:
            windows.news_of([ala.window], 0.3)
            continue
        done.add(by_mouse(ala, position, "drag" if "press" in done else "press"))
    raise AssertionError(done)


def by_mouse(player: Player, position: Position, how: str) -> str:
    """One action as the bot would have it, by mouse reports."""
    seat, window = player.seat, player.window
    action = choose(position, seat, level="club", rand=player.dice.random)
    assert action is not None
    length = player.state().length
    window.until(lambda _: player.sees(action))
    match action:
        case Move(source, target):
            # Where no card is taken: else a press may be the second of two on one pile.
            window.mouse(*cell_of(player, STOCK + 1 - seat))
            x, y = cell_of(player, source)
            to_x, to_y = cell_of(player, target)
            in_hand = bool(position.piles[DRAWN + seat])
            if in_hand and source != DRAWN + seat:
                window.mouse(x, y, button=2)
            if how == "drag" or not in_hand or source != DRAWN + seat:
                window.mouse(x, y)
            if how == "drag":
                window.mouse((x + to_x) // 2, (y + to_y) // 2, button=32)
                window.mouse(to_x, to_y, button=32)
            else:
                window.mouse(to_x, to_y)
            window.mouse(to_x, to_y, up=True)
        case Turn():
            window.mouse(*cell_of(player, STOCK + seat))
            how = "draw"
        case Discard() | Pass():
            window.mouse(*cell_of(player, WASTE + seat))
            how = "discard"
        case _:
            raise AssertionError(action)
    player.wait_for(lambda state: state.length > length)
    return how


def _is_longer(length: int, state: GameState) -> bool:
    return state.length > length


def test_the_wheel_scrolls_the_log(ala: Player) -> None:
    """Up looks back, down comes home."""
    for _ in range(5):
        ala.wait_for(lambda s: s.position is not None and s.position.active == ala.seat)
        ala.window.shows("Your move: ")
        ala.press(" ")
        ala.window.shows(" in hand – press a pile")
        length = ala.state().length
        ala.press("d")
        ala.wait_for(partial(_is_longer, length))
    ala.wait_for(lambda s: s.position is not None and s.position.active == ala.seat)
    home = ala.window.shows("Your move: ").split("\n")[17:21]
    for _ in range(3):
        ala.window.mouse(5, 18, button=64)
    ala.window.until(lambda text: text.split("\n")[17:21] != home)
    for _ in range(6):
        ala.window.mouse(5, 18, button=65)
    ala.window.until(lambda text: text.split("\n")[17:21] == home)
