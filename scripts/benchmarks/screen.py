"""Drawing: what a key costs on the table against a bare screen of the toolkit.

A key is one redraw: a card is picked, or a move is shown with its line in the
log. The bare screen draws the same text at the same size, without colours, mouse
or game: the toolkit's own price for that terminal, in milliseconds and bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import cycle, islice

from games import sample, steps
from measuring import Benchmark, Cost, Floor, Work
from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from crapette_p2p.engine import Move, Turn
from crapette_p2p.engine.layout import Seat, is_column
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.render import Frame, render
from crapette_p2p.ui.settings import Settings
from crapette_p2p.ui.style import rules_of
from crapette_p2p.ui.table_view import TableView
from crapette_p2p.ui.widgets import FrameWindow

SIZES = ((60, 18), (80, 24), (100, 30), (120, 40), (132, 40), (200, 60))
"""One for each way a table is drawn."""
USUAL = (80, 24)
_SEAT = Seat(0)
_KEYS = 200
"""So many keys of a game; then it is begun again."""


class _Paper(io.StringIO):
    """A terminal that counts what is written on it, and forgets it."""

    encoding = "utf-8"
    count = 0

    def write(self, text: str) -> int:
        self.count += len(text.encode())
        return len(text)

    def isatty(self) -> bool:
        return True


# What is drawn -------------------------------------------------------------------


def drawn(size: tuple[int, int]) -> Work:
    """Work that makes the picture of a table so many times."""

    def work(times: int) -> None:
        views = [TableView(position=p, seat=_SEAT) for p in sample()[:20]]
        for view in islice(cycle(views), times):
            render(view, *size)

    return work


def keyed() -> Iterator[TableScreen]:
    """A table in play, once after each key; begun again when the game is old."""
    while True:
        game = steps(1)
        setup = TableSetup(
            seat=_SEAT,
            names=("Ala", "Olek"),
            position=game[0][2],
            send=lambda _command: None,
        )
        screen = TableScreen(Desk(settings=Settings(pace=0, animation=False)), setup)
        screen.begin(0.0)
        yield from islice(_presses(screen), _KEYS)


def _presses(screen: TableScreen) -> Iterator[TableScreen]:
    now = 0.0
    for author, action, _, after in steps(1):
        now += 1.0
        if author == _SEAT and isinstance(action, Move):
            source = action.source
            screen.key(str(source + 1) if is_column(source) else "c", now)
            yield screen
        elif author == _SEAT and isinstance(action, Turn):
            screen.key("escape", now)
        screen.feed.push(author, action, after)
        screen.happened(now)
        yield screen


@cache
def pictures(size: tuple[int, int]) -> tuple[str, ...]:
    """The same screens as bare text."""
    return tuple(
        "\n".join(screen.draw(*size, 0.0).text()) for screen in islice(keyed(), _KEYS)
    )


# How it is drawn -----------------------------------------------------------------

Drawn = Callable[[tuple[int, int]], Iterator[Window]]


def ours(size: tuple[int, int]) -> Iterator[Window]:
    """The window of the product, its table one key further each time."""
    at = keyed()
    shown = [next(at)]

    def frame(cols: int, rows: int) -> Frame:
        return shown[0].draw(cols, rows, 0.0)

    window = FrameWindow(frame, lambda *_: None)
    while True:
        yield window
        shown[0] = next(at)


def bare(size: tuple[int, int]) -> Iterator[Window]:
    """The toolkit's own control with the same text."""
    texts = cycle(pictures(size))
    shown = [next(texts)]
    window = Window(FormattedTextControl(lambda: shown[0]))
    while True:
        yield window
        shown[0] = next(texts)


def redrawn(size: tuple[int, int], window: Drawn) -> Work:
    """Work that draws so many keys; gives back how many bytes that took."""

    def work(times: int) -> int:
        windows = window(size)
        cols, rows = size
        paper = _Paper()
        output = Vt100_Output(
            paper,
            lambda: Size(rows=rows, columns=cols),
            default_color_depth=ColorDepth.DEPTH_8_BIT,
        )
        with create_app_session(input=DummyInput(), output=output):
            app: Application[None] = Application(
                layout=Layout(next(windows)),
                style=Style.from_dict(rules_of("default")),
                full_screen=True,
            )
            with set_app(app):  # else the toolkit takes every key for the first one
                app.renderer.render(app, app.layout)
                paper.count = 0
                for _ in range(times):
                    next(windows)
                    app.render_counter += 1
                    app.renderer.render(app, app.layout)
        return paper.count

    return work


def written(work: Work, amount: int) -> float:
    """A cost: bytes that reach the terminal."""
    return float(str(work(amount)))


def floor_of(size: tuple[int, int], what: str) -> str:
    """The name of the bare screen of a size."""
    return f"bare {what} {size[0]}x{size[1]}"


def tiers() -> Iterator[Benchmark]:
    """Milliseconds and bytes of a key at each size."""
    for size in SIZES:
        name = f"{size[0]}x{size[1]}"
        make = partial(Benchmark, work=redrawn(size, ours), base=10)
        yield make(f"screen.key.{name}", "keys", floor=floor_of(size, "ms"))
        yield make(
            f"screen.bytes.{name}",
            "keys",
            floor=floor_of(size, "B"),
            scales=(10,),
            cost=written,
            in_bytes=True,
        )


def floors() -> Iterator[tuple[str, Floor]]:
    """The bare screen at each size, in seconds and in bytes."""
    costs: tuple[tuple[str, Cost | None], ...] = (("ms", None), ("B", written))
    for size in SIZES:
        work = redrawn(size, bare)
        for what, cost in costs:
            floor = Floor(work, _KEYS) if cost is None else Floor(work, _KEYS, cost)
            yield floor_of(size, what), floor


FLOORS = {"grid 80x24": Floor(drawn(USUAL), 200), **dict(floors())}
BENCHMARKS = (
    Benchmark("screen.grid", "frames", 20, drawn(USUAL), floor_of(USUAL, "ms")),
    *tiers(),
    Benchmark("screen.120x40", "frames", 20, drawn((120, 40)), "grid 80x24"),
    Benchmark("screen.200x60", "frames", 20, drawn((200, 60)), "grid 80x24"),
)
