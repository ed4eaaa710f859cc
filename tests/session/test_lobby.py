"""Proposing, accepting, declining: whose terms are refused with which code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.actions import RESIGN
from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.gamelog.genesis import Genesis, Match, encode_genesis
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import (
    AcceptTerms,
    Act,
    DeclineTerms,
    Leave,
    Propose,
    SayChat,
)
from crapette_p2p.session.lobby import is_match_over, score_after
from crapette_p2p.session.notices import (
    LobbyOpened,
    PeerLeft,
    SessionFailed,
    TermsProposed,
)
from crapette_p2p.session.states import State
from tests.helpers.driving import act, log_of, state_of
from tests.helpers.forging import records_of
from tests.helpers.keys import key_of
from tests.helpers.pair import Pair, Player, play_pair, terms
from tests.helpers.stranger import nobody


def lobby(*, answering: bool = True) -> Pair:
    """Two players in the lobby; the second may answer by himself."""
    pair = Pair()
    pair.connect()
    if not answering:
        pair.players[1].person = nobody
    return pair


def proposal(pair: Pair, **changes: object) -> Genesis:
    """A good proposal of player 0, bent."""
    left, right = pair.players
    genesis = Genesis(
        preset="crapette",
        rules=terms().rules,
        k=2,
        keys=(left.key.public, right.key.public),
        nicks=(left.name, right.name),
        nonces=(bytes(32), None),
        unix_time=1,
    )
    return replace(genesis, **changes)  # type: ignore[arg-type] # fields by name


def offer(pair: Pair, **changes: object) -> None:
    """The bent proposal arrives at player 1."""
    genesis = proposal(pair, **changes)
    pair.inject(1, wire.ProposeMessage(encode_genesis(genesis)))
    pair.deliver(1)


def code_of(player: Player) -> int:
    """What a session failed with."""
    (failed,) = player.of(SessionFailed)
    assert isinstance(failed, SessionFailed)
    return failed.code


def test_the_lobby_says_who_proposes() -> None:
    """P11: role 0 of a first deal is the listener of the link."""
    pair = lobby()
    assert pair.players[0].of(LobbyOpened) == [LobbyOpened(proposes=True)]
    assert pair.players[1].of(LobbyOpened) == [LobbyOpened(proposes=False)]
    with pytest.raises(LocalProtocolError):
        pair.command(1, Propose(terms()))


def test_the_terms_are_shown_before_anything_is_signed() -> None:
    """Rules, K and match reach the person; nothing is on the disk yet."""
    pair = lobby(answering=False)
    pair.command(0, Propose(terms("garibaldka", target=3)))
    pair.pump()
    (shown,) = pair.players[1].of(TermsProposed)
    assert isinstance(shown, TermsProposed)
    assert shown.genesis.preset == "garibaldka"
    assert shown.genesis.match == Match(1, 3)
    assert not pair.players[0].disk.logs
    assert not pair.players[1].disk.logs
    assert [p.live.state for p in pair.players] == [State.PROPOSED, State.PROPOSED]


def test_each_role_records_the_genesis_before_it_signs() -> None:
    """P6: role 1 with an empty place before ACCEPT and again at START; role 0 once."""
    pair = lobby()
    pair.command(0, Propose(terms()))
    pair.pump()
    (single,) = records_of(pair.players[0], RecordKind.GENESIS)
    accepted, started = records_of(pair.players[1], RecordKind.GENESIS)
    assert accepted[1] is None
    assert accepted[2] == single[2]
    assert started == single


@pytest.mark.parametrize("code", [206, 300, 301])
def test_declining_closes_the_link_with_its_code(code: int) -> None:
    """P6: BYE 300, 301 or 206; nothing was recorded."""
    pair = lobby(answering=False)
    pair.command(0, Propose(terms()))
    pair.pump()
    pair.command(1, DeclineTerms(code))
    pair.pump()
    heard = [
        n.code
        for n in pair.players[0].notices
        if isinstance(n, PeerLeft | SessionFailed)
    ]
    assert heard == [code]
    assert not pair.players[1].disk.logs
    assert [p.live.state for p in pair.players] == [State.CLOSED, State.CLOSED]


EVE = key_of("Eve").public


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"nonces": (bytes(32), bytes(32))}, 301),
        ({"nicks": ("Ala", "Eve")}, 301),
        ({"nicks": ("Eve", "Olek")}, 301),
        ({"k": 1}, 301),
        ({"k": 129}, 301),
        ({"match": Match(1, 0)}, 301),
        ({"match": Match(2, 1, (1, 0), bytes(32))}, 301),
        ({"match": Match(0, 1)}, 301),
    ],
)
def test_terms_that_are_refused(changes: dict[str, object], code: int) -> None:
    """D10, P20: K, nicks, nonces and match have to be what they can be."""
    pair = lobby()
    offer(pair, **changes)
    assert code_of(pair.players[1]) == code


def test_other_keys_than_those_of_the_login_are_301() -> None:
    """P20: roles and keys of the genesis are those of the link."""
    for keys in ((0, 1), (1, 0), (1, 1)):
        pair = lobby()
        offer(pair, keys=tuple(pair.players[i].key.public for i in keys))
        if keys == (0, 1):
            assert pair.players[1].of(TermsProposed)
        else:
            assert code_of(pair.players[1]) == 301
    pair = lobby()
    offer(pair, keys=(EVE, pair.players[1].key.public))
    assert code_of(pair.players[1]) == 301


def test_a_small_k_is_refused_by_who_wants_more() -> None:
    """P20: role 1 may refuse a K below its own minimum with 301."""
    pair = Pair()
    pair.players[1].options["min_candidates"] = 16
    pair.connect()
    pair.command(0, Propose(terms(k=15)))
    pair.pump()
    assert code_of(pair.players[1]) == 301


def test_a_rule_set_with_another_hash_is_300() -> None:
    """R5: no commitment is made under rules that do not fit their hash."""
    pair = lobby()
    data = bytearray(encode_genesis(proposal(pair)))
    at = data.index(b"\xdc\x00\x11\x0d") + 4  # the first switch after the length
    data[at] ^= 1
    pair.inject(1, wire.ProposeMessage(bytes(data)))
    pair.deliver(1)
    assert code_of(pair.players[1]) == 300


@pytest.mark.parametrize(("data", "code"), [(b"\xcd\x00\x01", 101), (b"\x90", 103)])
def test_bytes_that_are_no_genesis(data: bytes, code: int) -> None:
    """Not canonical, or no array of fifteen."""
    pair = lobby()
    pair.inject(1, wire.ProposeMessage(data))
    pair.deliver(1)
    assert code_of(pair.players[1]) == code


@pytest.mark.parametrize("what", ["accept", "start"])
def test_a_wrong_signature_under_the_game_id_is_403(what: str) -> None:
    """ACCEPT and START are signatures of this very game."""
    pair = lobby(answering=False)
    pair.command(0, Propose(terms()))
    pair.pump()
    if what == "accept":
        pair.inject(0, wire.Accept(bytes(32), bytes(64)))
        pair.deliver(0)
        assert code_of(pair.players[0]) == 403
        assert not pair.players[0].disk.logs
    else:
        pair.command(1, AcceptTerms())
        pair.inject(1, wire.Start(bytes(64)))
        pair.deliver(1)
        assert code_of(pair.players[1]) == 403
        assert not pair.players[1].kept()[0].started


def test_what_role_1_may_not_say_and_role_0_may_not_hear() -> None:
    """4.8: PROPOSE at role 0, ACCEPT or START that nobody waits for: 104."""
    for message in (
        wire.ProposeMessage(encode_genesis(proposal(lobby()))),
        wire.Accept(bytes(32), bytes(64)),
        wire.Start(bytes(64)),
    ):
        pair = lobby()
        pair.inject(0, message)
        pair.deliver(0)
        assert code_of(pair.players[0]) == 104


def test_a_second_proposal_is_104() -> None:
    """One proposal at a time."""
    pair = lobby(answering=False)
    pair.command(0, Propose(terms()))
    pair.pump()
    pair.inject(1, wire.ProposeMessage(encode_genesis(proposal(pair))))
    pair.deliver(1)
    assert code_of(pair.players[1]) == 104
    with pytest.raises(LocalProtocolError):
        pair.command(0, Propose(terms()))


def bent_next_deal(pair: Pair, **changes: object) -> Genesis:
    """The next deal of the match both have just played, bent."""
    state = state_of(pair.players[0])
    rules = changes.pop("rules", state.genesis.rules)
    match = Match(2, 3, score_after(state), state.game_id)
    match = replace(match, **changes)  # type: ignore[arg-type] # fields by name
    return proposal(pair, preset="russian-bank", match=match, rules=rules)


@pytest.mark.parametrize(
    "changes",
    [
        {"deal_number": 3},
        {"target": 4},
        {"scores": (2, 0)},
        {"previous": bytes(32)},
        {"rules": terms("garibaldka").rules},
    ],
)
def test_a_next_deal_has_to_follow_from_the_one_before(
    changes: dict[str, object],
) -> None:
    """P20: same roles, rules and target; scores are its scores plus points."""
    pair = play_pair("russian-bank", target=3)
    act(pair, 1, RESIGN)
    assert not is_match_over(state_of(pair.players[0]))
    good = encode_genesis(bent_next_deal(pair))
    bad = encode_genesis(bent_next_deal(pair, **changes))
    pair.inject(1, wire.ProposeMessage(bad))
    pair.deliver(1)
    assert code_of(pair.players[1]) == 301
    assert good != bad


def test_the_good_next_deal_is_shown() -> None:
    """The helper above makes a proposal that passes when nothing is bent."""
    pair = play_pair("russian-bank", target=3)
    act(pair, 1, RESIGN)
    pair.players[1].person = nobody
    pair.inject(1, wire.ProposeMessage(encode_genesis(bent_next_deal(pair))))
    pair.deliver(1)
    assert len(pair.players[1].of(TermsProposed)) == 2


def test_only_role_0_of_the_match_proposes_its_next_deal() -> None:
    """P11: the listener who is role 1 waits, whoever dialled."""
    pair = play_pair("russian-bank", target=3)
    act(pair, 1, RESIGN)
    with pytest.raises(LocalProtocolError):
        pair.command(1, Propose())
    pair.connect(dialler=0)
    with pytest.raises(LocalProtocolError):
        pair.command(1, Propose())


def test_the_listener_may_begin_a_new_match_instead() -> None:
    """A first deal during a match is proposed by the listener, with new terms."""
    pair = play_pair("russian-bank", target=3)
    act(pair, 1, RESIGN)
    pair.command(0, Propose(terms("garibaldka")))
    pair.pump()
    match = log_of(pair.players[1]).genesis.match
    assert (match.deal_number, match.previous) == (1, None)


def test_commands_are_refused_where_they_make_no_sense() -> None:
    """A refused command raises and changes nothing."""
    pair = lobby()
    before = [p.live.state for p in pair.players]
    for command in (AcceptTerms(), DeclineTerms(), Act(RESIGN), Propose()):
        with pytest.raises(LocalProtocolError):
            pair.command(1, command)
    assert [p.live.state for p in pair.players] == before


def test_leaving_is_a_farewell_and_keeps_the_game() -> None:
    """BYE 501: the other is told, both are suspended, both can come back."""
    pair = play_pair("russian-bank")
    pair.command(0, SayChat("bye"))
    pair.command(0, Leave())
    pair.pump()
    assert pair.players[1].of(PeerLeft) == [PeerLeft(501, "")]
    assert [p.live.state for p in pair.players] == [State.SUSPENDED, State.SUSPENDED]
    with pytest.raises(LocalProtocolError):
        pair.command(0, SayChat("?"))
    pair.connect()
    assert [p.live.state for p in pair.players] == [State.PLAY, State.PLAY]


def test_after_the_last_deal_leaving_closes() -> None:
    """BYE 502 from the lobby: nothing is open any more."""
    pair = play_pair("russian-bank")
    act(pair, 0, RESIGN)
    pair.command(1, Leave(502))
    pair.pump()
    assert pair.players[0].of(PeerLeft) == [PeerLeft(502, "")]
    assert [p.live.state for p in pair.players] == [State.CLOSED, State.CLOSED]
