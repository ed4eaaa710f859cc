"""The people this player has met: ``peers.toml``, keyed by their public key.

Theory of operation. The key is the person; the petname is ours and unique; the
nick is only what the person last called himself. Nothing is stored at first
contact before the player said so. A known nick under an unknown key is nobody we
know: the old entry stays as it is, and the new one, once confirmed, gets a
petname of its own (``Olek 2``). Where a key was expected (a peer's name, an
invite, ``--expect-key``) another key fails in the session with 202.

Every change reads the file under a lock, changes it and replaces it whole, so
that two processes of one player never lose each other's entries.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from crapette_p2p.net.address import Address, AddressError, parse_address
from crapette_p2p.net.failures import (
    Exit,
    Failure,
    NetError,
    StorageError,
    storage_error,
)
from crapette_p2p.net.files import (
    REAL_DISK,
    Disk,
    locked,
    read_small,
    replace_file,
)
from crapette_p2p.net.toml import parse_toml
from crapette_p2p.session.keys import fingerprint, is_expected

HOW_VERIFIED: Final = ("none", "sas", "invite")
"""Weakest first: nobody compared anything, four cards, an invite."""
MAX_ADDRESSES: Final = 8
MAX_PETNAME: Final = 40
_HEADER: Final = (
    "# The players this computer knows, by their key (crapette peers).\n"
    "# Names are yours to change; a key that changes is another player.\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPeer:
    """One person we remember."""

    key: bytes
    """Ed25519 public key, 32 bytes."""
    petname: str
    """Our own name for the person, unique."""
    nick: str = ""
    """What the person called himself last."""
    verified: str = "none"
    """How the key was checked: none, sas (four cards) or invite."""
    first_seen: int = 0
    """Unix time of the first meeting."""
    last_seen: int = 0
    """Unix time of the last one."""
    addresses: tuple[str, ...] = ()
    """Where the person was reached, newest first."""


class PeerBook:
    """``peers.toml`` of one player."""

    def __init__(self, path: Path, disk: Disk = REAL_DISK) -> None:
        self.path = path
        self._disk = disk

    def all(self) -> tuple[KnownPeer, ...]:
        """Everybody, by petname."""
        peers = _parse(self.path, read_small(self.path))
        return tuple(sorted(peers, key=lambda peer: _folded(peer.petname)))

    def readable(self) -> tuple[KnownPeer, ...]:
        """Everybody; nobody where a damaged book is no reason to stop."""
        try:
            return self.all()
        except StorageError:
            return ()

    def get(self, key: bytes) -> KnownPeer | None:
        """Whoever has this key."""
        return next((peer for peer in self.all() if peer.key == key), None)

    def pinned(self, expected: bytes) -> KnownPeer | None:
        """Whoever has this key, given whole or by its fingerprint."""
        found = (peer for peer in self.all() if is_expected(peer.key, expected))
        return next(found, None)

    def named(self, text: str) -> KnownPeer | None:
        """Whoever we call ``text``, in any case."""
        wanted = _folded(text)
        return next((p for p in self.all() if _folded(p.petname) == wanted), None)

    def namesake(self, nick: str, key: bytes) -> KnownPeer | None:
        """A known person who goes by ``nick`` under another key than ``key``."""
        wanted = _folded(nick)
        for peer in self.all():
            names = {_folded(peer.petname), _folded(peer.nick)}
            if peer.key != key and wanted in names:
                return peer
        return None

    def remember(self, peer: KnownPeer) -> KnownPeer:
        """Store a person met now, or bring the entry up to date.

        The petname, the first meeting and the stronger check of an entry that
        exists are kept; a new entry's petname is made unique.
        """
        with self._changing() as book:
            known = book.get(peer.key)
            if known is None:
                peer = replace(peer, petname=_unique(peer.petname, book.values()))
            else:
                peer = _merged(known, peer)
            book[peer.key] = peer
        return peer

    def rename(self, old: str, new: str) -> KnownPeer:
        """Give a person another petname; refuse one that is taken or unusable."""
        petname = clean_petname(new)
        if not petname:
            raise _peer_error("bad-petname", new)
        with self._changing() as book:
            peer = _found(book.values(), old)
            taken = any(
                _folded(other.petname) == _folded(petname)
                for other in book.values()
                if other.key != peer.key
            )
            if taken:
                raise _peer_error("petname-taken", petname)
            book[peer.key] = replace(peer, petname=petname)
            return book[peer.key]

    def forget(self, name: str) -> KnownPeer:
        """Drop a person; meeting the key again is a first meeting."""
        with self._changing() as book:
            return book.pop(_found(book.values(), name).key)

    @contextmanager
    def _changing(self) -> Iterator[dict[bytes, KnownPeer]]:
        """Let the body change the entries, and write them unless it raised."""
        with locked(self.path):
            book = {peer.key: peer for peer in self.all()}
            yield book
            replace_file(self.path, _format(book.values()).encode(), self._disk)


def by_fingerprint(peers: Iterable[KnownPeer]) -> dict[bytes, KnownPeer]:
    """``peers`` by what an invite or an announcement names their keys with."""
    return {fingerprint(peer.key): peer for peer in peers}


def clean_petname(text: str) -> str:
    """``text`` as a petname: one line, printable, not too long; may be empty."""
    plain = unicodedata.normalize("NFC", " ".join(text.split()))
    kept = "".join(
        c for c in plain if unicodedata.category(c)[0] not in "CZ" or c == " "
    )
    return kept[:MAX_PETNAME].strip()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip()).casefold()


def _unique(wanted: str, peers: Iterable[KnownPeer]) -> str:
    petname = clean_petname(wanted) or "peer"
    taken = {_folded(peer.petname) for peer in peers}
    number, candidate = 1, petname
    while _folded(candidate) in taken:
        number += 1
        candidate = f"{petname[: MAX_PETNAME - 5]} {number}"
    return candidate


def _merged(known: KnownPeer, met: KnownPeer) -> KnownPeer:
    strength = max(known.verified, met.verified, key=HOW_VERIFIED.index)
    places = tuple(dict.fromkeys((*met.addresses, *known.addresses)))
    return replace(
        known,
        nick=met.nick or known.nick,
        verified=strength,
        last_seen=max(known.last_seen, met.last_seen),
        addresses=places[:MAX_ADDRESSES],
    )


def _found(peers: Iterable[KnownPeer], text: str) -> KnownPeer:
    """By petname, or by the whole key in hex."""
    for peer in peers:
        if _folded(peer.petname) == _folded(text) or peer.key.hex() == text.lower():
            return peer
    raise _peer_error("unknown-peer", text)


def _peer_error(code: str, name: str) -> NetError:
    return NetError(Failure(code, Exit.USAGE, {"name": name}))


def _parse(path: Path, data: bytes | None) -> tuple[KnownPeer, ...]:
    """The file's entries; a file that is damaged is refused, never overwritten."""
    try:
        table = parse_toml((data or b"").decode())
        entries = table.get("peer", [])
        if not isinstance(entries, list):
            raise TypeError("peer is no array of tables")
        return tuple(map(_entry, entries))
    except (ValueError, TypeError, KeyError) as error:
        raise storage_error("peers-damaged", path, error) from error


