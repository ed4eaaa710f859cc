"""The real application on a terminal in memory: keys in, a pyte screen out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pyte
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input

from crapette_p2p.ui.app import Flow, Shell
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.settings import Settings
from crapette_p2p.ui.terminal import CalmOutput

PATIENCE = 40.0
"""Seconds after which a test gives up waiting for the screen, or for a program's end.

Only a test that fails waits for so long; a machine that is busy with others may well
need a quarter of it.
"""
_LOOK = 0.05
"""Seconds after which a screen that draws nothing is looked at all the same."""


class Paper:
    """A text stream that feeds a pyte screen and keeps every byte."""

    encoding = "utf-8"

    def __init__(self, cols: int, rows: int) -> None:
        self.screen = pyte.Screen(cols, rows)
        self.stream = pyte.Stream(self.screen)
        self.written: list[str] = []
        self.lookers: list[Callable[[], None]] = []
        """Called whenever something was drawn: no picture goes by unseen."""

    def write(self, text: str) -> int:
        """Take what the application writes."""
        self.written.append(text)
        self.stream.feed(text)
        for look in self.lookers:
            look()
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        """It plays a terminal."""
        return True


class Stage:
    """One running application."""

    def __init__(self, shell: Shell, source: PipeInput, paper: Paper) -> None:
        self.shell = shell
        self.source = source
        self.paper = paper
        self.size = Size(rows=paper.screen.lines, columns=paper.screen.columns)
        self.task: asyncio.Task[int] | None = None
        """The run of the program, once it has begun."""
        self._before = ""
        """What stood there when keys were typed last, until something was awaited."""

    @property
    def lines(self) -> list[str]:
        """The rows of the terminal."""
        return list(self.paper.screen.display)

    @property
    def text(self) -> str:
        """The whole terminal."""
        return "\n".join(self.lines)

    @property
    def bytes(self) -> str:
        """Everything ever written."""
        return "".join(self.paper.written)

    def type(self, keys: str) -> None:
        """Send keys as a terminal does."""
        self._before = self.text
        self.source.send_text(keys)

    def mouse(self, x: int, y: int, *, button: int = 0, up: bool = False) -> None:
        """Send a mouse report for cell ``x``, ``y`` (from 0)."""
        self.type(f"\x1b[<{button};{x + 1};{y + 1}{'m' if up else 'M'}")

    async def until(self, predicate: Callable[[], bool]) -> None:
        """Wait for the screen to come to something, be it for one picture only."""
        self._before = ""
        loop = asyncio.get_running_loop()
        come: asyncio.Future[None] = loop.create_future()

        def look() -> None:
            if come.done():
                return
            try:
                if predicate():
                    come.set_result(None)
            except Exception as error:
                come.set_exception(error)

        deadline = loop.time() + PATIENCE
        self.paper.lookers.append(look)
        try:
            look()
            while not come.done() and loop.time() < deadline and not self.is_over:
                await asyncio.wait({come}, timeout=_LOOK)
                look()  # at a change of state, too, that draws nothing
        finally:
            self.paper.lookers.remove(look)
        if come.done():
            come.result()
            return
        what = "program has ended" if self.is_over else "screen never came"
        raise AssertionError(f"the {what}:\n{self.text}") from self._error()

    @property
    def is_over(self) -> bool:
        """Whether the program has ended: nothing will come any more."""
        return self.task is not None and self.task.done()

    def _error(self) -> BaseException | None:
        """What the program has ended with."""
        if self.task is None or not self.task.done() or self.task.cancelled():
            return None
        return self.task.exception()

    async def shows(self, text: str) -> None:
        """Wait until the text stands somewhere; after keys, one that they bring."""
        before = self._before
        assert text not in before, f"{text!r} stood there before the keys:\n{before}"
        await self.until(lambda: text in self.text)

    def resize(self, cols: int, rows: int) -> None:
        """Change the terminal's size."""
        self.size = Size(rows=rows, columns=cols)
        self.paper.screen.resize(rows, cols)
        self.shell.app._on_resize()

    def style_at(self, x: int, y: int) -> pyte.screens.Char:
        """The cell with its colours."""
        return self.paper.screen.buffer[y][x]


@contextlib.asynccontextmanager
async def staged(
    flow: Flow,
    *,
    cols: int = 80,
    rows: int = 24,
    settings: Settings | None = None,
    log_file: Path | None = None,
    asks_width: bool = False,
    term: str = "xterm-256color",
) -> AsyncIterator[tuple[Stage, asyncio.Task[int]]]:
    """Run a flow on a terminal in memory; the task is its run."""
    paper = Paper(cols, rows)
    stages: list[Stage] = []

    def size() -> Size:
        return stages[0].size if stages else Size(rows=rows, columns=cols)

    output = CalmOutput(paper, size, term=term, enable_cpr=False)  # type: ignore[arg-type] # all that is used of a stream
    with create_pipe_input() as source, create_app_session(source, output):
        desk = Desk(settings=settings or Settings())
        shell = Shell(
            desk,
            source=source,
            output=output,
            log_file=log_file,
            asks_width=asks_width,
        )
        stage = Stage(shell, source, paper)
        stages.append(stage)
        stage.task = task = asyncio.get_running_loop().create_task(shell.run(flow))
        try:
            yield stage, task
        finally:
            shell.stop(0)
            await asyncio.wait({task}, timeout=PATIENCE)
            assert task.done(), "the program does not end"
