"""The one table of keys: the machine, the key line and the help page read it.

Keys are named by the character they send, or in words: ``enter``, ``escape``,
``tab``, ``s-tab``, ``up``, ``pageup``, ``c-c``, ``c-l`` and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from crapette_p2p.ui.language import Words
from crapette_p2p.ui.view import Choice

SPACE_SIGN: Final = "␣"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One row of a key table."""

    key: str
    """What a press on it in the key line sends."""
    cap: str = ""
    """What the keys are called, where that is not ``key``."""
    label: str = ""
    """In the key line; empty = not there."""
    short: str = ""
    """The same in fewer letters."""
    weight: int = 0
    """In the key line the least weight goes first for want of room."""
    help: str = ""
    """One line of the help page."""
    group: str = ""
    """Its heading there; empty = not there."""


_PILES: Final = "Piles: first where from, then where to"
_GAME: Final = "The game"
SCREEN: Final = "The screen"
_GROUPS: Final = (_PILES, _GAME, SCREEN)

TABLE_KEYS: Final = (
    Binding(
        key="?",
        label="help",
        weight=10,
        group=SCREEN,
        help="this page; type to filter it (F1 as well)",
    ),
    Binding(
        key="",
        cap="1-8",
        label="fan",
        weight=9,
        group=_PILES,
        help="the fans: 1–4 left, 5–8 right, from the top",
    ),
    Binding(
        key="c",
        label="reserve",
        short="res.",
        weight=9,
        group=_PILES,
        help="your reserve",
    ),
    Binding(
        key=" ",
        cap=SPACE_SIGN,
        label="draw",
        weight=9,
        group=_PILES,
        help="Space: turn the top card of your stock; it is picked at once",
    ),
    Binding(
        key="f",
        label="foundation",
        short="found.",
        weight=7,
        group=_PILES,
        help="the foundations; suit and rank decide which one",
    ),
    Binding(
        key="",
        cap="o/p",
        label="opponent",
        short="opp.",
        weight=6,
        group=_PILES,
        help="the opponent's reserve (o) and waste (p)",
    ),
    Binding(
        key="d",
        label="discard",
        weight=8,
        group=_PILES,
        help="your waste: discard the drawn card, which ends your turn; "
        "with nothing left to turn: pass",
    ),
    Binding(
        key="",
        cap="c c, 3 3",
        group=_PILES,
        help="the same key twice: the best place – a foundation if it goes there, "
        "else the only pile that takes it",
    ),
    Binding(
        key="u",
        cap="u Esc",
        group=_PILES,
        help="put the picked card back (a move once made stays made)",
    ),
    Binding(
        key="!",
        label="Stop",
        weight=8,
        group=_GAME,
        help="call Stop!, then name the missed play by two piles: ! 5 f",
    ),
    Binding(
        key="g",
        group=_GAME,
        help="grant the end of the deal, where you are asked",
    ),
    Binding(
        key="h",
        group=_GAME,
        help="a hint, against a bot or where both agreed to assistance",
    ),
    Binding(
        key="enter",
        cap="Enter",
        group=_GAME,
        help="while the other plays: show the moves faster",
    ),
    Binding(
        key="q",
        cap="q Ctrl-C",
        group=_GAME,
        help="leave: stay, save and leave, or resign",
    ),
    Binding(
        key="v",
        cap="v …",
        group=SCREEN,
        help="look at a pile: all of its cards, in words",
    ),
    Binding(
        key="/",
        cap="/ n N",
        label="find",
        weight=3,
        group=SCREEN,
        help="find a card (7h or 7♥): both copies light up; next, previous",
    ),
    Binding(
        key="l",
        cap="l PgUp PgDn",
        label="log",
        weight=1,
        group=SCREEN,
        help="scroll the log; Esc goes back to the newest line",
    ),
    Binding(
        key="t",
        label="talk",
        weight=2,
        group=SCREEN,
        help="say something to the other player",
    ),
    Binding(
        key=":",
        label="command",
        weight=4,
        group=SCREEN,
        help="commands: resign, draw, theme, suits, mouse … (Tab completes)",
    ),
    Binding(
        key="i",
        group=SCREEN,
        help="who sits there, the connection, the four cards, versions",
    ),
    Binding(
        key="up",
        cap="←↑↓→ Enter",
        group=SCREEN,
        help="a cursor over the piles; Enter picks and places, Tab jumps",
    ),
    Binding(
        key="c-l",
        cap="Ctrl-L Ctrl-Z",
        group=SCREEN,
        help="draw the screen again; go to the shell (fg comes back)",
    ),
)

