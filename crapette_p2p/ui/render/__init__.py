"""Views to pictures: ``render`` and what a picture consists of."""

from crapette_p2p.ui.render.canvas import (
    Frame,
    Hit,
    KeyHit,
    PileHit,
    SeekHit,
    to_ascii,
)
from crapette_p2p.ui.render.drawing import render

__all__ = ["Frame", "Hit", "KeyHit", "PileHit", "SeekHit", "render", "to_ascii"]
