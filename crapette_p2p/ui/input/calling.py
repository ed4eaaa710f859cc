"""**Pure**: calling Stop!, the missed play named by two pile keys."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.engine import Action, Position, Resign, Stop, parse_action, refusal
from crapette_p2p.engine.layout import PileId, Seat
from crapette_p2p.errors import NotationError
from crapette_p2p.ui.input.hand_state import (
    Do,
    Scene,
    Step,
    TableInput,
    refused,
    said,
)
from crapette_p2p.ui.refusals import refusal_text

_ANY_CALL: Final = Stop(PileId(0), PileId(0))
"""Whether a call may be made does not depend on what it names."""


def why_refused(position: Position, seat: Seat, action: Action) -> str | None:
    """Why an action is refused now; None where it is taken, at once or in its turn.

    A call or a resignation waits until a card that is being turned up is open.
    """
    why = refusal(position, seat, action)
    waits = why == "opening-owed" and isinstance(action, Stop | Resign)
    return None if waits else why


def may_call(position: Position, seat: Seat) -> bool:
    """Whether this player may call Stop!; it says nothing of there being a reason."""
    return why_refused(position, seat, _ANY_CALL) is None


def begin_stop(state: TableInput, scene: Scene) -> TableInput:
    """``!``: ask which play was missed, where there is something to call."""
    state = replace(state, picked=None, typed="")
    why = why_refused(scene.latest, scene.seat, _ANY_CALL)
    if why is not None:
        text = refusal_text(why, scene.latest, _ANY_CALL, scene.words)
        return refused(state, text)
    asked = "Stop! Which play was missed? Pile, then where to – Esc leaves"
    return said(replace(state, typed="!"), scene, asked)


def stop_key(state: TableInput, key: str, scene: Scene) -> Step:
    """The pile that the missed card lay on, then the one it had to go to."""
    if len(state.typed) == 1:
        return _stop_source(state, key, scene), ()
    if len(state.typed) > 2:
        return state, ()
    if key not in {"f", *"12345678"}:
        asked = "It went to a foundation (f) or into a space (1-8)."
        return said(state, scene, asked), ()
    state = replace(state, typed=state.typed + key)
    if scene.confirm_stop:
        asked = "Enter calls Stop! – Esc leaves"
        return said(state, scene, asked), ()
    return finish_stop(state, scene)


def _stop_source(state: TableInput, key: str, scene: Scene) -> TableInput:
    source = {"c": "R", "o": "R", " ": "D", "w": "W", "p": "W"}.get(key, key)
    if source not in {"R", "D", "W", *"12345678"}:
        asked = "Where did the missed card lie? 1-8, c reserve, Space drawn"
        return said(state, scene, asked)
    state = replace(state, typed="!" + source)
    text = scene.words("Stop! {pile} – and where to? f or 1-8", pile=source)
    return replace(state, message=(text,))


def finish_stop(state: TableInput, scene: Scene) -> Step:
    """Call, once both piles are named."""
    typed, state = state.typed, replace(state, typed="")
    if len(typed) < 3:
        return state, ()
    name = f"{'AB'[scene.seat]}:stop {typed[1]}-{typed[2]}"
    try:
        _, action = parse_action(name, scene.latest)
    except NotationError:
        return said(state, scene, "That is no play."), ()
    why = why_refused(scene.latest, scene.seat, action)
    if why is not None:
        text = refusal_text(why, scene.latest, action, scene.words)
        return refused(state, text), ()
    return state, (Do(action),)
