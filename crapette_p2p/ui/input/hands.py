"""Keys and mouse of one player over time: drags, double presses, held keys.

The machine of ``table_keys`` is timeless; here is what time adds. A key that is
held makes one action: the repeats that follow it are swallowed until it is let
go. Keys typed while an own action is on its way wait, a few of them, and are
given to the machine when it has arrived; but for what would act on a card that
nobody has seen yet.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from crapette_p2p.engine import Action, AnswerDraw, Move, OfferDraw
from crapette_p2p.engine.layout import DRAWN, RESERVE, is_column
from crapette_p2p.ui.input.hand_state import Do, Scene, Step, TableInput, Wish
from crapette_p2p.ui.input.table_keys import press, touch

REPEAT: Final = 0.12
"""Seconds: the same key sooner than this after an action is a held key."""
DOUBLE: Final = 0.4
"""Seconds between the two presses of a double press."""
_WAITING_KEYS: Final = frozenset("12345678cfop ")
"""A space ends what waits: the card it turns has to be seen first."""
_ACTING_KEYS: Final = _WAITING_KEYS | {"d", "w"}
_MOST_WAITING: Final = 6


class Hands:
    """One player's hands."""

    def __init__(self) -> None:
        self.state = TableInput()
        self._last: tuple[str, float] = ("", 0.0)
        self._spent = ""
        """The held key that has made its action."""
        self._pressed: tuple[int, float] | None = None
        self._dragged: int | None = None
        self._let_go = False
        """Whether a release on the pressed pile puts its card back."""
        self._either: int | None = None
        """A fan that is pressed: the drawn card goes there, or its own is dragged."""
        self._waiting: list[str] = []
        self._sent: Action | None = None
        self._kept: int | None = None
        """What was picked when something was said that moves no card."""

    # Keys ---------------------------------------------------------------------

    def key(self, key: str, scene: Scene, now: float) -> tuple[Wish, ...]:
        """What a key asks for."""
        if self._is_held(key, now):
            return ()
        if self._sent is not None and key in _ACTING_KEYS and not self.state.typed:
            self._wait(key)
            return ()
        wishes = self._take(press(self.state, key, scene))
        if any(isinstance(wish, Do) for wish in wishes):
            self._spent = key
        return wishes

    def _is_held(self, key: str, now: float) -> bool:
        last, at = self._last
        self._last = (key, now)
        if key != last or now - at >= REPEAT:
            self._spent = ""
        return self._spent == key

    def _wait(self, key: str) -> None:
        """Keep a key for later, unless it would act on an unseen card."""
        waiting = self._waiting
        if " " in waiting or len(waiting) >= _MOST_WAITING:
            return
        if isinstance(self._sent, Move) and key in self._harmless(self._sent):
            waiting.append(key)

    def _harmless(self, sent: Move) -> frozenset[str]:
        """Keys that may wait for a move; a reserve that turns up is left alone."""
        reserve = sent.source & ~1 == RESERVE
        return _WAITING_KEYS - {"c"} if reserve else _WAITING_KEYS

    def _take(self, step: Step) -> tuple[Wish, ...]:
        self.state, wishes = step
        return wishes

    # What becomes of an action ------------------------------------------------

    def sent(self, action: Action) -> None:
        """An own action is on its way."""
        self._sent = action
        talk = isinstance(action, OfferDraw | AnswerDraw)
        self._kept = self.state.picked if talk else None
        self.state = replace(self.state, picked=None, typed="")

    @property
    def is_waiting(self) -> bool:
        """Whether an own action is on its way."""
        return self._sent is not None

    @property
    def on_its_way(self) -> Action | None:
        """The own action that is on its way."""
        return self._sent

    def arrived(self) -> None:
        """The own action is final, and what it uncovered lies open."""
        self._sent = None
        self._pick_again()

    def catch_up(self, scene: Scene, now: float) -> tuple[Wish, ...]:
        """What the keys that have waited ask for; an action ends the row."""
        keys, self._waiting = self._waiting, []
        for index, key in enumerate(keys):
            wishes = self.key(key, scene, now + index)
            if wishes:
                self._waiting = keys[index + 1 :]
                return wishes
        return ()

    def taken_back(self) -> None:
        """The own action did not happen."""
        self._sent = None
        self._pick_again()
        self._waiting = []

    def _pick_again(self) -> None:
        """A card that was picked before an offer of a draw still is."""
        if self._kept is not None and self.state.picked is None:
            self.state = replace(self.state, picked=self._kept)
        self._kept = None

    def refresh(self, scene: Scene, *, drawn: bool = False) -> None:
        """The table has changed: let go of what cannot be held any more."""
        picked = self.state.picked
        if picked is not None and not (scene.may_act and scene.position.piles[picked]):
            self.state = replace(self.state, picked=None)
        if drawn and scene.position.piles[DRAWN + scene.seat]:
            self.state = replace(self.state, picked=DRAWN + scene.seat)

    def quiet(self) -> None:
        """Forget the sentence of the last key."""
        self.state = replace(self.state, message=(), is_error=False)

    # Mouse --------------------------------------------------------------------

    def press(self, pile: int, scene: Scene, now: float) -> tuple[Wish, ...]:
        """The left button went down on a pile."""
        last = self._pressed
        twice = last is not None and last[0] == pile and now - last[1] < DOUBLE
        self._pressed = None if twice else (pile, now)
        self._dragged, self._let_go, self._either = None, False, None
        if self._sent is not None:
            return ()
        if self.state.picked == pile and not twice:
            # Perhaps it is dragged away; released where it lies it is put back.
            self._dragged, self._let_go = pile, True
            return ()
        if not twice and self._may_be_dragged(pile, scene):
            self._either = pile
            return ()
        wishes = self._take(touch(self.state, pile, scene, twice=twice))
        if self.state.picked == pile:
            self._dragged = pile
        return wishes

    def _may_be_dragged(self, pile: int, scene: Scene) -> bool:
        """Whether a press may begin a drag, though the drawn card is picked.

        That card was picked by itself; where it is meant, the release will tell.
        """
        drawn = self.state.picked == DRAWN + scene.seat and scene.may_act
        cards = is_column(pile) and bool(scene.position.piles[pile])
        return drawn and cards and not self.state.typed

    def release(self, pile: int | None, scene: Scene) -> tuple[Wish, ...]:
        """The button went up; on another pile that is a drag."""
        either, self._either = self._either, None
        if either is not None:
            if pile is None:
                return ()
            if pile == either:
                return self._take(touch(self.state, pile, scene))
            self._dragged = either
            self.state = replace(self.state, picked=either)
        dragged, self._dragged = self._dragged, None
        if dragged is None or self.state.picked != dragged:
            return ()
        if pile == dragged:
            if self._let_go:
                self.put_back(scene)
            return ()
        if pile is None:
            return ()
        self._pressed = None
        return self._take(touch(self.state, pile, scene, dropped=True))

    def put_back(self, scene: Scene) -> None:
        """The right button: let go of the card."""
        self._dragged = None
        if self.state.picked is not None or self.state.typed:
            self._take(press(self.state, "escape", scene))
