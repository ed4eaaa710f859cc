"""Pile keys and the cursor: from single keys to actions.

Theory of operation. A move is two keys, the pile it comes from and the pile it
goes to; what has been typed so far is the state. ``press`` is a pure function of
state, key and scene, and answers with the next state and what is wanted of the
world: an action to make, or a screen to open. The machine asks the engine only
whether a play can be made, never whether another one was due: what it says is
the same for a lawful play and for one that could be called.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.engine import (
    DISCARD,
    PASS,
    TURN,
    Action,
    Move,
    Position,
    Stop,
    legal_actions,
    parse_action,
    refusal,
)
from crapette_p2p.engine.duties import opens_with_turn
from crapette_p2p.engine.layout import (
    DRAWN,
    RESERVE,
    STOCK,
    WASTE,
    PileId,
    Seat,
    is_column,
    is_foundation,
    other,
)
from crapette_p2p.errors import NotationError
from crapette_p2p.ui.input.cursor import moved_cursor, next_kind
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.refusals import goes_nowhere, refusal_sentence, refusal_text
from crapette_p2p.ui.view import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInput:
    """What has been typed and picked at the table."""

    picked: int | None = None
    """The pile whose top card waits for its destination."""
    typed: str = ""
    """Keys of an unfinished command: ``!`` and its source, or ``v``."""
    cursor: int | None = None
    """The pile the cursor stands on, once an arrow key was pressed."""
    message: Text = ()
    """What the last key came to; empty = the usual sentence stands."""
    is_error: bool = False
    """Whether that was a refusal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the machine has to know of the world."""

    position: Position
    """The position on the screen."""
    latest: Position
    """The newest position; a Stop! is about this one."""
    seat: Seat
    """Ours."""
    may_act: bool
    """Whether a move can be made now (our turn, nothing on its way)."""
    confirm_stop: bool = False
    """Whether a Stop! wants Enter after its two keys."""
    words: Words = ENGLISH
    """Language of what is said."""


@dataclass(frozen=True, slots=True)
class Do:
    """An action to be made."""

    action: Action
    """Which."""


@dataclass(frozen=True, slots=True)
class Look:
    """A pile to be shown in full."""

    pile: int
    """Which."""


@dataclass(frozen=True, slots=True)
class Open:
    """Something of the screen's own: help, palette, find, talk, leave."""

    what: str
    """The key that asks for it."""


Wish = Do | Look | Open
Step = tuple[TableInput, tuple[Wish, ...]]
_PILE_KEYS: Final = frozenset("12345678c fopdw")
_OPENERS: Final = frozenset(
    {"?", ":", "/", "n", "N", "l", "t", "i", "h", "q", "g", "pageup", "pagedown"}
    | {"c-c", "c-l", "enter"}
)
_ARROWS: Final = frozenset({"up", "down", "left", "right"})


def press(state: TableInput, key: str, scene: Scene) -> Step:
    """The next state, and what the key asks for."""
    if key in _OPENERS and not (key == "enter" and state.cursor is not None):
        if key == "enter" and state.typed:
            return _finish_stop(state, scene)
        return replace(state, message=(), is_error=False), (Open(key),)
    state = replace(state, message=(), is_error=False)
    if key in _ARROWS:
        cursor = moved_cursor(state.cursor, key, scene.seat)
        return replace(state, cursor=cursor), ()
    if key in {"tab", "s-tab"}:
        step = 1 if key == "tab" else -1
        return replace(state, cursor=next_kind(state.cursor, step, scene.seat)), ()
    if key in {"escape", "u"}:
        return _put_back(state, scene), ()
    if key == "enter" and state.cursor is not None:
        return touch(state, state.cursor, scene)
    if key == "!":
        return _begin_stop(state, scene), ()
    if key == "v":
        return _said(replace(state, typed="v"), scene, "Look at which pile?"), ()
    if key not in _PILE_KEYS:
        return state, ()
    if state.typed.startswith("!"):
        return _stop_key(state, key, scene)
    if state.typed == "v":
        return _look_key(state, key, scene)
    return _pile_key(state, key, scene)


def touch(state: TableInput, pile: int, scene: Scene, *, twice: bool = False) -> Step:
    """A pile is pressed, by the mouse or under the cursor."""
    state = replace(state, message=(), is_error=False)
    if state.typed.startswith("!"):
        return _stop_key(state, _key_of(pile, scene, calling=True), scene)
    if state.typed == "v":
        return replace(state, typed=""), (Look(pile),)
    if twice and scene.position.piles[pile] and _is_source(pile, scene):
        return _best(replace(state, picked=pile), scene)
    if pile == STOCK + scene.seat:
        return _stock(state, scene)
    if pile == WASTE + scene.seat and state.picked in {None, DRAWN + scene.seat}:
        return _waste(state, scene)
    if state.picked is None:
        return _pick(state, pile, scene)
    if state.picked == pile:
        return _put_back(state, scene), ()
    return _play(state, _key_of(pile, scene), scene)


