"""Drawing: one key's redraw of the table against a bare screen of the toolkit."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import cycle, islice

from games import sample
from measuring import Benchmark, Floor, Work
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl, UIControl
from prompt_toolkit.output.vt100 import Vt100_Output

from crapette_p2p.engine.layout import Seat
from crapette_p2p.ui.render import Frame, render
from crapette_p2p.ui.table_view import TableView
from crapette_p2p.ui.widgets import FrameControl

SIZE = (80, 24)


class _Paper(io.StringIO):
    """A terminal that forgets what is written on it."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def isatty(self) -> bool:
        return True


def frames(size: tuple[int, int] = SIZE) -> list[Frame]:
    """Frames of one game, each a move after the one before."""
    views = (TableView(position=p, seat=Seat(0)) for p in sample()[:20])
    return [render(view, *size) for view in views]


def drawn(size: tuple[int, int]) -> Work:
    """Work that makes the picture of a table so many times."""

    def work(times: int) -> None:
        views = [TableView(position=p, seat=Seat(0)) for p in sample()[:20]]
        for view in islice(cycle(views), times):
            render(view, *size)

    return work


def redrawn(control: Callable[[Callable[[], Frame]], UIControl]) -> Work:
    """Work that draws one frame after another through the toolkit's renderer."""

    def work(times: int) -> None:
        pictures = cycle(frames())
        shown = [next(pictures)]
        cols, rows = SIZE
        size = Size(rows=rows, columns=cols)
        output = Vt100_Output(_Paper(), lambda: size)
        with create_app_session(input=DummyInput(), output=output):
            layout = Layout(Window(control(lambda: shown[0])))
            app: Application[None] = Application(layout=layout, full_screen=True)
            for _ in range(times):
                shown[0] = next(pictures)
                app.render_counter += 1
                app.renderer.render(app, app.layout)

    return work


def ours(shown: Callable[[], Frame]) -> UIControl:
    """The control of the product."""
    return FrameControl(lambda _cols, _rows: shown(), lambda *_: None)


def bare(shown: Callable[[], Frame]) -> UIControl:
    """The toolkit's own control with the same text."""
    return FormattedTextControl(lambda: "\n".join(shown().text()))


FLOORS = {
    "bare screen": Floor(redrawn(bare), 40),
    "grid 80x24": Floor(drawn(SIZE), 200),
}
BENCHMARKS = (
    Benchmark("screen.grid", "frames", 20, drawn(SIZE), "bare screen"),
    Benchmark("screen.redraw", "frames", 10, redrawn(ours), "bare screen"),
    Benchmark("screen.120x40", "frames", 20, drawn((120, 40)), "grid 80x24"),
    Benchmark("screen.200x60", "frames", 20, drawn((200, 60)), "grid 80x24"),
)
