"""Pile keys and the cursor: from single keys to actions.

Theory of operation. A move is two keys, the pile it comes from and the pile it
goes to; what has been typed so far is the state. ``press`` is a pure function of
state, key and scene, and answers with the next state and what is wanted of the
world: an action to make, or a screen to open. The machine asks the engine only
whether a play can be made, never whether another one was due: what it says is
the same for a lawful play and for one that could be called.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.engine import (
    DISCARD,
    PASS,
    TURN,
    Action,
    Move,
    Position,
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
    is_column,
    is_foundation,
    other,
)
from crapette_p2p.ui.input.calling import begin_stop, finish_stop, stop_key
from crapette_p2p.ui.input.cursor import moved_cursor, next_kind
from crapette_p2p.ui.input.hand_state import (
    Do,
    Look,
    Open,
    Scene,
    Step,
    TableInput,
    refused,
    said,
)
from crapette_p2p.ui.refusals import goes_nowhere, refusal_sentence, refusal_text
from crapette_p2p.ui.view import Text

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
            return finish_stop(state, scene)
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
        return begin_stop(state, scene), ()
    if key == "v":
        return said(replace(state, typed="v"), scene, "Look at which pile?"), ()
    if key not in _PILE_KEYS:
        return state, ()
    if state.typed.startswith("!"):
        return stop_key(state, key, scene)
    if state.typed == "v":
        return _look_key(state, key, scene)
    return _pile_key(state, key, scene)


def touch(
    state: TableInput,
    pile: int,
    scene: Scene,
    *,
    twice: bool = False,
    dropped: bool = False,
) -> Step:
    """A pile is pressed, by the mouse or under the cursor.

    A card that is *dropped* there by the mouse means that pile and no other card.
    """
    state = replace(state, message=(), is_error=False)
    if state.typed.startswith("!"):
        return stop_key(state, _key_of(pile, scene, calling=True), scene)
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
    play = _play if dropped else _play_or_take_up
    return play(state, _key_of(pile, scene), scene)


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
    return _play_or_take_up(state, key, scene)


def _first_key(state: TableInput, key: str, scene: Scene) -> Step:
    seat = scene.seat
    if key in {"f", "o", "p"}:
        if not scene.may_act:
            return _not_now(state, scene), ()
        if not scene.position.piles[DRAWN + seat]:
            return said(state, scene, "Where from? Press a pile first."), ()
        return _play(replace(state, picked=DRAWN + seat), key, scene)
    pile = int(key) - 1 if key.isdigit() else (RESERVE if key == "c" else WASTE) + seat
    return _pick(state, pile, scene)


def _pick(state: TableInput, pile: int, scene: Scene) -> Step:
    if not scene.may_act:
        return _not_now(state, scene), ()
    if not _is_source(pile, scene):
        return said(state, scene, "No card can be played from there."), ()
    if not scene.position.piles[pile]:
        if is_column(pile):
            text = scene.words("Fan {n} is empty.", n=pile + 1)
            return replace(state, message=(text,)), ()
        return said(state, scene, "There is no card."), ()
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
    return refused(state, refusal_text(code, position, TURN, scene.words))


def _try(state: TableInput, action: Action, scene: Scene) -> Step:
    """Make an action if it can be made, else say why not and keep the pick."""
    if not scene.may_act:
        return _not_now(state, scene), ()
    why = refusal(scene.position, scene.seat, action)
    if why is not None:
        text = refusal_text(why, scene.position, action, scene.words)
        return refused(state, text), ()
    return replace(state, picked=None), (Do(action),)


def _stock(state: TableInput, scene: Scene) -> Step:
    drawn = DRAWN + scene.seat
    if scene.position.piles[drawn]:
        return _pick(state, drawn, scene)
    return _try(replace(state, picked=None), TURN, scene)


def _waste(state: TableInput, scene: Scene) -> Step:
    drawn = DRAWN + scene.seat
    if state.picked not in {None, drawn}:
        text = "Only the drawn card goes to your waste; Esc lets this one go."
        return said(state, scene, text), ()
    if scene.position.piles[drawn]:
        return _try(state, DISCARD, scene)
    if refusal(scene.position, scene.seat, PASS) in {"cards-left", "turn-comes-first"}:
        return _try(state, DISCARD, scene)
    return _try(state, PASS, scene)


def _play(state: TableInput, key: str, scene: Scene) -> Step:
    """Play the picked card to the pile of ``key``."""
    action = _move_to(state, key, scene)
    if action is None:
        return said(state, scene, "No card can be laid there."), ()
    return _try(state, action, scene)


def _play_or_take_up(state: TableInput, key: str, scene: Scene) -> Step:
    """Play; a fan that the drawn card does not fit gives its own card instead."""
    fan = int(key) - 1 if key.isdigit() else -1
    if not _is_meant(state, fan, scene):
        return _play(state, key, scene)
    drawn, under = scene.position.top(DRAWN + scene.seat), scene.position.top(fan)
    rest = scene.words(" is picked: where to? (Esc puts it back)")
    text: Text = (drawn, scene.words(" does not go on "), under, " – ", under, rest)
    return replace(state, picked=fan, message=text), ()


def _is_meant(state: TableInput, fan: int, scene: Scene) -> bool:
    """Whether a fan's key means its own card, though the drawn one is picked.

    It was picked by itself; so a player with another card in mind need not let go
    of it first. Where that card goes nowhere, it cannot be meant.
    """
    drawn = DRAWN + scene.seat
    if state.picked != drawn or fan < 0 or not scene.may_act:
        return False
    why = refusal(scene.position, scene.seat, Move(PileId(drawn), PileId(fan)))
    return why == "column-misfit" and bool(destinations(scene.position, fan))


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
        state = replace(state, picked=None)  # else the next key would mean a target
        if opens_with_turn(scene.position):
            why = refusal_sentence("turn-comes-first", scene.words)
            return refused(state, (why,)), ()
        return refused(state, goes_nowhere(face, scene.words)), ()
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


# Looking ---------------------------------------------------------------------


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