def _key_of(pile: int, scene: Scene, *, calling: bool = False) -> str:
    """The key that means a pile; in a call the offender's piles are meant."""
    if is_column(pile):
        return str(pile + 1)
    if is_foundation(pile):
        return "f"
    kind, theirs = pile & ~1, pile & 1 != scene.seat
    if kind == RESERVE:
        return "c" if calling else "o" if theirs else "c"
    if kind == DRAWN:
        return " "
    return ("p" if theirs else "d") if kind == WASTE else ""


def _said(state: TableInput, scene: Scene, sentence: str) -> TableInput:
    return replace(state, message=(scene.words(sentence),))


def _refused(state: TableInput, text: Text) -> TableInput:
    return replace(state, message=text, is_error=True)


def _put_back(state: TableInput, scene: Scene) -> TableInput:
    del scene
    if state.typed or state.picked is not None:
        return replace(state, typed="", picked=None)
    return replace(state, cursor=None)


# Moves -----------------------------------------------------------------------


def _pile_key(state: TableInput, key: str, scene: Scene) -> Step:
    if key == " ":
        return _stock(state, scene)
    if key == "d":
        return _waste(state, scene)
    if state.picked is None:
        return _first_key(state, key, scene)
    if key == _key_of(state.picked, scene):
        return _best(state, scene)
    if key == "c":  # nothing is ever laid there: another card is meant
        return _pick(state, RESERVE + scene.seat, scene)
    return _play(state, key, scene)


def _first_key(state: TableInput, key: str, scene: Scene) -> Step:
    seat = scene.seat
    if key in {"f", "o", "p"}:
        if not scene.position.piles[DRAWN + seat]:
            return _said(state, scene, "Where from? Press a pile first."), ()
        return _play(replace(state, picked=DRAWN + seat), key, scene)
    pile = int(key) - 1 if key.isdigit() else (RESERVE if key == "c" else WASTE) + seat
    return _pick(state, pile, scene)


def _pick(state: TableInput, pile: int, scene: Scene) -> Step:
    if not scene.may_act:
        return _not_now(state, scene), ()
    if not _is_source(pile, scene):
        return _said(state, scene, "No card can be played from there."), ()
    if not scene.position.piles[pile]:
        if is_column(pile):
            text = scene.words("Fan {n} is empty.", n=pile + 1)
            return replace(state, message=(text,)), ()
        return _said(state, scene, "There is no card."), ()
    return replace(state, picked=pile), ()


def _is_source(pile: int, scene: Scene) -> bool:
    own = {RESERVE + scene.seat, DRAWN + scene.seat}
    if scene.position.rules.own_waste_playable:
        own.add(WASTE + scene.seat)
    return is_column(pile) or pile in own


def _not_now(state: TableInput, scene: Scene) -> TableInput:
    position = scene.position
    code = "not-your-turn" if position.end is None else "game-over"
    if position.end is not None and position.end.provisional_by is not None:
        code = "end-is-provisional"
    elif position.end is None and position.active == scene.seat:
        code = "opening-owed"
    return _refused(state, refusal_text(code, position, TURN, scene.words))


def _try(state: TableInput, action: Action, scene: Scene) -> Step:
    """Make an action if it can be made, else say why not and keep the pick."""
    if not scene.may_act:
        return _not_now(state, scene), ()
    why = refusal(scene.position, scene.seat, action)
    if why is not None:
        text = refusal_text(why, scene.position, action, scene.words)
        return _refused(state, text), ()
    return replace(state, picked=None), (Do(action),)


def _stock(state: TableInput, scene: Scene) -> Step:
    drawn = DRAWN + scene.seat
    if scene.position.piles[drawn]:
        return _pick(state, drawn, scene)
    return _try(replace(state, picked=None), TURN, scene)


def _waste(state: TableInput, scene: Scene) -> Step:
    drawn = DRAWN + scene.seat
    if state.picked not in {None, drawn}:
        return _said(state, scene, "Only the drawn card goes to your waste."), ()
    if scene.position.piles[drawn]:
        return _try(state, DISCARD, scene)
    if refusal(scene.position, scene.seat, PASS) in {"cards-left", "turn-comes-first"}:
        return _try(state, DISCARD, scene)
    return _try(state, PASS, scene)


