"""Keys that change and friends who stay: closed where a key was expected, else cards.

Each test meets a table first and then finds something else in its place.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crapette_p2p.net.address import Address, Invite
from crapette_p2p.net.failures import Exit, Failure, NetError
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.peers import KnownPeer
from crapette_p2p.net.player import Player
from crapette_p2p.session.commands import Confirm
from crapette_p2p.session.keys import fingerprint, format_fingerprint
from crapette_p2p.session.notices import CardsToCompare, PeerKnown
from crapette_p2p.ui.wording import explain
from tests.net.fasttime import fast
from tests.net.tables import host_options, join_options, make_player, where


def friend(player: Player, key: bytes, name: str = "Ala") -> None:
    """``player`` knows ``key`` by four cards."""
    met = KnownPeer(key=key, petname=name, nick="Ala", verified="sas")
    player.peers.remember(met)


async def refused(
    player: Player, target: Address | Invite, **changes: object
) -> Failure:
    """Why ``target`` is not reached."""
    with pytest.raises(NetError) as error:
        async with join(target, join_options(player, **changes)):
            pass
    return error.value.failure


def shown(key: bytes) -> str:
    """A key as people see it."""
    return format_fingerprint(fingerprint(key))


@fast
async def test_a_friends_key_has_changed(tmp_path: Path) -> None:
    """Joining a friend by name fails closed, and says both keys and what to do."""
    olek, ala = make_player(tmp_path, "Olek"), make_player(tmp_path, "Ala")
    old = bytes(range(32))
    friend(olek, old, "My sister")
    async with host(host_options(ala)) as hosting:
        failure = await refused(olek, where(hosting), expected=old)
        assert not hosting.table.taken
    assert (failure.code, failure.status) == ("key-changed", Exit.IDENTITY)
    told = explain(failure.code, failure.facts)
    new = ala.identity.public
    for part in ("My sister", shown(old), shown(new), "Nothing was sent"):
        assert part in told.sentence
    assert told.hint.endswith("crapette peers forget 'My sister'")
    assert olek.peers.get(new) is None
    assert [peer.key for peer in olek.peers.all()] == [old]


@fast
async def test_an_invite_whose_host_is_another(tmp_path: Path) -> None:
    """A pinned fingerprint is told from a friend's by whether we know it."""
    olek, ala = make_player(tmp_path, "Olek"), make_player(tmp_path, "Ala")
    old = bytes(range(32))
    async with host(host_options(ala)) as hosting:
        invite = Invite((where(hosting),), fingerprint(old), b"\x03" * 10)
        stranger = await refused(olek, invite)
        friend(olek, old)
        known = await refused(olek, invite)
    assert (stranger.code, known.code) == ("other-key", "key-changed")
    assert stranger.facts["key"] == known.facts["key"] == shown(ala.identity.public)
    assert known.facts["expected"] == shown(old)


@fast
async def test_a_damaged_book_is_no_excuse(tmp_path: Path) -> None:
    """Whose key it was may be lost; that it is another one is not."""
    olek, ala = make_player(tmp_path, "Olek"), make_player(tmp_path, "Ala")
    olek.peers.path.write_text("not toml")
    async with host(host_options(ala)) as hosting:
        failure = await refused(olek, where(hosting), expected=bytes(range(32)))
    assert (failure.code, failure.status) == ("other-key", Exit.IDENTITY)


@fast
async def test_a_friends_name_with_another_key(tmp_path: Path) -> None:
    """Where no key was expected: a warning and four cards, and nothing is replaced."""
    olek, ala = make_player(tmp_path, "Olek"), make_player(tmp_path, "Ala")
    old = bytes(range(32))
    friend(olek, old)
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as table,
    ):
        cards = await table.next_notice()
        while not isinstance(cards, CardsToCompare):
            cards = await table.next_notice()
        assert cards.namesake
        assert [peer.key for peer in olek.peers.all()] == [old]
        table.command(Confirm(same=True, remember=True))
        notice = await table.next_notice()
        while not isinstance(notice, PeerKnown):
            notice = await table.next_notice()
    names = {peer.key: peer.petname for peer in olek.peers.all()}
    assert names == {old: "Ala", ala.identity.public: "Ala 2"}


@fast
async def test_a_friend_is_recognised_by_key_alone(tmp_path: Path) -> None:
    """Another name and another address: the same key needs no cards."""
    olek, ala = make_player(tmp_path, "Olek"), make_player(tmp_path, "Ala")
    friend(olek, ala.identity.public, "My sister")
    friend(ala, olek.identity.public, "Brother")
    async with (
        asyncio.timeout(60),
        host(host_options(ala, accept_unverified=False)) as hosting,
        join(where(hosting), join_options(olek)) as table,
    ):
        notice = await table.next_notice()
        while not isinstance(notice, PeerKnown):
            assert not isinstance(notice, CardsToCompare)
            notice = await table.next_notice()
        assert notice.peer.verified == "sas"
        await hosting.seated()
    assert {peer.petname for peer in olek.peers.all()} == {"My sister"}
