"""``render``: one view at one size becomes one frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crapette_p2p.ui.faces import PLAIN_THEME, Theme
from crapette_p2p.ui.render.canvas import Canvas, Frame
from crapette_p2p.ui.render.pages import draw_page
from crapette_p2p.ui.view import PageView

if TYPE_CHECKING:  # brings the rules
    from crapette_p2p.ui.table_view import View

_LARGEST: Final = 1000
"""Cells each way; no terminal is larger, and a wrong size must not eat memory."""


def render(view: View, cols: int, rows: int, theme: Theme = PLAIN_THEME) -> Frame:
    """The picture of ``view``: exactly ``rows`` rows of ``cols`` cells."""
    cols, rows = (min(max(n, 1), _LARGEST) for n in (cols, rows))
    canvas = Canvas(cols, rows, ascii_only=theme.ascii_only)
    if isinstance(view, PageView):
        draw_page(canvas, view, theme)
    else:
        from crapette_p2p.ui.render.table import draw_table  # no page needs the rules

        draw_table(canvas, view, theme)
    return canvas.frame()