def _entry(table: Mapping[str, object]) -> KnownPeer:
    key = bytes.fromhex(str(table["key"]))
    verified = str(table.get("verified", "none"))
    addresses = table.get("addresses", [])
    if len(key) != 32 or verified not in HOW_VERIFIED:
        raise ValueError(f"an entry with key {key.hex()} is damaged")
    if not isinstance(addresses, list):
        raise TypeError("addresses is no array")
    return KnownPeer(
        key=key,
        petname=clean_petname(str(table["name"])) or key.hex()[:8],
        nick=str(table.get("nick", "")),
        verified=verified,
        first_seen=int(str(table.get("first_seen", 0))),
        last_seen=int(str(table.get("last_seen", 0))),
        addresses=tuple(filter(_is_address, map(str, addresses))),
    )


def _is_address(text: str) -> bool:
    try:
        parse_address(text)
    except AddressError:
        return False
    return True


def addresses_of(peer: KnownPeer) -> tuple[Address, ...]:
    """Where the person was reached, to be dialled in this order."""
    return tuple(map(parse_address, peer.addresses))


def _format(peers: Iterable[KnownPeer]) -> str:
    return "\n".join([_HEADER, *map(_format_entry, peers)])


def _format_entry(peer: KnownPeer) -> str:
    fields = {
        "name": peer.petname,
        "key": peer.key.hex(),
        "nick": peer.nick,
        "verified": peer.verified,
        "first_seen": peer.first_seen,
        "last_seen": peer.last_seen,
        "addresses": list(peer.addresses),
    }
    lines = [f"{name} = {_toml(value)}" for name, value in fields.items()]
    return "\n".join(["[[peer]]", *lines, ""])


def _toml(value: object) -> str:
    # A JSON string or array of strings is TOML, but for DEL, which JSON leaves bare.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
