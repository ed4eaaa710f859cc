"""**Pure**: one typed line → what the player wants, in the line mode.

Three spellings are taken: the key letters of the screen (``c4``, ``3 7``,
``space d``), the notation of rules.md 7 (``R-4``, ``3-7``, ``stop 5-F``), and
words (``table``, ``fan 6``, ``resign``). A line that means nothing becomes a
sentence saying so; nothing typed can raise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from crapette_p2p.engine.actions import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    DISCARD,
    GRANT,
    OFFER_DRAW,
    PASS,
    RESIGN,
    TURN,
    Action,
    Move,
)
from crapette_p2p.engine.layout import (
    SEAT_NAMES,
    Seat,
    drawn,
    is_foundation,
    other,
    stock,
    waste,
)
from crapette_p2p.engine.notation import parse_action
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.rules import legal_actions
from crapette_p2p.errors import NotationError
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.language import ENGLISH, Words

QUESTIONS: Final = (
    *("say", "table", "fans", "fan", "mine", "theirs", "foundations"),
    *("legal", "hint", "rules", "help", "who", "mute", "unmute"),
)
"""What can be asked; answered from what is known, without the peer."""
LOG: Final = "log"
SCREEN_ONLY: Final = (
    *("theme", "suits", "faces", "four-color"),
    *("mouse", "bell", "anim", "pace"),
)
ORDERS: Final = (LOG, "lang", "name", *SCREEN_ONLY)
"""Words of the screen's palette that are no actions and no questions."""
_ACTIONS: Final[dict[str, Action]] = {
    "grant": GRANT,
    "g": GRANT,
    "resign": RESIGN,
    "draw": OFFER_DRAW,
    "accept": ACCEPT_DRAW,
    "decline": DECLINE_DRAW,
    "turn": TURN,
    "discard": DISCARD,
    "pass": PASS,
    "offer-draw": OFFER_DRAW,
    "accept-draw": ACCEPT_DRAW,
    "decline-draw": DECLINE_DRAW,
}
_HELP: Final = ("?", "keys")
_HINT: Final = ("h", "hint")
_LEAVING: Final = ("leave", "quit", "suspend", "exit", "q")
AGAIN: Final = ("rematch", "next")
_SPACE: Final = ("space", "␣")
_SOURCES: Final = {"c": "R", "r": "R", "w": "W", **{n: n for n in "12345678"}}
_TARGETS: Final = {"f": "F", "o": "OR", "p": "OW", **{n: n for n in "12345678"}}
_LONGEST_CHAT: Final = 400


@dataclass(frozen=True, slots=True)
class Played:
    """An action, and what the player already said about the card it turns up."""

    action: Action
    """What to do now."""
    then: str = ""
    """What to do with the card that ``turn`` shows: a place, or ``d``."""
    sure: bool = True
    """False: ask first, it cannot be taken back."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Something to read out."""

    topic: str
    """One of QUESTIONS."""
    detail: str = ""
    """For ``fan``: its number."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A word of the screen's palette, with what follows it."""

    name: str
    """One of ORDERS."""
    argument: str = ""
    """As typed."""


@dataclass(frozen=True, slots=True)
class Chatted:
    """Something to say to the other player."""

    text: str
    """As typed."""


@dataclass(frozen=True, slots=True)
class Left:
    """The player wants to leave; the game stays."""

    abandoned: bool = False
    """Whether to note that the other player abandoned it."""


@dataclass(frozen=True, slots=True)
class Again:
    """The player wants another deal."""


@dataclass(frozen=True, slots=True)
class Misread:
    """A line that means nothing here."""

    sentence: str
    """What is wrong with it, and what would be right."""


Typed = Played | Asked | Ordered | Chatted | Left | Again | Misread


def parse_typed(
    line: str, position: Position | None, seat: Seat, *, words: Words = ENGLISH
) -> Typed | None:
    """What a typed line means; None for an empty one, blanks are the key Space."""
    if position is not None and line and not line.strip(" "):
        return Played(TURN)
    text = line.strip().removeprefix(":").lstrip()
    if not text:
        return None
    first, _, rest = text.partition(" ")
    word = first.lower()
    if word == "chat" or (word == "t" and rest):
        if not rest.strip():
            return Misread(words("chat what? for example: chat well played"))
        return Chatted(rest.strip()[:_LONGEST_CHAT])
    if word in AGAIN and not rest:
        return Again()
    if word in (*_LEAVING, "abandon") and not rest:
        return Left(abandoned=word == "abandon")
    if word in (*_HELP, *_HINT, *QUESTIONS):
        topic = "help" if word in _HELP else "hint" if word in _HINT else word
        return _question(topic, rest, words)
    if word in ORDERS:
        return Ordered(word, rest.strip())
    if position is None:
        return Misread(words("there is no game yet. help lists what can be typed."))
    return _Reader(position, seat, words).read(text.lower())


