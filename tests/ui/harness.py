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

PATIENCE = 10.0
"""Seconds after which a test gives up waiting for the screen."""


class Paper:
    """A text stream that feeds a pyte screen and keeps every byte."""

    encoding = "utf-8"

    def __init__(self, cols: int, rows: int) -> None:
        self.screen = pyte.Screen(cols, rows)
        self.stream = pyte.Stream(self.screen)
        self.written: list[str] = []
        self.changed = asyncio.Event()

    def write(self, text: str) -> int:
        """Take what the application writes."""
        self.written.append(text)
        self.stream.feed(text)
        self.changed.set()
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
        self.source.send_text(keys)

    def mouse(self, x: int, y: int, *, button: int = 0, up: bool = False) -> None:
        """Send a mouse report for cell ``x``, ``y`` (from 0)."""
        self.type(f"\x1b[<{button};{x + 1};{y + 1}{'m' if up else 'M'}")

    async def until(self, predicate: Callable[[], bool]) -> None:
        """Wait for the screen to come to something."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not predicate():
                    self.paper.changed.clear()
                    # A change of state that draws nothing is looked for as well.
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self.paper.changed.wait(), 0.05)
        except TimeoutError:
            raise AssertionError(f"the screen never came:\n{self.text}") from None

    async def shows(self, text: str) -> None:
        """Wait until the text stands somewhere."""
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
        task = asyncio.get_running_loop().create_task(shell.run(flow))
        try:
            yield stage, task
        finally:
            shell.stop(0)
            await asyncio.wait({task}, timeout=PATIENCE)
