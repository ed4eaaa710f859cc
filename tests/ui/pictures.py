"""The pictures held as goldens: which view at which size in which look.

``python -m tests.ui.pictures`` writes them anew; read the difference before it is
committed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from crapette_p2p.cards import parse_card
from crapette_p2p.engine.layout import DRAWN, Seat
from crapette_p2p.ui.faces import PLAIN_THEME, Theme
from crapette_p2p.ui.input.keymap import TABLE_KEYS, key_lines
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.play.bar import BarState, bar_pieces, usual_message
from crapette_p2p.ui.render import render
from crapette_p2p.ui.table_view import (
    LogEntry,
    LogItem,
    Scrubber,
    TableView,
)
from crapette_p2p.ui.view import Choice, Dialog, Prompt
from tests.ui.boards import MIDGAME

GOLDENS: Final = Path(__file__).parent / "goldens"
NAMES: Final = ("Ala", "Olek")


def moves(*texts: str, fresh: int = 0) -> tuple[LogItem, ...]:
    """``"R-5 8S"`` and so on as items of the log."""
    items = []
    for place, text in enumerate(texts):
        name, _, card = text.rpartition(" ")
        pieces = (f"{name} ", parse_card(card)) if name else (card,)
        items.append(LogItem(pieces, fresh=len(texts) - place <= fresh))
    return tuple(items)


LOG: Final = (
    LogEntry("13 Ala  ", moves("R-5 8S", "4-F AC", "turn JD", "discard JD")),
    LogEntry("14 Olek ", moves("R-6 4H", "turn KD", "discard KD")),
    LogEntry(
        "        ",
        (LogItem(("Ala calls STOP 5-F – wrong, that was not missed",), "call"),),
    ),
    LogEntry("15 Ala  ", moves("turn 6S", fresh=1)),
)


def table_view(
    words: Words = ENGLISH, seat: int = 0, *, narrow: bool = False
) -> TableView:
    """The table of the design's drawings; ``narrow``: with the short sentence."""
    state = BarState(
        position=MIDGAME,
        seat=seat,
        names=NAMES,
        verified=True,
        turn=15,
        link="● 4 ms",
        clocks=(725, 41),
    )
    return TableView(
        position=MIDGAME,
        seat=Seat(seat),
        bar=bar_pieces(state, words),
        picked=DRAWN if seat == 0 else None,
        marks=frozenset({4, 9}),
        log=LOG,
        message=usual_message(MIDGAME, seat, NAMES[1 - seat], words)[narrow],
        key_lines=key_lines(TABLE_KEYS, words),
    )


TABLE: Final = table_view()
NARROW: Final = table_view(narrow=True)
BOX: Final = Dialog(
    "Leave the table?",
    (("The game is saved.",),),
    (Choice("escape", "stay", "Esc"), Choice("s", "save and leave")),
)
PICTURES: Final = {
    "table-60x18": (NARROW, 60, 18, PLAIN_THEME),
    "table-80x24": (TABLE, 80, 24, PLAIN_THEME),
    "table-100x30": (TABLE, 100, 30, PLAIN_THEME),
    "table-120x40": (TABLE, 120, 40, PLAIN_THEME),
    "table-140x45": (TABLE, 140, 45, PLAIN_THEME),
    "table-40x12": (TABLE, 40, 12, PLAIN_THEME),
    "flipped-80x24": (table_view(seat=1), 80, 24, PLAIN_THEME),
    "letters-80x24": (TABLE, 80, 24, Theme(letters=True)),
    "ascii-80x24": (TABLE, 80, 24, Theme(ascii_only=True)),
    "ascii-120x40": (TABLE, 120, 40, Theme(ascii_only=True)),
    "faces-pl-80x24": (TABLE, 80, 24, Theme(words=Words("pl"))),
    "faces-ru-60x18": (NARROW, 60, 18, Theme(words=Words("ru"))),
    "faces-fr-80x24": (TABLE, 80, 24, Theme(words=Words("fr"))),
    "faces-de-letters-60x18": (NARROW, 60, 18, Theme(words=Words("de"), letters=True)),
    "targets-80x24": (
        replace(TABLE, targets=frozenset({2, 6, 8, 17}), picked=1, cursor=12),
        80,
        24,
        PLAIN_THEME,
    ),
    "box-80x24": (replace(TABLE, dialog=BOX), 80, 24, PLAIN_THEME),
    "palette-80x24": (
        replace(
            TABLE,
            prompt=Prompt(":", "th", 2, (Choice("theme", "look", "theme NAME"),), 0),
        ),
        80,
        24,
        PLAIN_THEME,
    ),
    "replay-80x24": (
        replace(
            TABLE,
            message=(),
            picked=None,
            scrubber=Scrubber(143, 381, ((200, "!"),), "143/381  turn 13/43", "1×"),
        ),
        80,
        24,
        PLAIN_THEME,
    ),
}


def picture(name: str) -> str:
    """The text of one picture, blanks at the ends of rows left out."""
    view, cols, rows, theme = PICTURES[name]
    lines = render(view, cols, rows, theme).text()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def write_all() -> None:
    """Write every golden anew."""
    GOLDENS.mkdir(exist_ok=True)
    for name in PICTURES:
        (GOLDENS / f"{name}.txt").write_text(picture(name), encoding="utf-8")


if __name__ == "__main__":
    write_all()