def _question(topic: str, rest: str, words: Words) -> Typed:
    if topic != "fan":
        return Asked(topic)
    number = rest.strip()
    if len(number) == 1 and number in "12345678":
        return Asked(topic, number)
    return Misread(words("which fan? for example: fan 6"))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what is an action, in one position."""

    position: Position
    seat: Seat
    words: Words

    def read(self, text: str) -> Typed:
        if text in _ACTIONS:
            action = _ACTIONS[text]
            return Played(action, sure=action not in (RESIGN, OFFER_DRAW))
        if text.startswith(("stop", "!")):
            return self._stop(text.removeprefix("stop").removeprefix("!"))
        keys = self._keys(text)
        if keys is not None:
            return self._keyed(*keys)
        return self._notation(text)

    def _keys(self, text: str) -> list[str] | None:
        """The pile keys a line consists of, or None if it is no such line."""
        for space in _SPACE:
            if text == space or text.startswith(space + " "):
                keys = [" ", *text[len(space) :].split()]
                break
        else:
            bare = text.replace(" ", "")
            keys = list(bare)
        if "-" not in text:  # in notation it is a dash, on a French keyboard a 6
            keys = [at_table(key) for key in keys]
        known = {" ", "d", *_SOURCES, *_TARGETS}
        if 1 <= len(keys) <= 2 and all(key in known for key in keys):
            return keys
        return None

    def _keyed(self, first: str, second: str = "") -> Typed:
        if first == " ":
            return Played(TURN, then=second)
        if not second:
            return self._single(first)
        if first == "d":
            return self._move("D", second, first + second)
        if first == second:
            return self._best(_SOURCES.get(first, ""), first)
        return self._move(_SOURCES.get(first, ""), second, first + second)

    def _single(self, key: str) -> Typed:
        in_hand = bool(self.position.piles[drawn(self.seat)])
        if key == "d":
            stuck = not in_hand and not self._can_turn()
            return Played(PASS if stuck else DISCARD)
        if in_hand and key in _TARGETS:
            return self._move("D", key, key)
        return Misread(
            self.words(
                "{key}: name two piles, from and to, like c4 or 3 f. "
                "space turns a card up.",
                key=key,
            )
        )

    def _can_turn(self) -> bool:
        piles = self.position.piles
        return bool(piles[stock(self.seat)] or piles[waste(self.seat)])

    def _move(self, source: str, target_key: str, typed: str) -> Typed:
        target = _TARGETS.get(target_key)
        if not source or target is None:
            return self._unknown(typed)
        return self._notation(f"{source}-{target}")

    def _best(self, source: str, key: str) -> Typed:
        """The same key twice: a foundation if it goes, else the only place."""
        if not source:
            return self._unknown(key + key)
        if self.position.active != self.seat:
            return Misread(self.words("it is not your turn."))
        moves = [
            action
            for action in legal_actions(self.position)
            if isinstance(action, Move) and self._source_text(action) == source
        ]
        up = [move for move in moves if is_foundation(move.target)]
        if up:
            return Played(up[0])
        if len(moves) == 1:
            return Played(moves[0])
        if not moves:
            return Misread(self.words("{key}: that card goes nowhere.", key=key))
        places = ", ".join(self._target_text(move) for move in moves)
        return Misread(
            self.words("{key} can go to {places}: name one.", key=key, places=places)
        )

    def _source_text(self, move: Move) -> str:
        return (
            str(move.source + 1) if move.source < 8 else "RSDW"[(move.source - 16) // 2]
        )

    def _target_text(self, move: Move) -> str:
        if move.target < 8:
            return str(move.target + 1)
        return "p" if move.target == waste(other(self.seat)) else "o"

    def _stop(self, rest: str) -> Typed:
        named = rest.strip()
        if not named:
            return Misread(
                self.words("name the missed play: stop 5-F, or stop c 3, or ! 5 f")
            )
        keys = named.replace(" ", "")
        if len(keys) == 2 and "-" not in keys:
            first, second = map(at_table, keys)
            source = {**_SOURCES, "d": "D"}.get(first, first)
            named = f"{source}-{_TARGETS.get(second, second)}"
        return self._notation(f"stop {named}")

    def _notation(self, text: str) -> Typed:
        prefix = "" if text[1:2] == ":" else f"{SEAT_NAMES[self.seat]}:"
        try:
            seat, action = parse_action(prefix + text, self.position)
        except NotationError:
            return self._unknown(text)
        if seat != self.seat:
            return Misread(self.words("that is the other player's to do."))
        return Played(action, sure=action not in (RESIGN, OFFER_DRAW))

    def _unknown(self, text: str) -> Misread:
        shown = "".join(letter for letter in text[:40] if letter.isprintable())
        return Misread(
            self.words(
                "{text}: no such action. help lists what can be typed.", text=shown
            )
        )


def help_lines(words: Words = ENGLISH, *, assist: bool = False) -> list[str]:
    """What can be typed, a topic a line."""
    lines = [
        words("piles: 1 to 8 fans. c your reserve. f foundations."),
        words("o and p: the other player's reserve and waste."),
        words("a move names two piles: c4, 3 7, 5f, 2 o. cc or 33: the best place."),
        words("space: turn up a card. then a place for it, or d to discard."),
        words("rules notation works too: R-4, 3-7, 5-F, 2-OR, D-4, turn, discard."),
        words("stop 5-F: call Stop, naming the missed play. grant: accept the end."),
        words("say: the last event again. table, mine, theirs, fans, foundations."),
        words("fan 6: one fan, card by card. rules, who, help."),
        words("draw: offer a draw. accept, decline. resign. leave."),
        words("rematch, or next: another deal, once one is over."),
        words("chat TEXT: say something. mute: hear nothing. unmute."),
        words("lang CODE: speak another language. name TEXT: yours, next game."),
        words("log PATH: copy the log of this game to a file."),
    ]
    if assist:
        lines.append(words("legal: what may be played. hint: what is good, and why."))
    return lines