def _play(state: TableInput, key: str, scene: Scene) -> Step:
    """Play the picked card to the pile of ``key``."""
    action = _move_to(state, key, scene)
    if action is None:
        return _said(state, scene, "No card can be laid there."), ()
    return _try(state, action, scene)


def _move_to(state: TableInput, key: str, scene: Scene) -> Action | None:
    source = {RESERVE: "R", DRAWN: "D", WASTE: "W"}
    target = {"f": "F", "o": "OR", "p": "OW"}.get(key, key)
    if state.picked is None or target not in {"F", "OR", "OW", *"12345678"}:
        return None
    pile = state.picked
    name = str(pile + 1) if is_column(pile) else source[pile & ~1]
    text = f"{'AB'[scene.seat]}:{name}-{target}"
    return parse_action(text, scene.position)[1]


def _best(state: TableInput, scene: Scene) -> Step:
    """The same key twice: a foundation, else the only pile there is."""
    pile = state.picked
    if pile is None or not scene.may_act:
        return _not_now(state, scene), ()
    goals = destinations(scene.position, pile)
    up = [move for move in goals if is_foundation(move.target)]
    if up or len(goals) == 1:
        return _try(state, (up or goals)[0], scene)
    face = scene.position.top(pile)
    if not goals:
        if opens_with_turn(scene.position):
            why = refusal_sentence("turn-comes-first", scene.words)
            return _refused(state, (why,)), ()
        return _refused(state, goes_nowhere(face, scene.words)), ()
    keys = ", ".join(_key_of(move.target, scene) for move in goals)
    text: Text = (face, scene.words(" goes to {keys}: which one?", keys=keys))
    return replace(state, message=text), ()


def destinations(position: Position, pile: int) -> list[Move]:
    """Every play of a pile's top card that the engine accepts from the mover."""
    return [
        action
        for action in legal_actions(position)
        if isinstance(action, Move) and action.source == pile
    ]


# Stop! and looking -----------------------------------------------------------


def _begin_stop(state: TableInput, scene: Scene) -> TableInput:
    state = replace(state, picked=None, typed="")
    probe = Stop(PileId(0), PileId(0))
    why = refusal(scene.latest, scene.seat, probe)
    if why is not None and why != "opening-owed":
        text = refusal_text(why, scene.latest, probe, scene.words)
        return _refused(state, text)
    asked = "Stop! Which play was missed? Pile, then where to – Esc leaves"
    return _said(replace(state, typed="!"), scene, asked)


def _stop_key(state: TableInput, key: str, scene: Scene) -> Step:
    if len(state.typed) == 1:
        return _stop_source(state, key, scene), ()
    if len(state.typed) > 2:
        return state, ()
    if key not in {"f", *"12345678"}:
        asked = "It went to a foundation (f) or into a space (1-8)."
        return _said(state, scene, asked), ()
    state = replace(state, typed=state.typed + key)
    if scene.confirm_stop:
        asked = "Enter calls Stop! – Esc leaves"
        return _said(state, scene, asked), ()
    return _finish_stop(state, scene)


def _stop_source(state: TableInput, key: str, scene: Scene) -> TableInput:
    source = {"c": "R", "o": "R", " ": "D", "w": "W", "p": "W"}.get(key, key)
    if source not in {"R", "D", "W", *"12345678"}:
        asked = "Where did the missed card lie? 1-8, c reserve, Space drawn"
        return _said(state, scene, asked)
    state = replace(state, typed="!" + source)
    text = scene.words("Stop! {pile} – and where to? f or 1-8", pile=source)
    return replace(state, message=(text,))


def _finish_stop(state: TableInput, scene: Scene) -> Step:
    typed, state = state.typed, replace(state, typed="")
    if len(typed) < 3:
        return state, ()
    text = f"{'AB'[scene.seat]}:stop {typed[1]}-{typed[2]}"
    try:
        _, action = parse_action(text, scene.latest)
    except NotationError:
        return _said(state, scene, "That is no play."), ()
    why = refusal(scene.latest, scene.seat, action)
    if why is not None and why != "opening-owed":
        said = refusal_text(why, scene.latest, action, scene.words)
        return _refused(state, said), ()
    return state, (Do(action),)


def _look_key(state: TableInput, key: str, scene: Scene) -> Step:
    state = replace(state, typed="")
    seat = scene.seat
    piles = {
        "c": RESERVE + seat,
        "d": WASTE + seat,
        "w": WASTE + seat,
        " ": STOCK + seat,
        "o": RESERVE + other(seat),
        "p": WASTE + other(seat),
        "f": 8,
    }
    pile = int(key) - 1 if key.isdigit() else piles[key]
    return state, (Look(pile),)
