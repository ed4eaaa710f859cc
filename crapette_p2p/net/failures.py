"""What went wrong in the world outside, as stable codes with exit statuses.

Every exception of ``net/`` carries a ``Failure``: a kebab-case code, the exit
status of interface.md 4 and the facts a sentence needs. The sentences themselves
are ``ui/wording.py``'s, found by the code; nothing here is shown to a player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from crapette_p2p.errors import CrapetteError, LinkError


class Exit(IntEnum):
    """Exit statuses of the command line (interface.md 4)."""

    DONE = 0
    BUG = 1
    USAGE = 2
    NO_TERMINAL = 3
    CANNOT_LISTEN = 4
    CANNOT_REACH = 5
    PROTOCOL = 6
    IDENTITY = 7
    PEER_LOST = 8
    CHEATED = 9
    BAD_LOG = 10


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that went wrong, for the shell to end with and the UI to word."""

    code: str
    """Stable, kebab-case; the key of ``ui/wording.py``."""
    status: Exit
    """Exit status of a command that ends because of it."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the sentence names: ``host``, ``port``, ``path``, ``reason`` …"""


class NetError(LinkError):
    """Anything the net layer gives up with; the failure says what and why."""

    def __init__(self, failure: Failure, *, wire_code: int | None = None) -> None:
        facts = ", ".join(f"{key}={value}" for key, value in failure.facts.items())
        super().__init__(f"{failure.code} ({facts})" if facts else failure.code)
        self.failure = failure
        if wire_code is not None:
            self.code = wire_code


class StorageError(CrapetteError):
    """A file of ours could not be read, written or trusted; nothing was sent."""

    code = 500

    def __init__(self, failure: Failure) -> None:
        reason = failure.facts.get("reason", "")
        path = failure.facts.get("path", "")
        super().__init__(f"{failure.code}: {path} {reason}".rstrip())
        self.failure = failure


_STORAGE: Final = {
    "key-unreadable": Exit.IDENTITY,
    "key-foreign": Exit.IDENTITY,
    "key-open-to-others": Exit.IDENTITY,
    "key-no-key": Exit.IDENTITY,
    "import-no-key": Exit.IDENTITY,
    "key-exists": Exit.USAGE,
    "peers-damaged": Exit.IDENTITY,
    "cannot-make": Exit.USAGE,
    "cannot-read": Exit.USAGE,
    "cannot-write": Exit.USAGE,
    "file-exists": Exit.USAGE,
    "no-such-file": Exit.USAGE,
    "game-in-use": Exit.CANNOT_REACH,
    "file-too-long": Exit.BAD_LOG,
    "log-empty": Exit.BAD_LOG,
    "log-missing": Exit.BAD_LOG,
    "seeds-damaged": Exit.BAD_LOG,
}
"""Exit statuses of files."""


def storage_error(code: str, path: object, reason: object = "") -> StorageError:
    """A ``StorageError`` about ``path``; an OSError's reason is its own words."""
    if isinstance(reason, OSError):
        reason = reason.strerror or str(reason)
    facts = {"path": str(path), "reason": str(reason)}
    return StorageError(Failure(code, _STORAGE.get(code, Exit.BUG), facts))


def is_of_storage(failure: Failure) -> bool:
    """Whether a file of ours failed, and nobody else."""
    return failure.code in _STORAGE


_PROVEN: Final = frozenset({302, 402, 404, 405, 406, 407, 408})
_IDENTITY: Final = frozenset({201, 202, 203, 204, 207})
_REFUSED: Final = frozenset({205, 206, 208})


def exit_of_code(code: int) -> Exit:
    """Exit status of a wire code (protocol.md 8)."""
    if code in _PROVEN:
        return Exit.CHEATED
    if code in _IDENTITY:
        return Exit.IDENTITY
    if code in _REFUSED:
        return Exit.CANNOT_REACH
    if code == 501:
        return Exit.PEER_LOST
    if code == 500:
        return Exit.BUG
    return Exit.DONE if code == 502 else Exit.PROTOCOL


_WIRE_NAMES: Final = {
    106: "peer-timed-out",
    200: "other-version",
    201: "login-not-proven",
    202: "other-key",
    203: "own-key",
    204: "weak-key",
    205: "table-taken",
    206: "refused",
    207: "invite-refused",
    208: "name-refused",
    300: "rules-refused",
    301: "terms-refused",
    410: "unknown-game",
    501: "peer-left",
    502: "game-over",
}


def wire_failure(code: int, **facts: str) -> Failure:
    """The failure a wire code stands for, ours or the peer's."""
    status = exit_of_code(code)
    name = "peer-cheated" if status is Exit.CHEATED else "protocol-broken"
    name = _WIRE_NAMES.get(code, name)
    return Failure(name, status, {"wire": str(code), **facts})
