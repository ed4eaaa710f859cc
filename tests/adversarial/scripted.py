"""A short game that plays itself the same way whatever interrupts it.

What comes next follows from the log alone: a card, a discard that meets a wrong
call on its way, another turn, and a resignation.
"""

from __future__ import annotations

from crapette_p2p.engine.actions import DISCARD, RESIGN, TURN, Action, Stop
from crapette_p2p.engine.layout import PileId, reserve
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.session.commands import Act
from crapette_p2p.session.effects import Send
from crapette_p2p.session.notices import SessionFailed
from tests.helpers.driving import side_of
from tests.helpers.forging import require_one_signature
from tests.helpers.keys import toy_key
from tests.helpers.pair import Pair, Player, make_player, terms

ENDS = 2
"""Turns before the mover resigns."""


def fresh() -> Pair:
    """Two players who have never met, with keys that cost no time."""
    players = [make_player(name, key=toy_key(name), seed=4) for name in ("Ala", "Olek")]
    for player in players:
        player.options["terms"] = terms("crapette")
    return Pair(*players)


def finished(player: Player) -> bool:
    """Whether a player's newest game is closed."""
    games = player.kept()
    return bool(games) and games[-1].done


def play_on(pair: Pair) -> None:
    """Play to the end, whatever has happened before; connect where it is cut."""
    for attempt in range(80):
        if all(finished(player) for player in pair.players):
            return
        if pair.wire is None or None in [p.session for p in pair.players]:
            pair.connect(dialler=attempt % 2)
        sides = [(side_of(pair, seat), action) for seat, action in _next(pair)]
        for side, action in sides:
            if pair.players[side].session is not None:
                pair.attempt(side, Act(action))
        pair.pump()
    raise AssertionError("the script does not end")


def _next(pair: Pair) -> list[tuple[int, Action]]:
    """What both seats do next, at the same time."""
    for player in pair.players:
        session = player.session
        if session is None or session.game is None or session.log is None:
            return []
    session = pair.players[0].live
    log, game = session.log, session.game
    position = game.position if game is not None else None
    if log is None or position is None or position.end is not None:
        return []
    mover = int(position.active)
    types = [entry.signed.event.type for entry in log.entries]
    if types.count(34) >= ENDS:
        return [(mover, RESIGN)]
    if pair.players[side_of(pair, mover)].live.may(DISCARD):
        call = Stop(reserve(mover), PileId(15))
        return [(mover, DISCARD), (1 - mover, call)]
    return [(mover, TURN)]


def judge(pair: Pair, *, signatures: bool = True) -> None:
    """Both have closed one and the same game; nobody was accused or signed twice."""
    for player in pair.players:
        assert not player.of(SessionFailed)
        # An accepted deal that never started may lie there too.
        *_, data = player.disk.logs.values()
        assert verify_log(data, player.key.verify).level == 5
    left, right = (player.kept()[-1] for player in pair.players)
    assert left.log.entries == right.log.entries
    if signatures:
        require_one_signature(pair)


def message_borders(pair: Pair, to: int) -> list[int]:
    """After how many bytes to a player each message of a played script ends."""
    total, borders = 0, [0]
    for effect in pair.players[1 - to].trace:
        if isinstance(effect, Send):
            total += len(effect.data)
            borders.append(total)
    return borders


class CuttingPair(Pair):
    """Cuts the link once, after so many bytes have reached one player."""

    budget = -1
    side = 0

    def deliver(self, side: int, size: int | None = None) -> bool:
        """Carry at most what the budget allows, then cut."""
        wire = self.wire
        if wire is None or self.budget < 0 or side != self.side:
            return super().deliver(side, size)
        waiting = len(wire.flight[side])
        if waiting < self.budget:
            self.budget -= waiting
            return super().deliver(side, size)
        if self.budget:
            super().deliver(side, self.budget)
        self.budget = -1
        self.cut()
        return True


def cut_at(to: int, budget: int) -> Pair:
    """The script with a cut after ``budget`` bytes to a player, played on."""
    plain = fresh()
    pair = CuttingPair(*plain.players)
    pair.side, pair.budget = to, budget
    play_on(pair)
    return pair
