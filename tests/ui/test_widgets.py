"""The window: what it hands to the toolkit comes to the same picture as a new one."""

from __future__ import annotations

from collections.abc import Sequence

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from crapette_p2p.ui.render import Frame
from crapette_p2p.ui.render.canvas import Canvas
from crapette_p2p.ui.style import rules_of
from crapette_p2p.ui.widgets import FrameWindow
from tests.ui.harness import Paper

COLS, ROWS = 24, 5
WORDS = ("", "7♥", "10♠", "the turn", "é́", "東京", "░░░", "─" * COLS, " " * COLS)
STYLES = ("", "bar", "suit-hearts", "picked", "moved", "log-call")
PUTS = st.tuples(
    st.integers(0, COLS - 1),
    st.integers(0, ROWS - 1),
    st.sampled_from(WORDS),
    st.sampled_from(STYLES),
)


def frame_of(puts: Sequence[tuple[int, int, str, str]], cols: int = COLS) -> Frame:
    """A picture of a few texts."""
    canvas = Canvas(cols, ROWS)
    for x, y, text, style in puts:
        canvas.put(x, y, text, style)
    return canvas.frame()


class Drawing:
    """An application of the one window, on a terminal in memory."""

    def __init__(self) -> None:
        self.paper = Paper(COLS, ROWS)
        self.frame = frame_of(())
        self.cols = COLS
        self.mouse: list[tuple[str, int, int, str]] = []
        self.window = FrameWindow(
            lambda _cols, _rows: self.frame, lambda *told: self.mouse.append(told)
        )
        output = Vt100_Output(
            self.paper,  # type: ignore[arg-type] # all that is used of a stream
            lambda: Size(rows=ROWS, columns=self.cols),
            default_color_depth=ColorDepth.DEPTH_8_BIT,
            enable_cpr=False,
        )
        with create_app_session(input=DummyInput(), output=output):
            self.app: Application[None] = Application(
                layout=Layout(self.window),
                style=Style.from_dict(rules_of("default")),
                full_screen=True,
            )

    def draw(self, frame: Frame) -> int:
        """Show a frame; how many characters that took."""
        self.frame = frame
        before = len(self.paper.written)
        with set_app(self.app):
            self.app.render_counter += 1
            self.app.renderer.render(self.app, self.app.layout)
        return sum(map(len, self.paper.written[before:]))

    @property
    def cells(self) -> list[list[pyte.screens.Char]]:
        """Every cell with its colours."""
        screen = self.paper.screen
        return [[screen.buffer[y][x] for x in range(COLS)] for y in range(ROWS)]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(PUTS, max_size=6), min_size=1, max_size=6))
def test_a_frame_after_others_looks_like_the_first_one(
    pictures: list[list[tuple[int, int, str, str]]],
) -> None:
    """However the rows change, cell by cell and colour by colour."""
    drawing = Drawing()
    for puts in pictures:
        frame = frame_of(puts)
        drawing.draw(frame)
        anew = Drawing()
        anew.draw(frame)
        assert drawing.cells == anew.cells
        shown = [row.rstrip() for row in drawing.paper.screen.display]
        assert shown == [row.rstrip() for row in frame.text()]


def test_a_frame_that_stands_is_not_written_again() -> None:
    """Nor are its rows when one of them changes."""
    drawing = Drawing()
    first = frame_of([(0, y, "─" * COLS, "bar") for y in range(ROWS)])
    whole = drawing.draw(first)
    again = drawing.draw(first)
    puts = [(0, y, "─" * COLS, "bar") for y in range(ROWS)]
    one = drawing.draw(frame_of([*puts, (3, 2, "7♥", "suit-hearts")]))
    assert again < one < whole / 2
    assert "7♥" in drawing.paper.screen.display[2]


def test_what_the_terminal_forgets_is_written_whole() -> None:
    """A cleared screen, a new size, other colours: nothing is taken to stand."""
    drawing = Drawing()
    frame = frame_of([(2, 2, "the turn", "picked")])
    drawing.draw(frame)
    for forget in (drawing.app.renderer.clear, drawing.paper.screen.reset):
        with set_app(drawing.app):
            forget()
        if forget == drawing.paper.screen.reset:
            drawing.app.style = Style.from_dict(rules_of("mono"))
        drawing.draw(frame)
        assert "the turn" in drawing.paper.screen.display[2]
    drawing.cols = COLS - 4
    drawing.draw(frame_of([(2, 2, "the turn", "picked")], COLS - 4))
    assert "the turn" in drawing.paper.screen.display[2]


def test_the_mouse_is_told_by_cells() -> None:
    """Behind wide characters, too; motion is nothing."""
    drawing = Drawing()
    drawing.draw(frame_of([(0, 1, "東京 7♥", "")]))
    handler = drawing.app.renderer.mouse_handlers.mouse_handlers[1][5]
    kinds = (
        (MouseEventType.MOUSE_DOWN, MouseButton.LEFT, ("press", 5, 1, "left")),
        (MouseEventType.MOUSE_UP, MouseButton.LEFT, ("release", 5, 1, "")),
        (MouseEventType.SCROLL_DOWN, MouseButton.NONE, ("wheel", 5, 1, "down")),
        (MouseEventType.MOUSE_MOVE, MouseButton.LEFT, None),
        (MouseEventType.MOUSE_DOWN, MouseButton.MIDDLE, None),
    )
    for kind, button, _ in kinds:
        handler(MouseEvent(Point(x=5, y=1), kind, button, frozenset()))
    assert drawing.mouse == [told for _, _, told in kinds if told is not None]


def test_bytes_are_what_the_change_takes() -> None:
    """Two pictures by turns cost the same each time: nothing piles up."""
    drawing = Drawing()
    frames = [frame_of([(x, 2, "10♠", "moved")]) for x in (1, 9)]
    drawing.draw(frames[0])
    costs = [drawing.draw(frames[turn % 2]) for turn in range(1, 9)]
    assert min(costs) > 0
    assert len(set(costs[::2])) == len(set(costs[1::2])) == 1
    assert "10♠" in drawing.paper.screen.display[2]
