"""Links that have come to a chosen point, for a hostile peer to go on from."""

from __future__ import annotations

from crapette_p2p.session.states import State
from tests.adversarial.hostile import Hostile
from tests.helpers.driving import position_of
from tests.helpers.pair import Pair, make_player, terms
from tests.helpers.stranger import nobody

LISTENER_STATES = (State.HELLO, State.AUTH, State.WAIT_HUMAN)
DIALLER_STATES = (State.HOST, State.READY)
AFTER_LOGIN = (State.RESUMING, State.LOBBY, State.PLAY)


def hostile_pair(
    preset: str | None = "russian-bank",
    *,
    victim: int = 0,
    seed: int = 1,
    k: int = 2,
) -> Hostile:
    """Two players who have not met; the listener will propose ``preset``."""
    players = make_player("Ala", seed=seed), make_player("Olek", seed=seed)
    pair = Pair(*players, seed=seed)
    if preset is not None:
        pair.players[0].options["terms"] = terms(preset, k=k)
    return Hostile(pair, victim)


def at_table(
    preset: str = "russian-bank",
    *,
    victim: int = 0,
    mover: bool | None = None,
    seed: int = 1,
    split: str = "whole",
) -> Hostile:
    """A dealt game; ``mover`` (instead of ``victim``): whether the cheat moves."""
    hostile = hostile_pair(preset, victim=victim, seed=seed)
    hostile.pair.connect()
    hostile.pair.split = split
    if mover is not None:
        active = int(position_of(hostile.honest).active)
        hostile.victim = 1 - active if mover else active  # side 0 has role 0 here
    hostile.notice_now()
    return hostile


def in_lobby(*, victim: int = 0, split: str = "whole") -> Hostile:
    """Two players in the lobby, nothing proposed."""
    hostile = hostile_pair(None, victim=victim)
    hostile.pair.connect()
    hostile.pair.split = split
    hostile.notice_now()
    return hostile


def at_state(state: State, *, split: str = "whole") -> Hostile:
    """A victim whose session is in ``state``, with nothing on its way to him."""
    if state is State.LOBBY:
        return in_lobby(split=split)
    if state is State.PLAY:
        return at_table(split=split)
    hostile = hostile_pair(None, victim=1 if state in DIALLER_STATES else 0)
    pair = hostile.pair
    hostile.honest.person = nobody
    if state is State.RESUMING:
        hostile.honest.options["known"] = lambda _key: "sas"
    pair.split = "bytes"
    pair.join()
    pair.step_until(lambda: hostile.session.state is state)
    pair.wire_clear(hostile.victim)
    pair.split = split
    hostile.notice_now()
    return hostile
