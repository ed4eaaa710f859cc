"""``choose``: what a bot does now, at whatever level, from the position alone."""

from __future__ import annotations

from collections.abc import Callable

from crapette_p2p.bot.board import (
    FROM_DRAWN,
    FROM_RESERVE,
    TO_FOUNDATION,
    TO_RESERVE,
    Play,
    board_of,
    terms_of,
)
from crapette_p2p.bot.calls import answer_to_end, answer_to_offer, wanted_stop
from crapette_p2p.bot.greedy import baseline_play, club_play, preferred
from crapette_p2p.bot.levels import LEVELS, Level
from crapette_p2p.bot.planning import TurnMemory, planned_play
from crapette_p2p.engine import (
    DISCARD,
    PASS,
    TURN,
    Action,
    Move,
    OffenceCode,
    Position,
    TableAction,
    legal_with_offences,
)
from crapette_p2p.engine.layout import drawn, is_foundation, other, reserve, waste

Rand = Callable[[], float]
"""Entropy: a number in [0, 1) at each call."""
Listed = tuple[tuple[TableAction, OffenceCode | None], ...]


def choose(
    position: Position,
    seat: int,
    *,
    level: str,
    rand: Rand,
    nodes: int | None = None,
    cancelled: Callable[[], bool] | None = None,
    memory: TurnMemory | None = None,
) -> Action | None:
    """What the bot in ``seat`` does now; None if it has nothing to do.

    It looks at the position only, in which a face nobody has seen is 255. Ask
    again after every event of the game.

    Args:
        position: Where the deal stands.
        seat: The bot's seat.
        level: A name of ``LEVELS``.
        rand: Entropy; equal numbers give equal choices.
        nodes: Boards to look at instead of the level's own number.
        cancelled: Asked now and then; once it says True the best found counts.
        memory: What the caller keeps for this seat from call to call, if he does.
    """
    strength = LEVELS[level]
    if position.end is not None:
        return answer_to_end(position, seat, strength)
    if position.unopened() is not None:
        return None
    answer = wanted_stop(position, seat, strength) or answer_to_offer(position, seat)
    if answer is not None or position.active != seat:
        return answer
    listed = legal_with_offences(position)
    if level == "random":
        return listed[int(rand() * len(listed))][0]
    if any(offence for _, offence in listed) and rand() < strength.overlooks_duty:
        return _careless_action(position, listed, rand)
    clean = [action for action, offence in listed if offence is None]
    if strength.searches:
        play = planned_play(
            position,
            TurnMemory() if memory is None else memory,
            nodes=(nodes or strength.nodes) if len(clean) > 1 else 1,
            cancelled=cancelled,
        )
    else:
        play = _play_for(position, strength, rand)
    action = action_for(position, play)
    return action if action in clean else _fallback(clean)


def _play_for(position: Position, level: Level, rand: Rand) -> Play | None:
    """The next play of a level that does not search."""
    board, terms = board_of(position, position.active), terms_of(position.rules)
    if level.name == "baseline":
        return baseline_play(board, terms)
    if level.name == "novice":
        wanted = [p for p in preferred(board, terms) if rand() >= level.overlooks_play]
        return wanted[0] if wanted else None
    return club_play(board, terms)


def _careless_action(position: Position, listed: Listed, rand: Rand) -> TableAction:
    """Play on as if no duty stood."""
    board = board_of(position, position.active)
    terms = terms_of(position.rules)._replace(foundation_duty=False, fill_spaces=False)
    offending = [action for action, offence in listed if offence is not None]
    for play in preferred(board, terms):
        action = action_for(position, play)
        if play.source >= 8 and action in offending:
            return action
    ends = [a for a in offending if not isinstance(a, Move)]
    return (ends or offending)[int(rand() * len(ends or offending))]


def action_for(position: Position, play: Play | None) -> TableAction:
    """The engine's spelling of a play; without one, what carries the turn on."""
    seat = position.active
    if play is None or play.source < 0:
        return DISCARD if position.piles[drawn(seat)] else TURN
    source, target = play
    own = {FROM_RESERVE: reserve(seat), FROM_DRAWN: drawn(seat)}
    pile = source if source < 8 else own.get(source, waste(seat))
    for action, _ in legal_with_offences(position):
        if isinstance(action, Move) and action.source == pile:
            if action.target == _target_pile(target, other(seat)):
                return action
            if target == TO_FOUNDATION and is_foundation(action.target):
                return action
    return PASS


def _target_pile(target: int, opponent: int) -> int:
    if target < TO_FOUNDATION:
        return target
    if target == TO_FOUNDATION:
        return -1
    return reserve(opponent) if target == TO_RESERVE else waste(opponent)


def _fallback(clean: list[TableAction]) -> TableAction:
    """Something lawful where the wish is not: turn, then end, then any play."""
    for action in (TURN, DISCARD, PASS):
        if action in clean:
            return action
    return clean[0]
