"""What a link waits for, and until when (protocol.md 12, P15)."""

from __future__ import annotations

from crapette_p2p.session.channel import peer_owes_step
from crapette_p2p.session.course import Course
from crapette_p2p.session.states import State
from crapette_p2p.session.timers import T_HUMAN, T_LOGIN, T_STEP


def wait_limit(course: Course, *, began: float, since: float) -> float | None:
    """When the wait for the peer's next step runs out; None if it may take for ever.

    ``began`` is when the link came up, ``since`` when it last came further. A
    player to move, and one who has to grant an end, may think for ever.
    """
    step, person = since + T_STEP, since + T_HUMAN
    match course.state:
        case State.HELLO | State.HOST | State.AUTH:
            return began + T_LOGIN
        case State.READY:
            if course.login.refused:
                return step  # BYE 206 is on its way
            asked = course.login.waits_for_person
            return person if asked else began + T_LOGIN
        case State.WAIT_HUMAN:
            return person
        case State.RESUMING | State.SYNCING:
            return step
        case State.PROPOSED:
            return _proposal_limit(course, step, person)
        case _:
            channel = course.channel
            if course.lobby is None and channel is not None:
                return step if peer_owes_step(channel.game) else None
            return None


def awaits_person(course: Course) -> bool:
    """Whether the link comes no further before a person, here or there, answers."""
    match course.state:
        case State.READY:
            return course.login.waits_for_person
        case State.WAIT_HUMAN:
            return True
        case State.PROPOSED:
            lobby = course.lobby
            return lobby is not None and bool(lobby.offered or lobby.proposed)
        case _:
            return False


def _proposal_limit(course: Course, step: float, person: float) -> float | None:
    lobby = course.lobby
    if lobby is None or lobby.offered is not None:
        return None  # our own person thinks; the proposer watches the time
    return person if lobby.proposed is not None else step
