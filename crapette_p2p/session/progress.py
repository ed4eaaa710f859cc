"""What the owner is told when an event has become final."""

from __future__ import annotations

from typing import Final

from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.position import End
from crapette_p2p.gamelog.events import EventType, body_to_action
from crapette_p2p.gamelog.log import Entry
from crapette_p2p.gamelog.state import SETUP_EVENTS, SETUP_TYPES, GameState
from crapette_p2p.session.lobby import is_match_over, score_after
from crapette_p2p.session.notices import DealEnded, DealProgress, EventFinal, GameOver
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.outbox import Outbox

_STEPS: Final = {
    EventType.COMMIT: "commit",
    EventType.CHALLENGE: "challenge",
    EventType.REVEAL: "reveal",
    EventType.OPEN_A: "deal",
    EventType.OPEN_B: "deal",
}


def tell(game: OpenGame, entry: Entry, before: GameState, outbox: Outbox) -> None:
    """Notices for one final event; the game stands right after it."""
    event, state = entry.signed.event, game.state
    outbox.emit(
        EventFinal(
            seq=event.seq,
            author=event.author,
            type=EventType(event.type),
            action=body_to_action(event.type, event.body),
            body=event.body,
            before=before,
            state=state,
        )
    )
    if state.length <= SETUP_EVENTS:
        tell_progress(game, outbox)
    end = state.final_end
    if end is None:
        return
    if state.done:
        outbox.emit(game_over(game, end))
    elif event.type != EventType.AUDIT:
        outbox.emit(DealEnded(end))


def game_over(game: OpenGame, end: End) -> GameOver:
    """How a closed deal went."""
    return GameOver(
        game_id=game.game_id,
        end=end,
        score=score_after(game.state),
        match_over=is_match_over(game.state),
    )


def tell_progress(game: OpenGame, outbox: Outbox) -> None:
    """How far the fair deal is, and whose work is awaited."""
    done = game.state.length
    last = min(done, SETUP_EVENTS - 1)
    step = _STEPS[SETUP_TYPES[last]]
    outbox.emit(DealProgress(step, Seat(last & 1), done, SETUP_EVENTS))
