"""The login as people meet it: cards, known keys, pins, invites, refusals."""

from __future__ import annotations

import pytest

from crapette_p2p.errors import LocalProtocolError
from crapette_p2p.session import messages as wire
from crapette_p2p.session.commands import (
    AcceptPlayer,
    AcceptTerms,
    Confirm,
    RefusePlayer,
)
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.session.notices import (
    CardsToCompare,
    GameResumed,
    LobbyOpened,
    PeerKnown,
    SessionFailed,
    TermsProposed,
    WaitingForPeer,
)
from crapette_p2p.session.states import State
from tests.helpers.coming_back import played, restart
from tests.helpers.keys import key_of
from tests.helpers.pair import Pair, Player, make_player, terms
from tests.helpers.stranger import TOKEN, Dialler, code_of, nobody, said_by_peer


def test_two_strangers_see_the_same_cards_and_sit_down() -> None:
    """Both screens show the same four cards; READY 0 follows the person's yes."""
    pair = Pair()
    for player in pair.players:
        player.person = nobody
    pair.connect()
    shown = [player.of(CardsToCompare)[0] for player in pair.players]
    assert isinstance(shown[0], CardsToCompare)
    assert isinstance(shown[1], CardsToCompare)
    assert shown[0].cards == shown[1].cards
    assert shown[0].peer.nick == "Olek"
    assert shown[1].peer.nick == "Ala"
    assert [p.live.state for p in pair.players] == [State.WAIT_HUMAN, State.READY]
    assert pair.players[1].of(WaitingForPeer)
    pair.command(0, Confirm(same=True))
    pair.pump()
    assert [p.live.state for p in pair.players] == [State.LOBBY, State.LOBBY]
    pair.command(1, Confirm(same=True, remember=False))
    known = [player.of(PeerKnown)[0] for player in pair.players]
    assert isinstance(known[0], PeerKnown)
    assert isinstance(known[1], PeerKnown)
    assert known[0].peer.verified == known[1].peer.verified == "sas"
    assert known[0].remember
    assert not known[1].remember


def test_terms_wait_for_a_dialler_who_still_compares_cards() -> None:
    """No deal is agreed before the dialler's person has accepted the key."""
    pair = Pair()
    pair.players[0].options["terms"] = terms()
    pair.players[1].person = nobody
    pair.connect()
    assert not pair.players[1].of(TermsProposed)
    assert not pair.attempt(1, AcceptTerms())
    pair.command(1, AcceptPlayer())
    assert pair.players[1].of(TermsProposed)
    peer = pair.players[1].live.peer
    assert peer is not None
    assert peer.verified == "none"
    pair.command(1, AcceptTerms())
    pair.pump()
    assert pair.players[0].live.state is State.PLAY


@pytest.mark.parametrize("side", [0, 1])
def test_different_cards_end_the_link_with_201(side: int) -> None:
    """Whoever sees other cards disconnects; nothing was agreed."""
    pair = Pair()
    for player in pair.players:
        player.person = nobody
    pair.connect()
    pair.command(side, Confirm(same=False))
    pair.pump()
    assert code_of(pair.players[side]) == 201
    assert said_by_peer(pair.players[1 - side]) == 201
    for index, player in enumerate(pair.players):
        failed = player.of(SessionFailed)[-1]
        assert isinstance(failed, SessionFailed)
        assert failed.cards is (index == side)


def test_a_refused_player_hears_206() -> None:
    """The listener's person says no: READY 2, then BYE 206 (P20)."""
    pair = Pair()
    pair.players[0].person = nobody
    pair.connect()
    pair.command(0, RefusePlayer())
    pair.pump()
    assert [m for m in pair.players[0].sent if isinstance(m, wire.Ready)][-1] == (
        wire.Ready("Ala", 2)
    )
    assert said_by_peer(pair.players[1]) == 206
    assert pair.players[1].live.state is State.CLOSED


def test_a_question_is_answered_once() -> None:
    """Without a question there is nothing to confirm."""
    pair = Pair()
    pair.connect()
    for command in (Confirm(same=True), AcceptPlayer(), RefusePlayer()):
        with pytest.raises(LocalProtocolError):
            pair.command(0, command)


def test_remembered_keys_are_not_asked_about() -> None:
    """Both know each other: no cards, no question, straight to the lobby."""
    pair = Pair()
    for player in pair.players:
        player.options["known"] = lambda _key: "sas"
        player.person = nobody
    pair.connect()
    for player in pair.players:
        assert not player.of(CardsToCompare)
        assert player.of(LobbyOpened)
        assert player.live.peer is not None
        assert player.live.peer.verified == "sas"


def test_a_known_nick_with_a_new_key_is_a_warning() -> None:
    """A16: the four cards again, with the warning; nothing is replaced."""
    pair = Pair()
    pair.players[0].options["namesake"] = lambda nick, _key: nick == "Olek"
    pair.players[0].person = nobody
    pair.connect()
    (shown,) = pair.players[0].of(CardsToCompare)
    assert isinstance(shown, CardsToCompare)
    assert shown.namesake


