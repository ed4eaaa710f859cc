"""What every screen is: a view, and what keys, mouse and time do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.render import Frame, Hit, KeyHit, render
from crapette_p2p.ui.view import PageView

if TYPE_CHECKING:  # brings the rules; the first screen is a page
    from crapette_p2p.ui.table_view import View

LEFT = "left"
RIGHT = "right"


class Screen:
    """Base of the screens; ``done`` holds the answer once there is one."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.done: object = None
        self.frame: Frame | None = None
        self.size = (80, 24)

    def draw(self, cols: int, rows: int, now: float) -> Frame:
        """The picture at this size; the mouse is judged by the newest one."""
        self.size = (cols, rows)
        self.frame = render(self.view(now), cols, rows, self.desk.theme)
        return self.frame

    def view(self, now: float) -> View:
        """What is to be seen."""
        del now
        return PageView(title="")

    def key(self, key: str, now: float) -> None:
        """A key was pressed."""

    def paste(self, text: str, now: float) -> None:
        """Text was pasted; it is never taken for keys."""

    def press(self, x: int, y: int, button: str, now: float) -> None:
        """A mouse button went down."""
        hit = self.frame.hit(x, y) if self.frame is not None else None
        if button == LEFT and isinstance(hit, KeyHit):
            self.key(hit.key, now)
        else:
            self.pressed(hit, button, now)

    def pressed(self, hit: Hit | None, button: str, now: float) -> None:
        """A mouse button went down on anything but a key."""

    def release(self, x: int, y: int, now: float) -> None:
        """The mouse button went up."""

    def wheel(self, step: int, now: float) -> None:
        """The wheel turned, down is positive."""

    def wakes_at(self, now: float) -> float | None:
        """When something changes by itself; None = not at all."""
        del now
        return None

    def wake(self, now: float) -> None:
        """The time of ``wakes_at`` has come."""
