"""The recorded games of the protocol folder (vectors/games)."""

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.interop.checker_canonical import ProtocolError
from tests.interop.checker_folder import PROTOCOL

FOLDER = PROTOCOL / "vectors/games"
GAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@dataclass(frozen=True)
class Player:
    """What one player is and drew."""

    role: int
    nick: str
    secret: bytes
    public: bytes
    drawn: tuple[bytes, ...]


@dataclass(frozen=True)
class Decision:
    """One event of the index.

    Attributes:
        author: Its author's seat.
        kind: Its type.
        text: The action in words.
        piles: The two piles it names.
    """

    author: str
    kind: str
    text: str | None
    piles: tuple[int, int] | None


@dataclass(frozen=True)
class Recorded:
    """One recorded game.

    Attributes:
        preset: The label of its rules.
        terms: What else the genesis says.
        dialler: The role that dialled.
        cert_digest: The digest of the listener's certificate.
        game_id: The game.
        players: Both players.
        result: Seat, reason and points.
        events: What happened.
        lost: The events that lost a collision, by their number.
        hashes: The state hash before each event and after the last.
        count: How many frames the index counts.
        frames: Role and payload of each frame.
        log: The bytes of the log.
        states: The bytes of each state.
    """

    preset: str
    terms: dict[str, Any]
    dialler: int
    cert_digest: bytes
    game_id: bytes
    players: tuple[Player, Player]
    result: tuple[str | None, str, int]
    events: tuple[Decision, ...]
    lost: dict[int, Decision]
    hashes: tuple[bytes, ...]
    count: int
    frames: tuple[tuple[int, bytes], ...]
    log: bytes
    states: tuple[bytes, ...]


def split_frames(data: bytes) -> tuple[tuple[int, bytes], ...]:
    """Take apart the file of frames.

    Args:
        data: One byte of role and a frame, again and again.

    Returns:
        Role and payload.

    Raises:
        ProtocolError: 100, when the file does not come out even.
    """
    found: list[tuple[int, bytes]] = []
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at + 1 : at + 5], "big")
        end = at + 5 + size
        if data[at] > 1 or not size or end > len(data):
            raise ProtocolError(100, f"frame {len(found)}")
        found.append((data[at], data[at + 5 : end]))
        at = end
    return tuple(found)


def split_states(data: bytes) -> tuple[bytes, ...]:
    """Take apart the file of states; 100 when it does not come out even."""
    found: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            raise ProtocolError(100, f"state {len(found)}")
        found.append(data[at + 4 : end])
        at = end
    return tuple(found)


def player_of(found: dict[str, object]) -> Player:
    """A player of an index."""
    drawn = found["drawn"]
    texts = [str(draw) for draw in drawn] if isinstance(drawn, list) else []
    return Player(
        int(str(found["role"])),
        str(found["nick"]),
        bytes.fromhex(str(found["secret"])),
        bytes.fromhex(str(found["public"])),
        tuple(bytes.fromhex(text) for text in texts),
    )


def decision_of(author: str, kind: str, text: str | None, piles: Any) -> Decision:  # noqa: ANN401
    """An event of an index."""
    return Decision(author, kind, text, None if piles is None else (*piles,))


@functools.cache
def load(name: str, folder: Path = FOLDER) -> Recorded:
    """Read a recorded game.

    Args:
        name: The name of its files.
        folder: Where it is.

    Returns:
        The game.
    """
    index = json.loads((folder / f"{name}.json").read_text("utf-8"))
    first, second = (player_of(player) for player in index["players"])
    return Recorded(
        index["preset"],
        index["terms"],
        index["dialler"],
        bytes.fromhex(index["cert_digest"]),
        bytes.fromhex(index["game_id"]),
        (first, second),
        tuple(index["result"]),
        tuple(decision_of(*event) for event in index["events"]),
        {number: decision_of(*event) for number, *event in index["lost"]},
        tuple(bytes.fromhex(state) for state in index["states"]),
        index["frames"],
        split_frames((folder / f"{name}.frames").read_bytes()),
        (folder / f"{name}.crlog").read_bytes(),
        split_states((folder / f"{name}.states").read_bytes()),
    )
