"""The last ACK of a deal, and a goodbye that waits until it has arrived (60, 11.4)."""

from __future__ import annotations

import pytest

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Act, Leave, Propose
from crapette_p2p.session.notices import GameOver, LinkLost, PeerLeft
from crapette_p2p.session.states import State
from tests.helpers.coming_back import played, restart
from tests.helpers.driving import require_closed, side_of
from tests.helpers.pair import Pair, terms


def closed_on_one_side() -> tuple[Pair, int]:
    """A deal whose last ACK is still under way; the side that has signed it."""
    pair = played()
    pair.command(side_of(pair, 1), Act(RESIGN))
    pair.step_until(lambda: any(player.of(GameOver) for player in pair.players))
    (first,) = (n for n, player in enumerate(pair.players) if player.of(GameOver))
    return pair, first


def farewells(pair: Pair, side: int) -> list[type]:
    """Which PINGs and BYEs a side has sent."""
    kinds = (wire.Ping, wire.Bye)
    return [type(m) for m in pair.players[side].sent if isinstance(m, kinds)]


def test_whoever_signs_last_asks_before_he_leaves() -> None:
    """The goodbye follows the answer, so the ACK has been taken before it."""
    pair, first = closed_on_one_side()
    player, other = pair.players[first], pair.players[1 - first]
    assert player.live.unsure
    pair.command(first, Leave(502))
    assert farewells(pair, first) == [wire.Ping]
    assert player.live.state is State.LOBBY
    pair.pump()
    assert farewells(pair, first) == [wire.Ping, wire.Bye]
    assert other.of(PeerLeft) == [PeerLeft(502, "")]
    require_closed(pair)


def test_the_author_of_the_result_is_sure_at_once() -> None:
    """Whoever holds the ACK knows that the other had it before."""
    pair, first = closed_on_one_side()
    pair.pump()
    assert not pair.players[1 - first].live.unsure
    pair.command(1 - first, Leave(502))
    assert farewells(pair, 1 - first) == [wire.Bye]
    pair.pump()
    assert not pair.players[first].live.unsure  # 502 is an answer as well


def test_an_answer_to_an_earlier_question_says_nothing() -> None:
    """Only what was asked after the ACK proves that it has arrived."""
    pair = played()
    pair.held[:] = [True, True]
    pair.wait(6)  # both have asked; the answers are late
    pair.command(side_of(pair, 1), Act(RESIGN))
    pair.held[:] = [False, False]
    pair.step_until(lambda: any(player.of(GameOver) for player in pair.players))
    (first,) = (n for n, player in enumerate(pair.players) if player.of(GameOver))
    player = pair.players[first]
    pair.command(first, Leave(502))
    questions = [m.n for m in player.sent if isinstance(m, wire.Ping)]
    pair.wire_clear(first)
    pair.inject(first, wire.Pong(questions[0]))
    pair.deliver(first)
    assert player.live.unsure
    pair.inject(first, wire.Pong(questions[-1]))
    pair.deliver(first)
    assert farewells(pair, first)[-1] is wire.Bye


@pytest.mark.parametrize("answering", [False, True])
def test_no_goodbye_waits_for_ever(*, answering: bool) -> None:
    """T_STEP ends it, also beside a peer who says all but what was asked."""
    pair, first = closed_on_one_side()
    pair.held[1 - first] = True
    pair.command(first, Leave(502))
    for _ in range(11):
        pair.wait(1)
        if answering and pair.players[first].closed is None:
            pair.inject(first, wire.Chat("wait!"))
            pair.pump()
    assert farewells(pair, first)[-1] is wire.Bye
    assert pair.players[first].closed == 502


def test_at_once_means_at_once() -> None:
    """Who does not want to wait says goodbye behind the ACK."""
    pair, first = closed_on_one_side()
    pair.command(first, Leave(502, at_once=True))
    assert farewells(pair, first) == [wire.Bye]
    pair.pump()
    require_closed(pair)


@pytest.mark.parametrize("crashed", [False, True])
def test_a_link_that_breaks_before_the_last_ack(*, crashed: bool) -> None:
    """The other comes back for it with the same game, and then both are sure."""
    pair, first = closed_on_one_side()
    pair.command(first, Leave(502))
    if crashed:
        restart(pair, 1 - first)
    else:
        pair.cut()
    assert LinkLost(0) in pair.players[first].of(LinkLost)
    assert not pair.players[1 - first].of(GameOver)
    pair.connect()
    player = pair.players[first]
    assert player.live.unsure
    pair.command(first, Leave(502))
    pair.pump()
    assert farewells(pair, first)[-2:] == [wire.Ping, wire.Bye]
    require_closed(pair)


def test_a_link_that_breaks_after_it() -> None:
    """Both logs are closed: nobody names a game, and nobody has to ask."""
    pair, first = closed_on_one_side()
    pair.pump()
    pair.cut()
    pair.connect()
    assert not pair.players[first].live.unsure
    pair.command(first, Leave(502))
    assert farewells(pair, first) == [wire.Bye]


def test_another_deal_is_an_answer() -> None:
    """Only who has a closed deal proposes the next one."""
    pair, first = closed_on_one_side()
    pair.pump()
    assert pair.players[first].live.unsure
    pair.command(1 - first, Propose(terms("russian-bank")))
    pair.pump()
    assert not pair.players[first].live.unsure
