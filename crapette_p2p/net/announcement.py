"""What a table says about itself on the local network: the TXT entries.

Everybody on a network can say anything, so reading is strict and short: a name
that no player could have, a damaged fingerprint or too many bytes are no table of
ours, and a label that could drive a terminal is shown as a question mark
(protocol.md 8 and 9). What is read is a hint where to dial, never trusted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from crapette_p2p.gamelog.labels import has_unseen
from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.session.keys import format_fingerprint, parse_fingerprint

SERVICE: Final = "_crapette._tcp.local."
VERSION: Final = 1
"""The major version this program announces."""
MAX_TXT: Final = 400
"""Bytes of all entries together; ours need some 90."""
MAX_LABEL: Final = 32
NO_LABEL: Final = "?"
"""Shown for rules whose label cannot be shown."""
_LAST_VERSION: Final = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What one table says; every field is only its word."""

    fingerprint: bytes
    """Of the host's key, ten bytes."""
    nick: str
    """The host's name, one that a player may have."""
    rules: str
    """Label of the rule set."""
    is_open: bool = True
    """Whether the seat is free."""
    version: int = VERSION
    """Major version of the protocol."""

    def entries(self) -> dict[str, str]:
        """The TXT entries."""
        return {
            "v": str(self.version),
            "fp": format_fingerprint(self.fingerprint),
            "nick": self.nick,
            "rules": shown_label(self.rules),
            "open": "1" if self.is_open else "0",
        }


def parse_announcement(txt: bytes) -> Announcement | None:
    """What a TXT record says, or None if it is no table's."""
    if len(txt) > MAX_TXT:
        return None
    said = dict(reversed([*_entries(txt)]))  # the first of two entries counts
    code = parse_fingerprint(said.get("fp", ""))
    version, nick = said.get("v", ""), said.get("nick", "")
    if code is None or not is_valid_nick(nick):
        return None
    if not (version.isascii() and version.isdigit() and len(version) <= 3):
        return None
    if not 1 <= int(version) <= _LAST_VERSION:
        return None
    return Announcement(
        fingerprint=code,
        nick=nick,
        rules=shown_label(said.get("rules", "")),
        is_open=said.get("open") != "0",
        version=int(version),
    )


def shown_label(text: str) -> str:
    """The label of a rule set as far as it can be shown to anybody."""
    plain = all(unicodedata.category(c)[0] in "LN" or c in " -_.'+()" for c in text)
    plain = plain and not has_unseen(text) and not text.isspace()
    return text if plain and 1 <= len(text) <= MAX_LABEL else NO_LABEL


def _entries(txt: bytes) -> Iterator[tuple[str, str]]:
    """Keys in small letters and values; what is no text is left out."""
    rest = txt
    while rest:
        length = rest[0]
        entry, rest = rest[1 : 1 + length], rest[1 + length :]
        key, equals, value = entry.partition(b"=")
        if len(entry) == length and equals:
            try:
                yield key.decode("ascii").lower(), value.decode()
            except UnicodeDecodeError:
                continue
