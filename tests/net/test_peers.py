"""The known peers: keyed by key, changed whole, never replaced silently."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.net.failures import NetError, StorageError
from crapette_p2p.net.peers import KnownPeer, PeerBook, addresses_of, clean_petname
from tests.net.faults import FailingDisk

KEY = bytes(range(32))
OLEK = KnownPeer(
    key=KEY,
    petname="Olek",
    nick="Olek",
    verified="sas",
    first_seen=100,
    last_seen=100,
    addresses=("192.168.1.23:4747",),
)


@pytest.fixture
def book(tmp_path: Path) -> PeerBook:
    """An empty book."""
    return PeerBook(tmp_path / "data" / "peers.toml")


def test_an_empty_book(book: PeerBook) -> None:
    """Nobody is known before anybody was met."""
    assert book.all() == ()
    assert book.get(KEY) is None


def test_remembered_there_and_back(book: PeerBook) -> None:
    """Every field is read as it was stored, in a file of 0600."""
    assert book.remember(OLEK) == OLEK
    assert PeerBook(book.path).get(KEY) == OLEK
    assert book.named(" OLEK ") == OLEK
    assert book.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "name", ['Q"uo\\te', "Zoë", "Ольга", "a=b # c", "[peer]", "x" * 60, "\x7fdel\x1b["]
)
def test_names_of_all_kinds(book: PeerBook, name: str) -> None:
    """No name breaks the file or carries a control character into it."""
    stored = book.remember(replace(OLEK, petname=name, nick='q\x7f\n"'))
    assert book.get(KEY) == stored
    assert stored.petname == clean_petname(name)
    assert stored.petname.isprintable()


def test_meeting_again_keeps_what_is_ours(book: PeerBook) -> None:
    """Petname, first meeting and the stronger check stay; the rest is renewed."""
    book.remember(OLEK)
    book.rename("olek", "My brother")
    again = replace(
        OLEK, nick="Aleks", verified="none", last_seen=900, addresses=("[::1]:5",)
    )
    met = book.remember(again)
    assert met == replace(
        OLEK,
        petname="My brother",
        nick="Aleks",
        last_seen=900,
        addresses=("[::1]:5", "192.168.1.23:4747"),
    )
    assert [a.host for a in addresses_of(met)] == ["::1", "192.168.1.23"]


def test_same_nick_with_a_new_key(book: PeerBook) -> None:
    """A namesake is reported; remembering it leaves the old entry as it was."""
    book.remember(OLEK)
    other = bytes(32)
    assert book.namesake("olek", other) == OLEK
    assert book.namesake("Olek", KEY) is None
    stored = book.remember(replace(OLEK, key=other))
    assert stored.petname == "Olek 2"
    assert book.get(KEY) == OLEK


def test_rename_and_forget(book: PeerBook) -> None:
    """Petnames stay unique, and a forgotten key is a stranger again."""
    book.remember(OLEK)
    book.remember(replace(OLEK, key=bytes(32), petname="Ala"))
    with pytest.raises(NetError) as error:
        book.rename("Ala", "OLEK")
    assert error.value.failure.code == "petname-taken"
    with pytest.raises(NetError) as error:
        book.rename("Ala", " \n")
    assert error.value.failure.code == "bad-petname"
    with pytest.raises(NetError) as error:
        book.forget("Nobody")
    assert error.value.failure.code == "unknown-peer"
    assert book.forget("olek") == OLEK
    assert book.get(KEY) is None


def test_two_writers_lose_nothing(book: PeerBook) -> None:
    """Entries stored at the same time are all there afterwards."""

    def store(first: int) -> None:
        mine = PeerBook(book.path)
        for number in range(first, first + 8):
            key = bytes([number]) * 32
            mine.remember(replace(OLEK, key=key, petname=f"peer {number}"))

    threads = [threading.Thread(target=store, args=(n * 10,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(book.all()) == 24


@pytest.mark.parametrize(
    "text",
    [
        "peer = 3",
        "[[peer]]\nname = 'x'",
        "[[peer]]\nname='x'\nkey='00'",
        "[[peer]]\nname='x'\nkey='zz'",
        "not toml",
        "[[peer]]\nname='x'\nkey='" + "00" * 32 + "'\nverified='very'",
    ],
)
def test_a_damaged_file_is_refused_not_overwritten(book: PeerBook, text: str) -> None:
    """Trust is not rebuilt from ruins: the file is named and left alone."""
    book.path.parent.mkdir()
    book.path.write_text(text)
    with pytest.raises(StorageError) as error:
        book.all()
    assert error.value.failure.code == "peers-damaged"
    with pytest.raises(StorageError):
        book.remember(OLEK)
    assert book.path.read_text() == text


@pytest.mark.parametrize("call", ["write", "sync"])
def test_a_failing_disk_keeps_the_old_book(book: PeerBook, call: str) -> None:
    """If the new file cannot be written the old one is still whole."""
    book.remember(OLEK)
    broken = PeerBook(book.path, FailingDisk(call, 0))
    with pytest.raises(StorageError) as error:
        broken.remember(replace(OLEK, key=bytes(32)))
    assert error.value.failure.code == "cannot-write"
    assert PeerBook(book.path).all() == (OLEK,)
