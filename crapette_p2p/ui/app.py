"""The application: one screen at a time on the terminal, and one loop under it.

Theory of operation. A ``Shell`` owns the terminal while it runs. What is played
is a *flow*, a coroutine that shows one screen after another and talks to the
network meanwhile; keys, mouse and time go to the screen that is shown. The
terminal is given back whatever happens: the flow ends, it raises, a key handler
raises, or a signal comes (HUP, INT, TERM end the program with 128 + its number).
What a background task lets slip is written to the log file and said in one line;
the table stays as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle, Style

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.keys import bindings
from crapette_p2p.ui.probe import LATEST, draws_wide, question
from crapette_p2p.ui.render import Frame, to_ascii
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.stopped import taken_back
from crapette_p2p.ui.style import rules_of
from crapette_p2p.ui.terminal import (
    clipboard_sequence,
    color_depth,
    make_output,
    quiet_stderr,
)
from crapette_p2p.ui.widgets import FrameWindow

ESCAPE_SECONDS: Final = 0.05
"""How long a lone Escape is waited on to become an arrow key."""
_TYPED_AHEAD: Final = 32
"""Keys kept while one screen gives way to the next."""
_HANGUP: Final = 129
_ENDING_SIGNALS: Final = ("SIGHUP", "SIGINT", "SIGTERM")

Flow = Callable[["Shell"], Awaitable[int]]


class Shell:
    """The terminal, the screen that is shown, and the flow that shows it."""

    def __init__(
        self,
        desk: Desk,
        *,
        log_file: Path | None = None,
        source: Input | None = None,
        output: Output | None = None,
        asks_width: bool = False,
    ) -> None:
        self.desk = desk
        self.screen = Screen(desk)
        self.log_file = log_file
        self._output = output or make_output()
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._exit_code: int | None = None
        self._failure: BaseException | None = None
        self._leaving = False
        self._ahead: list[str] = []
        self._seen = asyncio.Event()
        self._style = Style([])
        self._restyle()
        self._connect_desk()
        window = FrameWindow(self._draw, self._mouse)
        self.app: Application[None] = Application(
            layout=Layout(window),
            key_bindings=bindings(
                key=self._key,
                paste=self._paste,
                suspend=self._suspend,
                told=self._told_cursor,
            ),
            style=DynamicStyle(lambda: self._style),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=Condition(lambda: self.desk.settings.mouse),
            color_depth=color_depth(desk.settings.color),
            enable_page_navigation_bindings=False,
            terminal_size_polling_interval=None if hasattr(signal, "SIGWINCH") else 0.5,
            input=source,
            output=self._output,
        )
        self.app.ttimeoutlen = ESCAPE_SECONDS
        self.app.timeoutlen = 0.3
        self.app.after_render += self._rendered
        self._asked_at = -LATEST
        if asks_width:
            self.app.before_render += self._ask_width

    # The flow's side ----------------------------------------------------------

    @property
    def now(self) -> float:
        """The time that screens live in."""
        return asyncio.get_running_loop().time()

    async def show(self, screen: Screen) -> object:
        """Show a screen until it comes to something."""
        self.put(screen)
        while screen.done is None:
            await self.next_change()
        return screen.done

    async def seen(self) -> None:
        """Return once a screen of the flow has been drawn, for what can wait."""
        await self._seen.wait()

    async def next_change(self) -> None:
        """Return when a key, the mouse, time or ``changed`` did something."""
        await self._changed.wait()
        self._changed.clear()

    def put(self, screen: Screen) -> None:
        """Show a screen and go on."""
        self.screen = screen
        if self._ahead:
            asyncio.get_running_loop().call_soon(self._catch_up)
        self.changed()

    def type_ahead(self, keys: list[str]) -> None:
        """Keep keys for the screen that is put next."""
        self._ahead = [*self._ahead, *keys][-_TYPED_AHEAD:]

    def changed(self) -> None:
        """The screen has changed by itself: draw it, see whether it is done."""
        self._changed.set()
        self._arm()
        self.app.invalidate()

    async def run(self, flow: Flow) -> int:
        """Own the terminal until the flow ends; its exit code."""
        loop = asyncio.get_running_loop()
        with (
            quiet_stderr(self.log_file, partial(self._wrote_stderr, loop)),
            self._handlers(loop),
            taken_back(self.app, loop),
        ):
            task = loop.create_task(self._flow(flow))
            try:
                await asyncio.sleep(0)  # its first screen is the first frame
                if not self._leaving:
                    await self.app.run_async(
                        handle_sigint=False, set_exception_handler=False
                    )
            except (EOFError, OSError) as error:
                self._lost_terminal(error)
            finally:
                self._disarm()
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self._failure is not None:
            raise self._failure
        if self._exit_code is not None:
            return self._exit_code
        return 0 if task.cancelled() else task.result()

    async def _flow(self, flow: Flow) -> int:
        try:
            return await flow(self)
        finally:
            self._exit()

    # Ends ---------------------------------------------------------------------

    def stop(self, code: int) -> None:
        """End the program with an exit code, the flow cancelled."""
        if self._exit_code is None:
            self._exit_code = code
        self._exit()

    def _lost_terminal(self, error: EOFError | OSError) -> None:
        """A closed window shows as an end of the keys or a screen that takes nothing.

        Either may come before its signal, and after it there is none to leave.
        """
        if self._exit_code is None:
            if isinstance(error, OSError) and error.errno != errno.EIO:
                raise error
            self._exit_code = _HANGUP

    def _exit(self) -> None:
        """Leave the toolkit's loop; asking twice would raise."""
        self._leaving = True  # the loop may not have begun
        future = self.app.future
        if future is not None and not future.done():
            self.app.exit()

    @contextlib.contextmanager
    def _handlers(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Signals and stray exceptions, while the terminal is ours."""
        kept = loop.get_exception_handler()
        loop.set_exception_handler(self._stray)
        numbers = [getattr(signal, n) for n in _ENDING_SIGNALS if hasattr(signal, n)]
        handled = []
        for number in numbers:
            # Not on Windows, and not in a thread that is not the main one.
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self.stop, 128 + number)
                handled.append(number)
        try:
            yield
        finally:
            for number in handled:
                loop.remove_signal_handler(number)
            loop.set_exception_handler(kept)

    def _stray(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception that nobody caught: ours end the program, a task's do not."""
        del loop
        error = context.get("exception")
        lines = traceback.format_exception(error) if error is not None else []
        sys.stderr.write("".join([f"{context.get('message')}\n", *lines]))
        in_task = "future" in context or "task" in context
        if isinstance(error, OSError) and error.errno == errno.EIO and not in_task:
            self.stop(_HANGUP)  # the terminal is gone; its signal comes later
        elif error is not None and not in_task:
            self._failure = self._failure or error
            self._exit()

    def _wrote_stderr(self, loop: asyncio.AbstractEventLoop, path: str) -> None:
        """Something was written to stderr, in whatever thread: the loop says so."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody reads it
            loop.call_soon_threadsafe(self._told_off, path)

    def _told_off(self, path: str) -> None:
        """Tell of it; the file has it, if there is one."""
        say = getattr(self.screen, "say", None)
        if callable(say):
            words = self.desk.words
            said = words("Something went wrong; there is no log to tell what")
            if path:
                said = words("Something went wrong; see {path}", path=path)
            say(said, self.now)
            self.changed()

    # The terminal's side ------------------------------------------------------

    def _connect_desk(self) -> None:
        desk, output = self.desk, self._output
        desk.restyle = self._restyle
        desk.clear = self._clear
        desk.ring = self._ring
        desk.entitle = self._entitle

        def copy(text: str) -> None:
            output.write_raw(clipboard_sequence(text, tmux="TMUX" in os.environ))
            output.flush()

        desk.copy = copy

    def _restyle(self) -> None:
        settings = self.desk.settings
        self._style = Style.from_dict(
            rules_of(settings.theme, four_color=settings.four_color)
        )

    def _clear(self) -> None:
        self.app.renderer.clear()
        self.changed()

    def _ring(self) -> None:
        if self.desk.settings.bell:
            self._output.bell()

    def _entitle(self, title: str) -> None:
        if self.desk.theme.ascii_only:
            # A terminal that knows no UTF-8 takes some of its bytes for the
            # title's end, and the rest would stand on the table.
            title = "".join(map(to_ascii, title))
        self._output.set_title(title)
        self._output.flush()

    def _suspend(self) -> None:
        self.app.suspend_to_background()

    def _ask_width(self, app: Application[None]) -> None:
        """Ask once, when answers are no longer echoed and nothing is drawn yet."""
        app.before_render -= self._ask_width
        self._asked_at = self.now
        self._output.write_raw(question())
        self._output.flush()

    def _told_cursor(self, answer: str) -> None:
        """Where the cursor was after one of our signs: go without them if too far."""
        in_time = self.now - self._asked_at < LATEST
        if in_time and draws_wide(answer.encode()) and not self.desk.ascii_only:
            self.desk.ascii_only = True
            self._clear()

    def _rendered(self, _app: Application[None]) -> None:
        if type(self.screen) is not Screen:  # the blank one of the beginning
            self._seen.set()

    def _draw(self, cols: int, rows: int) -> Frame:
        return self.screen.draw(cols, rows, self.now)

    def _key(self, key: str) -> None:
        if self.screen.done is not None:
            # Typed for whatever comes next; that is shown in a moment.
            self.type_ahead([key])
            return
        self.screen.key(key, self.now)
        self.changed()

    def _catch_up(self) -> None:
        keys, self._ahead = self._ahead, []
        for key in keys:
            self._key(key)

    def _paste(self, text: str) -> None:
        self.screen.paste(text, self.now)
        self.changed()

    def _mouse(self, kind: str, x: int, y: int, button: str) -> None:
        if kind == "press":
            self.screen.press(x, y, button, self.now)
        elif kind == "release":
            self.screen.release(x, y, self.now)
        else:
            self.screen.wheel(1 if button == "down" else -1, self.now)
        self.changed()

    # Time ---------------------------------------------------------------------

    def _arm(self) -> None:
        self._disarm()
        wakes_at = self.screen.wakes_at(self.now)
        if wakes_at is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(wakes_at, self.now), self._wake)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wake(self) -> None:
        self._timer = None
        self.screen.wake(self.now)
        self.changed()
