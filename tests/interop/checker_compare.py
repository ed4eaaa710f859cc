"""Two logs of one game (spec 40, 8), invites (50, 3.5) and rates (50, 7.1)."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_events import Event
from tests.interop.checker_log import Log, verify
from tests.interop.checker_messages import read_message
from tests.interop.checker_resume import Resumer

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
NAME = re.compile(
    r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", re.IGNORECASE
)
COUNTED = ("PING", "PONG", "CHAT", "SYNC")


class DamagedError(ProtocolError):
    """One of two files is no log to compare."""

    def __init__(self, word: str, which: int, record: int) -> None:
        """Keep which, and where."""
        super().__init__(word)
        self.which = which
        self.record = record


@dataclass(frozen=True)
class Comparison:
    """What two logs say of each other."""

    relation: str
    common: int = 0
    longer: int | None = None
    guilty: int | None = None


def _signed(log: Log) -> Iterator[Event]:
    yield from (entry.event for entry in log.entries)
    yield from log.voids
    if log.pending is not None:
        yield log.pending[0]


def compare(first: bytes, second: bytes) -> Comparison:
    """Compare two files.

    Args:
        first: The one.
        second: The other.

    Returns:
        Their relation.

    Raises:
        DamagedError: For the first that is damaged.
    """
    logs = []
    for which, data in enumerate((first, second)):
        log, _, damage = verify(data)
        if damage is not None:
            number, word = damage
            raise DamagedError(word, which, number)
        logs.append(log)
    one, two = logs
    if one.game_id != two.game_id:
        return Comparison("different")
    common = 0
    for mine, theirs in zip(one.entries, two.entries, strict=False):
        if mine.event.digest != theirs.event.digest:
            break
        common += 1
    sizes = [(len(log.entries), log.pending is not None) for log in logs]
    longer = None if sizes[0] == sizes[1] else int(sizes[1] > sizes[0])
    held = {(e.author, e.seq): e.digest for e in _signed(one)}
    forks = [
        event
        for event in _signed(two)
        if held.get((event.author, event.seq), event.digest) != event.digest
    ]
    if forks:
        guilty = min(forks, key=lambda event: event.seq).author
        return Comparison("fork", common, longer, guilty)
    if common < min(len(one.entries), len(two.entries)):
        return Comparison("fork", common, longer)
    return Comparison("equal" if longer is None else "prefix", common, longer)


def _code(text: str) -> bytes:
    plain = text.upper().replace("-", "").translate(str.maketrans("OIL", "011"))
    if len(plain) != 16 or set(plain) - set(DIGITS):
        raise ProtocolError("notation", "a code")
    number = 0
    for digit in plain:
        number = number * 32 + DIGITS.index(digit)
    return number.to_bytes(10, "big")


def _spelled(code: bytes) -> str:
    number, text = int.from_bytes(code, "big"), ""
    for _ in range(16):
        number, digit = divmod(number, 32)
        text = DIGITS[digit] + text
    return text


def _address(text: str) -> tuple[str, int]:
    found = re.fullmatch(r"(\[[^\]]*\]|[^:\[\]]*)(?::([0-9]{1,5}))?", text)
    if found is None:
        raise ProtocolError("notation", "an address")
    host, port = found[1], int(found[2] or 4747)
    if not 1 <= port <= 65_535:
        raise ProtocolError("notation", "a port")
    try:
        if host.startswith("["):
            return str(ipaddress.IPv6Address(host[1:-1])), port
        if not host.replace(".", "").isdigit():
            if len(host) > 253 or not NAME.fullmatch(host):
                raise ProtocolError("notation", "a name")
            return host, port
        return str(ipaddress.IPv4Address(host)), port
    except ValueError as error:
        raise ProtocolError("notation", "a number") from error


@dataclass(frozen=True)
class Invite:
    """An invite.

    Attributes:
        addresses: Host and port, best first.
        fingerprint: Of the listener's key.
        token: What lets somebody in once.
    """

    addresses: tuple[tuple[str, int], ...]
    fingerprint: bytes
    token: bytes | None

    def __str__(self) -> str:
        """As a writer spells it."""
        places = [f"[{h}]:{p}" if ":" in h else f"{h}:{p}" for h, p in self.addresses]
        codes = [self.fingerprint, *([self.token] if self.token else [])]
        return "/".join([f"crapette1:{','.join(places)}", *map(_spelled, codes)])


def read_invite(text: str) -> Invite:
    """Read an invite; `notation` for anything else."""
    plain = "".join(text.split())
    scheme, colon, rest = plain.partition(":")
    places, *codes = rest.split("/")
    addresses = places.split(",")
    lawful = scheme.lower() == "crapette1" and bool(colon)
    if not lawful or not 1 <= len(codes) <= 2 or len(addresses) > 8:
        raise ProtocolError("notation", "an invite")
    found = [_code(code) for code in codes]
    token = found[1] if len(found) == 2 else None
    return Invite(tuple(_address(text) for text in addresses), found[0], token)


class TooManyError(ProtocolError):
    """A frame that is one too many."""

    def __init__(self, frame: int) -> None:
        """Keep its number."""
        super().__init__(105)
        self.frame = frame


def count_frames(side: Resumer, frames: list[tuple[int, bytes]]) -> None:
    """Take frames at times in milliseconds.

    Args:
        side: Who takes them.
        frames: When each comes, and its payload.

    Raises:
        TooManyError: When one finds the bucket empty.
    """
    left, last = 200_000, 0  # in thousandths
    for number, (at, payload) in enumerate(frames):
        left, last = min(200_000, left + 50 * (at - last)), at
        name = read_message(payload)[0]
        before = side.at_hand.length if side.at_hand else 0
        side.receive(payload)
        after = side.at_hand.length if side.at_hand else 0
        repeated = name in ("EVENT", "ACK") and before == after
        if name not in COUNTED and not repeated:
            continue
        if left < 1000:
            raise TooManyError(number)
        left -= 1000
