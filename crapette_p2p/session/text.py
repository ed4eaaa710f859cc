"""Text to and from the peer: what is cut, what is stripped (protocol.md 9, P10).

A nick is signed, so it is refused rather than repaired (``gamelog/nicks.py``).
Chat and the text of a farewell are only shown: control, format, unassigned and
line-breaking characters go, so that no terminal can be driven with them.
"""

from __future__ import annotations

import unicodedata
from typing import Final

WISH: Final = "I would like another deal."
"""What role 1 says to whoever has to propose the next deal (protocol, 60, 5.1)."""
_STRIPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def displayable(text: str) -> str:
    """The text as one harmless line."""
    kept = [c for c in text if unicodedata.category(c) not in _STRIPPED]
    return "".join(kept)


def cut(text: str, limit: int) -> str:
    """At most ``limit`` bytes of UTF-8, cut at a character border."""
    raw = text.encode("utf-8", "replace")
    return raw[:limit].decode("utf-8", "ignore")
