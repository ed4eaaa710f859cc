"""The one control: it shows a frame and gives on the mouse by cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from crapette_p2p.ui.render import Frame
from crapette_p2p.ui.render.cells import text_width
from crapette_p2p.ui.style import class_names

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

Draw = Callable[[int, int], Frame]
Mouse = Callable[[str, int, int, str], None]
"""Called with press, release or wheel; column, row; button or direction."""
_BUTTONS = {MouseButton.LEFT: "left", MouseButton.RIGHT: "right"}


class FrameControl(UIControl):
    """Shows whatever ``draw`` returns for the size there is."""

    def __init__(self, draw: Draw, mouse: Mouse) -> None:
        self._draw = draw
        self._mouse = mouse
        self._texts: list[str] = []

    def is_focusable(self) -> bool:
        """Keys come here."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """The frame as the toolkit wants it."""
        frame = self._draw(width, height)
        self._texts = frame.text()
        lines: list[StyleAndTextTuples] = [
            [(class_names(style), text) for style, text in line] for line in frame.lines
        ]
        x, y = frame.cursor or (0, 0)
        # The toolkit counts the cursor's place in characters, not in cells.
        column = self._character(x, y)
        return UIContent(
            get_line=lambda row: lines[row],
            line_count=len(lines),
            cursor_position=Point(x=column, y=y),
            show_cursor=frame.cursor is not None,
        )

    def _character(self, x: int, y: int) -> int:
        """The character that stands on cell ``x`` of row ``y``."""
        text, used = self._texts[y], 0
        for index, char in enumerate(text):
            used += text_width(char)
            if used > x:
                return index
        return max(len(text) - 1, 0)

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """Give on presses, releases and the wheel; motion changes nothing."""
        at = mouse_event.position
        if not 0 <= at.y < len(self._texts):
            return NotImplemented
        x = text_width(self._texts[at.y][: at.x])
        match mouse_event.event_type:
            case MouseEventType.MOUSE_DOWN:
                button = _BUTTONS.get(mouse_event.button, "")
                if not button:
                    return NotImplemented
                self._mouse("press", x, at.y, button)
            case MouseEventType.MOUSE_UP:
                self._mouse("release", x, at.y, "")
            case MouseEventType.SCROLL_UP:
                self._mouse("wheel", x, at.y, "up")
            case MouseEventType.SCROLL_DOWN:
                self._mouse("wheel", x, at.y, "down")
            case _:
                return NotImplemented
        return None
