"""The one window: it shows a frame and gives on the mouse by cells.

The toolkit copies the text of a window to its screen cell by cell on every key, and
compares that with the screen before it. Here a row that stands as it stood is handed
over as it was, and says that there is nothing to compare; only what has changed is
made anew. What is written to the terminal is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, ItemsView
from functools import lru_cache
from typing import TYPE_CHECKING

from prompt_toolkit.application.current import get_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout.containers import Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.layout.screen import (
    Char,
    Screen,
    Transparent,
    WritePosition,
)
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from crapette_p2p.ui.render import Frame
from crapette_p2p.ui.render.canvas import Fragment
from crapette_p2p.ui.render.cells import char_width
from crapette_p2p.ui.style import class_names

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone
    from prompt_toolkit.layout.mouse_handlers import MouseHandler, MouseHandlers

Draw = Callable[[int, int], Frame]
Mouse = Callable[[str, int, int, str], None]
"""Called with press, release or wheel; column, row; button or direction."""
Line = tuple[Fragment, ...]
_BUTTONS = {MouseButton.LEFT: "left", MouseButton.RIGHT: "right"}
_BLANK = Char(" ", Transparent)
_SECOND_HALF = Char("", "")
"""What the toolkit has in the second cell of a wide character."""


class Cells(defaultdict[int, Char]):
    """One row as the toolkit has it."""

    def __init__(self) -> None:
        super().__init__(lambda: _BLANK)
        self.stands = False
        """Whether the terminal shows this very row already."""

    if not TYPE_CHECKING:  # the type of a dictionary's items has no public name

        def items(self) -> ItemsView[int, Char]:
            """What the toolkit measures a row by: nothing where none is to be done."""
            return {}.items() if self.stands else super().items()


class _Keys(UIControl):
    """What has the focus: keys come here, and there is nothing else in it."""

    def is_focusable(self) -> bool:
        """Keys come here."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """Nothing: the window itself draws."""
        del width, height
        return UIContent()


class FrameWindow(Window):
    """Shows whatever ``draw`` returns for the size there is."""

    def __init__(self, draw: Draw, mouse: Mouse) -> None:
        super().__init__(_Keys())
        self._draw = draw
        self._mouse = mouse
        self._shown: list[tuple[Line, Cells]] = []
        """The rows of the newest frame, and as the toolkit has them."""
        row: defaultdict[int, MouseHandler] = defaultdict(lambda: self.mouse_event)
        self._everywhere: defaultdict[int, defaultdict[int, MouseHandler]]
        self._everywhere = defaultdict(lambda: row)

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """The frame as the toolkit wants it."""
        del parent_style, erase_bg, z_index  # a frame fills its place
        cols, rows = write_position.width, write_position.height
        if cols <= 0 or rows <= 0:
            return
        frame = self._draw(cols, rows)
        self._hand_over(frame, screen)
        screen.width, screen.height = cols, rows
        screen.visible_windows_to_write_positions[self] = write_position
        mouse_handlers.mouse_handlers = self._everywhere
        if frame.cursor is not None:
            x, y = frame.cursor
            screen.set_cursor_position(self, Point(x=x, y=y))
            screen.show_cursor = True

    def _hand_over(self, frame: Frame, screen: Screen) -> None:
        """Every row; those that stand there already as they are."""
        # Without a screen before this one (a new size, new colours) all is written.
        stands = get_app().renderer.last_rendered_screen is not None
        if len(self._shown) != frame.rows:
            self._shown = [((), Cells())] * frame.rows
        for y, line in enumerate(frame.lines):
            known, cells = self._shown[y]
            cells.stands = stands and known == line
            if known != line:
                cells = Cells()
                _fill(cells, line)
                self._shown[y] = line, cells
            screen.data_buffer[y] = cells

    def mouse_event(self, event: MouseEvent) -> NotImplementedOrNone:
        """Give on presses, releases and the wheel; motion changes nothing."""
        x, y = event.position.x, event.position.y
        match event.event_type:
            case MouseEventType.MOUSE_DOWN:
                button = _BUTTONS.get(event.button, "")
                if not button:
                    return NotImplemented
                self._mouse("press", x, y, button)
            case MouseEventType.MOUSE_UP:
                self._mouse("release", x, y, "")
            case MouseEventType.SCROLL_UP:
                self._mouse("wheel", x, y, "up")
            case MouseEventType.SCROLL_DOWN:
                self._mouse("wheel", x, y, "down")
            case _:
                return NotImplemented
        return None


@lru_cache(maxsize=16_384)
def _cell(char: str, style: str) -> Char:
    return Char(char, style)


def _fill(cells: Cells, line: Line) -> None:
    """Write a row, a character a cell; marks join the character before them."""
    x = last = 0
    for names, text in line:
        style = class_names(names)
        for char in text:
            width = char_width(char)
            if not width:
                cells[last] = _cell(cells[last].char + char, cells[last].style)
                continue
            cells[x], last = _cell(char, style), x
            if width == 2:
                cells[x + 1] = _SECOND_HALF
            x += width
