"""Who sits there, how we know, and where the game is kept."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from crapette_p2p import __version__
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.net.files import whole_or_gone
from crapette_p2p.session.notices import Peer
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.render.cells import fill, text_width
from crapette_p2p.ui.view import Text


class Known(Protocol):
    """What there is to know of a table."""

    @property
    def peer(self) -> Peer | None:
        """The other player."""

    @property
    def address(self) -> str:
        """Where the other end is."""

    @property
    def log_path(self) -> str | None:
        """Where the game is kept."""


_HOW = {
    "none": "not vouched for: nothing was compared",
    "sas": "you both saw the same four cards",
    "invite": "by the invite",
    "pin": "by the key you expected",
}


def about_lines(
    words: Words,
    table: Known,
    genesis: Genesis,
    *,
    cards: Sequence[int] = (),
    link: str = "",
) -> tuple[Text, ...]:
    """One fact a line; ``cards``: the four that were compared when we met."""
    peer = table.peer
    facts: list[tuple[str, str]] = []
    if peer is not None:
        facts += [
            (words("key"), peer.fingerprint),
            (words("known"), words(_HOW.get(peer.verified, peer.verified))),
        ]
    facts += [
        (words("address"), table.address or "–"),
        *([(words("connection"), link)] if link else []),
        (words("rules"), genesis.label),
        (words("hints"), words("on") if genesis.assist else words("off")),
        *_place_of(table.log_path, words),
        (words("version"), f"crapette {__version__}, crapette/1"),
    ]
    width = max(text_width(name) for name, _ in facts)
    lines: list[Text] = [(f"{fill(name, width)}  {value}",) for name, value in facts]
    if cards and peer is not None:
        shown: Text = (f"{fill(words('cards'), width)} ",)
        for face in cards:
            shown = (*shown, " ", face)
        lines.insert(2, shown)
    return tuple(lines)


def _place_of(log_path: str | None, words: Words) -> list[tuple[str, str]]:
    """The log's name, and below it the folder: together they are wider than a box."""
    if log_path is None:
        return [(words("log"), "–")]
    path = Path(log_path)
    return [(words("log"), path.name), ("", str(path.parent))]


def save_copy(log_path: str | None, wanted: str) -> str:
    """Copy the log to ``wanted``, never over a file; empty: say where it is."""
    if log_path is None:
        raise FileNotFoundError(2, "there is no log yet")
    if not wanted:
        return log_path
    target = Path(wanted).expanduser()
    with (
        Path(log_path).open("rb") as source,
        whole_or_gone(target),
        target.open("xb") as copy,
    ):
        shutil.copyfileobj(source, copy)
    return str(target)
