"""Proposals that cross, and a listener that does not know of the match any more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.gamelog.genesis import Match, encode_genesis
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import Propose
from crapette_p2p.session.notices import SessionFailed
from crapette_p2p.session.states import State
from tests.helpers.driving import act, log_of
from tests.helpers.pair import Pair, play_pair, terms
from tests.helpers.stranger import nobody
from tests.session.test_lobby import bent_next_deal, code_of


def crossed() -> Pair:
    """Role 0 of a match dials; both propose, and neither has heard the other."""
    pair = play_pair("russian-bank", target=3)
    act(pair, 1, RESIGN)
    pair.connect(dialler=0)
    pair.held = [True, True]
    pair.command(0, Propose())
    pair.command(1, Propose(terms("garibaldka")))
    pair.held = [False, False]
    return pair


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_proposals_that_cross_the_diallers_stands(first: int) -> None:
    """The listener drops his own and is asked; in whatever order they arrive."""
    pair = crossed()
    pair.deliver(first)
    pair.deliver(1 - first)
    pair.pump()
    for player in pair.players:
        match = log_of(player).genesis.match
        assert (match.deal_number, match.target) == (2, 3)
        assert player.live.state is State.PLAY
        assert not player.of(SessionFailed)


def forgetful(*, proposing: bool) -> Pair:
    """Role 0 of a match dials a listener that began anew: it has no match at hand."""
    pair = play_pair("russian-bank", target=3)
    act(pair, 1, RESIGN)
    pair.players[1].options["previous"] = None
    pair.connect(dialler=0)
    if proposing:
        pair.held = [True, True]
        pair.command(1, Propose(terms("garibaldka")))
        pair.held = [False, False]
    return pair


@pytest.mark.parametrize("proposing", [False, True])
def test_a_listener_that_began_anew_goes_on_with_the_match(proposing: bool) -> None:
    """The proposal names the deal before, which is looked up; crossing or not."""
    pair = forgetful(proposing=proposing)
    pair.held = [True, True]
    pair.command(0, Propose())
    pair.held = [False, False]
    pair.pump()
    for player in pair.players:
        match = log_of(player).genesis.match
        assert (match.deal_number, match.target) == (2, 3)
        assert not player.of(SessionFailed)


@pytest.mark.parametrize("proposing", [False, True])
@pytest.mark.parametrize("what", ["first deal", "unknown match", "other role", "bytes"])
def test_a_listener_hears_no_other_proposal(what: str, proposing: bool) -> None:
    """Without a match both know that the dialler leads it is the listener's: 104."""
    pair = forgetful(proposing=proposing)
    good = bent_next_deal(pair)
    to = 0 if what == "other role" else 1
    match what:
        case "first deal":
            data = encode_genesis(replace(good, match=Match(1, 3)))
        case "unknown match":
            data = encode_genesis(bent_next_deal(pair, previous=bytes(32)))
        case "other role":
            pair.players[to].options["previous"] = None
            pair.connect(dialler=1)
            data = encode_genesis(replace(good, keys=good.keys[::-1]))
        case _:
            data = b"\xc0"
    pair.inject(to, wire.ProposeMessage(data))
    pair.deliver(to)
    assert code_of(pair.players[to]) == 104


def test_a_void_proposal_is_counted() -> None:
    """The dialler ignores it; a flood of them is 105."""
    pair = crossed()
    message = pair.players[1].sent[-1]
    pair.wire_clear(1)
    for _ in range(201):
        pair.inject(0, message)
    while pair.deliver(0):
        pass
    assert code_of(pair.players[0]) == 105


def test_proposals_of_the_listener_do_not_cross() -> None:
    """Who is role 0 and listens hears no PROPOSE while his own is out: 104."""
    pair = play_pair("russian-bank", target=3)
    act(pair, 1, RESIGN)
    pair.players[1].person = nobody
    pair.command(0, Propose())
    pair.inject(0, pair.players[0].sent[-1])
    pair.deliver(0)
    assert code_of(pair.players[0]) == 104