NEXT_DEAL: Final = Binding(key="n", label="next deal", weight=9)
REMATCH: Final = Binding(key="n", label="rematch", weight=9)
NEXT_GUEST: Final = Binding(
    key="n", label="wait for another player", short="next player", weight=9
)
WATCH: Final = Binding(key="r", label="replay", weight=8)
TO_MENU: Final = Binding(key="m", label="menu", weight=8)
AWAY: Final = Binding(key="q", label="leave the table", short="leave", weight=8)
"""What the box of a finished deal offers; ``:`` and the rest count there too."""
_STILL: Final = frozenset({"?", "t", ":"})
_LOG: Final = Binding(key="l", label="log", weight=1)


def table_keys(*, calls: bool, after: tuple[Binding, ...] = ()) -> tuple[Binding, ...]:
    """What the key line shows: nothing that the rules or the end rule out."""
    if after:
        return (*(row for row in TABLE_KEYS if row.key in _STILL), _LOG, *after)
    return tuple(row for row in TABLE_KEYS if calls or row.key != "!")


REPLAY_KEYS: Final = (
    Binding(
        key="?",
        label="help",
        weight=10,
        group=SCREEN,
        help="this page; type to filter it",
    ),
    Binding(
        key=" ",
        cap=SPACE_SIGN,
        label="play",
        weight=9,
        group=_GAME,
        help="Space: play and pause",
    ),
    Binding(
        key="right",
        cap="←→",
        label="move",
        weight=9,
        group=_GAME,
        help="one move back and forth (also , . and h l)",
    ),
    Binding(
        key="]",
        cap="[ ]",
        label="turn",
        weight=8,
        group=_GAME,
        help="one turn back and forth; PgUp PgDn ten turns",
    ),
    Binding(
        key="home",
        cap="Home End",
        label="ends",
        weight=5,
        group=_GAME,
        help="first and last position (also g G); 23 G goes to turn 23",
    ),
    Binding(
        key="+",
        cap="+ -",
        label="speed",
        weight=6,
        group=_GAME,
        help="half as fast again, slower; = is 1×",
    ),
    Binding(
        key="w",
        label="as played",
        weight=0,
        group=_GAME,
        help="wait like the players did, 2 s at most",
    ),
    Binding(
        key="!",
        label="Stop calls",
        short="Stops",
        weight=2,
        group=_GAME,
        help="to the next Stop! call",
    ),
    Binding(
        key="f",
        label="flip",
        weight=7,
        group=SCREEN,
        help="look from the other side",
    ),
    Binding(
        key="x",
        label="hidden",
        weight=4,
        group=SCREEN,
        help="show the cards that lay face down, where the log proves them",
    ),
    Binding(
        key="/",
        cap="/ n N",
        label="find",
        weight=1,
        group=SCREEN,
        help="find a card, the word foundation, or any text of the log",
    ),
    Binding(
        key="v",
        cap="v …",
        group=SCREEN,
        help="look at a pile",
    ),
    Binding(key=":", group=SCREEN, help="commands: goto N, speed X, theme …"),
    Binding(key="q", label="leave", weight=3, group=SCREEN, help="leave the replay"),
)


@lru_cache(maxsize=32)
def key_lines(
    bindings: tuple[Binding, ...], words: Words
) -> tuple[tuple[Choice, ...], ...]:
    """The key line in several lengths, longest first; ``?`` never goes."""
    shown = [binding for binding in bindings if binding.label]
    lines = [_line(shown, words, short=False)]
    while shown:
        lines.append(_line(shown, words, short=True))
        weakest = min(shown, key=lambda binding: binding.weight)
        shown = [binding for binding in shown if binding is not weakest]
    return tuple(lines)


def _line(
    bindings: Sequence[Binding], words: Words, *, short: bool
) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            binding.key,
            words((binding.short if short else "") or binding.label),
            binding.cap,
        )
        for binding in bindings
    )


def help_lines(
    bindings: Sequence[Binding], words: Words, wanted: str = ""
) -> list[tuple[str, str]]:
    """Rows of the help page, cap and text; a heading has no text."""
    rows: list[tuple[str, str]] = []
    for group in _GROUPS:
        found = [
            (binding.cap or binding.key, words(binding.help))
            for binding in bindings
            if binding.group == group
        ]
        fitting = [row for row in found if wanted.lower() in " ".join(row).lower()]
        if fitting:
            rows += [(words(group), ""), *fitting]
    return rows
