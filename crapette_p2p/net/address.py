"""What a player types to reach a table: an address, an invite or a peer's name.

Reading is tolerant where nothing can be misunderstood (spaces, line breaks in an
invite, small letters) and exact where a typing error would dial somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv6Address
from typing import Final

from crapette_p2p.errors import NotationError
from crapette_p2p.session.keys import format_fingerprint, parse_fingerprint

DEFAULT_PORT: Final = 4747
LAST_PORT: Final = 65_535
INVITE_SCHEME: Final = "crapette1:"
MAX_INVITE_ADDRESSES: Final = 8
"""An invite is pasted by hand; a longer one is no invite of ours."""
_LONGEST: Final = 1024
_HOST: Final = re.compile(r"(?=.{1,253}$)[^\W_]([\w-]*\w)?(\.[^\W_]([\w-]*\w)?)*\.?")
_SCOPE: Final = re.compile(r"[A-Za-z0-9._~-]{1,32}")


class AddressError(NotationError):
    """Text that is no address; ``problem`` is a stable code, ``token`` the part."""

    def __init__(self, problem: str, token: str) -> None:
        super().__init__(
            "{problem}: {token!r}", field="address", token=token, problem=problem
        )
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Address:
    """One place to dial."""

    host: str
    """Name or number, an IPv6 number with its scope and without brackets."""
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        """``HOST:PORT`` as ``parse_address`` reads it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else self._plain()

    def _plain(self) -> str:
        return f"{self.host}:{self.port}"

    def short(self) -> str:
        """The same without a port that is the default."""
        return self.host if self.port == DEFAULT_PORT else str(self)


@dataclass(frozen=True, slots=True)
class Invite:
    """Where a table is, whose it is and a ticket to it (protocol.md 3)."""

    addresses: tuple[Address, ...]
    """Best first; tried in this order."""
    fingerprint: bytes
    """Ten bytes of the listener's key."""
    token: bytes | None = None
    """Ten random bytes that work once."""

    def __str__(self) -> str:
        """``crapette1:HOST:PORT,…/FP/TOKEN``."""
        codes = (
            [self.fingerprint] if self.token is None else [self.fingerprint, self.token]
        )
        texts = [format_fingerprint(code).replace("-", "") for code in codes]
        return "/".join([INVITE_SCHEME + ",".join(map(str, self.addresses)), *texts])


def parse_port(text: str) -> int:
    """A port from 1 to 65535; 0 is for listening only."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(LAST_PORT)):
        raise AddressError("bad-port", text)
    port = int(text)
    if not 1 <= port <= LAST_PORT:
        raise AddressError("bad-port", text)
    return port


def parse_target(words: str | Sequence[str]) -> Address | Invite:
    """An invite, or ``HOST``, ``HOST:PORT``, ``HOST PORT``, ``[v6]:PORT``, ``v6``."""
    text = words if isinstance(words, str) else " ".join(words)
    if len(text) > _LONGEST:
        raise AddressError("too-long", text[:32])
    if "".join(text.split()).lower().startswith(INVITE_SCHEME):
        return parse_invite(text)
    return parse_address(text)


def parse_address(text: str) -> Address:
    """One address; raise AddressError with what is wrong with it."""
    parts = text.split()
    if not parts:
        raise AddressError("empty", text)
    if len(parts) > 2:
        raise AddressError("too-many-words", text.strip())
    host, port = _split(parts[0])
    if len(parts) == 2:
        if port is not None:
            raise AddressError("two-ports", text.strip())
        port = parts[1]
    return Address(_host(host), DEFAULT_PORT if port is None else parse_port(port))


def parse_invite(text: str) -> Invite:
    """An invite, whatever white space a mail program put into it."""
    plain = "".join(text.split())
    if not plain.lower().startswith(INVITE_SCHEME):
        raise AddressError("bad-invite", plain[:32])
    places, *rest = plain[len(INVITE_SCHEME) :].split("/")
    codes = [parse_fingerprint(code) for code in rest]
    if not 1 <= len(codes) <= 2 or codes[0] is None or codes[-1] is None:
        raise AddressError("bad-invite", plain[:32])
    addresses = places.split(",")
    if len(addresses) > MAX_INVITE_ADDRESSES:
        raise AddressError("bad-invite", plain[:32])
    return Invite(
        tuple(map(parse_address, addresses)),
        codes[0],
        codes[1] if len(codes) == 2 else None,
    )


def _split(text: str) -> tuple[str, str | None]:
    """Host and port text; None where no port is written."""
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise AddressError("bad-brackets", text)
        if ":" not in host:
            raise AddressError("bad-host", text)
        return host, rest[1:] if rest else None
    if text.count(":") > 1:
        return text, None  # an IPv6 number without brackets has no port
    host, colon, port = text.partition(":")
    return host, port if colon else None


def _host(text: str) -> str:
    if not text:
        raise AddressError("no-host", text)
    if ":" in text:
        return _ipv6(text)
    if not _HOST.fullmatch(text):
        raise AddressError("bad-host", text)
    if _looks_like_ipv4(text) and not _is_ipv4(text):
        raise AddressError("bad-host", text)
    return text


def _ipv6(text: str) -> str:
    number, percent, scope = text.partition("%")
    scope = scope.removeprefix("25") if len(scope) > 2 else scope
    try:
        address = IPv6Address(number)
    except AddressValueError as error:
        raise AddressError("bad-host", text) from error
    if percent and not _SCOPE.fullmatch(scope):
        raise AddressError("bad-scope", text)
    if percent:
        return f"{address}%{scope}"
    # The same place; and not every Python writes such a number alike.
    return str(address.ipv4_mapped or address)


def _looks_like_ipv4(text: str) -> bool:
    return text.replace(".", "").isdigit()


def _is_ipv4(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 4 and all(map(_is_octet, parts))


def _is_octet(part: str) -> bool:
    written = part.isascii() and part.isdigit()
    return written and part == str(int(part)) and int(part) < 256