def test_a_dialler_shows_nothing_before_the_listener_proved_its_key() -> None:
    """A1: with a wrong pin 202 comes before AUTH; the own key was never sent."""
    pair = Pair()
    pair.players[1].options["expected"] = fingerprint(key_of("Eve").public)
    pair.connect()
    assert code_of(pair.players[1]) == 202
    assert said_by_peer(pair.players[0]) == 202
    assert not any(isinstance(m, wire.Auth) for m in pair.players[1].sent)
    key = pair.players[1].key.public
    assert not any(key in wire.encode_message(m) for m in pair.players[1].sent)


@pytest.mark.parametrize("whole", [True, False])
def test_the_pinned_key_is_accepted_without_cards(whole: bool) -> None:
    """An expected key verifies itself, given whole or as a fingerprint."""
    pair = Pair()
    key = pair.players[0].key.public
    pair.players[1].options["expected"] = key if whole else fingerprint(key)
    pair.connect()
    (known,) = pair.players[1].of(PeerKnown)
    assert isinstance(known, PeerKnown)
    assert known.peer.verified == "pin"
    assert not pair.players[1].of(CardsToCompare)


def test_a_listener_refuses_another_key_than_the_pinned_one() -> None:
    """The pin works from the listener's side too."""
    pair = Pair()
    pair.players[0].options["expected"] = key_of("Eve").public
    pair.connect()
    assert code_of(pair.players[0]) == 202


def test_a_fitting_invite_seats_without_cards() -> None:
    """The token's pass and the pinned fingerprint verify both sides."""
    pair = Pair()
    ala, olek = pair.players
    ala.options |= {"invite": TOKEN, "invite_given": True, "invite_only": True}
    olek.options |= {"token": TOKEN, "expected": fingerprint(ala.key.public)}
    pair.connect()
    for player in pair.players:
        (known,) = player.of(PeerKnown)
        assert isinstance(known, PeerKnown)
        assert known.peer.verified == "invite"
        assert player.live.state is State.LOBBY


@pytest.mark.parametrize(
    ("listener", "token"),
    [
        ({"invite": TOKEN, "invite_given": True}, b"another tk"),
        ({"invite": None, "invite_given": True}, TOKEN),
        ({"invite": TOKEN, "invite_given": True, "invite_only": True}, None),
    ],
)
def test_a_wrong_used_or_missing_invite_is_207(
    listener: dict[str, object], token: bytes | None
) -> None:
    """A11: wrong, no longer valid, or required and not there."""
    stranger = Dialler(make_player("Ala"))
    stranger = Dialler(_with(make_player("Ala"), listener))
    stranger.greet()
    stranger.say(stranger.auth(token=token))
    assert code_of(stranger.listener) == 207


def _with(player: Player, options: dict[str, object]) -> Player:
    player.options |= options
    return player


def test_a_passnobody_asked_for_is_ignored() -> None:
    """P20: without an invite given out the pass says nothing."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    stranger.say(stranger.auth(token=TOKEN))
    assert stranger.listener.live.state is State.WAIT_HUMAN


@pytest.mark.parametrize("nick", ["CON", "Zoë", "Иван", "O'Neil", "a.b_c-d", "7"])
def test_an_ordinary_nick_is_welcome(nick: str) -> None:
    """Letters of any script, digits and a few signs; file names never use it."""
    stranger = Dialler(make_player("Ala"))
    stranger.greet()
    stranger.say(stranger.auth(nick))
    assert stranger.listener.live.state is State.WAIT_HUMAN


def test_an_own_nicknobody_would_accept_is_refused_at_once() -> None:
    """The mistake is ours, so it is told before any link."""
    with pytest.raises(LocalProtocolError):
        Pair(make_player("Ala "), make_player("Olek")).join()


@pytest.mark.parametrize("code", [205, 206])
def test_the_table_can_be_taken(code: int) -> None:
    """A13: the owner's policy sends a proven key away with its code."""
    pair = Pair()
    pair.players[0].options["admit"] = lambda _key: code
    pair.connect()
    assert said_by_peer(pair.players[1]) == code
    assert code_of(pair.players[0]) == code


def test_a_game_that_goes_on_does_not_come_over_the_question() -> None:
    """Nothing of it is told before the person has said who the peer is."""
    pair = played()
    restart(pair, 1)
    dialler = pair.players[1]
    dialler.options |= {"game": None, "previous": None}
    dialler.person = nobody
    dialler.notices.clear()
    pair.connect()
    assert dialler.live.state is State.PLAY
    assert [type(n) for n in dialler.notices] == [CardsToCompare]
    pair.command(1, Confirm(same=True))
    assert [type(n) for n in dialler.notices[1:]] == [PeerKnown, GameResumed]
