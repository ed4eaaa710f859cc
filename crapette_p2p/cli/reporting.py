"""What a headless seat writes on stdout.

With ``--json`` every line is one object (interface.md 4): ``listening``, ``peer``,
``event``, ``result``. An event's line is written when the event is final, a
``turn`` when its card is open. Without it the line mode's narrator tells the game.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Protocol

from crapette_p2p.cards import UNKNOWN, format_card
from crapette_p2p.cli.output import versioned, write_json, write_prose
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.engine import (
    TURN,
    Action,
    Discard,
    Move,
    Position,
    Stop,
    Turn,
    format_action,
    judge,
)
from crapette_p2p.engine.layout import SEAT_NAMES, drawn
from crapette_p2p.engine.queries import result_json
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.state import GameState, state_hash
from crapette_p2p.net.addresses import OwnAddress
from crapette_p2p.net.hosting import Hosting, addresses_of_door
from crapette_p2p.net.news import Expecting, TableNotice
from crapette_p2p.net.table import Table
from crapette_p2p.session.notices import (
    EndBrought,
    EventFinal,
    GameOver,
    GameResumed,
    GameStarted,
    Peer,
    PeerKnown,
)
from crapette_p2p.ui.invitation import join_command
from crapette_p2p.ui.narrator import Narrator

Line = dict[str, object]


class Reporter(Protocol):
    """Writes what happens at a table."""

    def listening(self, hosting: Hosting) -> None:
        """The door is open."""

    def heard(self, table: Table, notice: TableNotice) -> None:
        """The table says something."""


class JsonReporter:
    """One JSON object a line."""

    def __init__(self) -> None:
        self._peer: bytes | None = None
        self._log: GameLog | None = None
        self._over: bytes | None = None
        """The deal whose result was written last."""
        self._port: int | None = None
        """The door that was told of."""

    def _play(self, table: Table, game_id: bytes) -> None:
        """Remember whose events come: the table may be a deal ahead of its news."""
        game = table.open_game
        if game is not None and game.game_id == game_id:
            self._log = game.log

    def listening(self, hosting: Hosting) -> None:
        """Where, and the invite."""
        self._listen(hosting.addresses, hosting.port, str(hosting.invite))

    def _listen(
        self, addresses: Sequence[OwnAddress], port: int, invite: str | None
    ) -> None:
        """Where; a game that goes on knows its player and has no invite."""
        self._port = port
        places = [own.address for own in addresses if own.shown]
        everything = [own.address for own in addresses]
        write_json(
            versioned(
                {
                    "type": "listening",
                    "address": (places or everything or ["127.0.0.1"])[0],
                    "addresses": places or everything,
                    "port": port,
                    "invite": invite,
                }
            )
        )

    def heard(self, table: Table, notice: TableNotice) -> None:
        """Lines for another door, a new peer, events and results."""
        match notice:
            case Expecting(port) if port != self._port:
                binds = table.hint.binds if table.hint is not None else ()
                self._listen(addresses_of_door(binds), port, None)
            case PeerKnown(peer=peer) if peer.idpub != self._peer:
                self._peer = peer.idpub
                write_json(versioned(_peer_line(peer, table.address)))
            case GameStarted(game_id) | GameResumed(game_id):
                self._play(table, game_id)
            case EventFinal():
                log = self._log or (table.open_game and table.open_game.log)
                for line in event_lines(notice, log) if log else ():
                    write_json(versioned({"type": "event", **line}))
            case GameOver():
                self._write_result(table, notice)
            case EndBrought(over) if over.game_id != self._over:
                self._write_result(table, over)
            case _:
                pass

    def _write_result(self, table: Table, over: GameOver) -> None:
        """How a deal went; the table may be a deal ahead of its news."""
        self._over = over.game_id
        fields = {
            "type": "result",
            **result_json(over.end),
            "match": list(over.score),
            "match_over": over.match_over,
            "seat": SEAT_NAMES[table.seat or 0],
            "log": table.log_path,
        }
        write_json(versioned(fields))


class TextReporter:
    """The line mode's words."""

    def __init__(self, *, spoken: bool) -> None:
        self._narrator = Narrator(words=words_in_force(), spoken=spoken)

    @property
    def _sat(self) -> bool:
        return self._narrator.position is not None

    def listening(self, hosting: Hosting) -> None:
        """What a friend has to type."""
        for own in hosting.addresses:
            if own.shown:
                write_prose(
                    words(
                        "listening on {address} port {port}",
                        address=own.address,
                        port=hosting.port,
                    )
                )
        write_prose(words("invite: {invite}", invite=hosting.invite))
        command = join_command(
            hosting.addresses,
            hosting.port,
            words_in_force(),
            invited=hosting.options.invite_only,
        )
        write_prose(words("your friend types: {command}", command=command))

    def heard(self, table: Table, notice: TableNotice) -> None:
        """Tell it as the line mode would."""
        game = table.open_game
        if isinstance(notice, GameStarted) and game is not None:
            self._narrator.sit_down(game.log.genesis, game.seat)
        elif isinstance(notice, GameResumed) and game is not None and not self._sat:
            self._narrator.go_on(game.state, game.seat, game.log)
        elif isinstance(notice, EventFinal) and not self._narrator.is_seated and game:
            # The rest of an event comes before the word that the game goes on.
            self._narrator.go_on(notice.before, game.seat, game.log)
        for line in self._narrator.tell(notice):
            write_prose(line)
        if isinstance(notice, GameOver | EndBrought):
            write_prose(words("log: {log_path}", log_path=table.log_path))


def _peer_line(peer: Peer, place: str) -> Line:
    """Who sits there; the address alone, whoever of the two has dialled."""
    dialled = place.startswith("[") or place.count(":") == 1
    return {
        "type": "peer",
        "nick": peer.nick,
        "fingerprint": peer.fingerprint,
        "key": peer.idpub.hex(),
        "verified": peer.verified,
        "address": place.rpartition(":")[0].strip("[]") if dialled else place,
    }


def event_lines(notice: EventFinal, log: GameLog) -> Iterator[Line]:
    """The lines of an action with its card; that of a turn comes with its opening.

    Everything is in the event and the log: what this process has seen before, and
    how far the game has gone meanwhile, makes no difference.
    """
    before, action = notice.before, notice.action
    waiting = _open_turn(before, log)
    if waiting is not None and before.due is not None:
        resigned = action is not None
        if resigned or notice.state.due is None:
            position = None if resigned else notice.state.position
            yield _turn_line(waiting, log, position)
    if action is None or (isinstance(action, Turn) and notice.state.due is not None):
        return
    if isinstance(action, Turn):
        yield _turn_line(notice.seq, log, notice.state.position)
        return
    line = _line_of(notice.seq, notice.author, action)
    position = before.position
    if position is not None and isinstance(action, Move):
        line["card"] = format_card(position.top(action.source))
    elif position is not None and isinstance(action, Discard):
        line["card"] = format_card(position.top(drawn(notice.author)))
    elif position is not None and isinstance(action, Stop):
        line["upheld"] = judge(position, action) is not None
    line["state"] = state_hash(notice.state).hex()
    yield line


def _open_turn(state: GameState, log: GameLog) -> int | None:
    """The number of the TURN whose card ``state`` waits for, if it waits for one."""
    if state.due is None:
        return None
    last = state.length - 1
    while log.entries[last].signed.event.type == EventType.OPEN_A:
        last -= 1
    is_turn = log.entries[last].signed.event.type == EventType.TURN
    return last if is_turn else None


def _turn_line(seq: int, log: GameLog, position: Position | None) -> Line:
    """A turn, with the card that ``position`` shows; null if it was never opened."""
    entry = log.entries[seq]
    author = entry.signed.event.author
    line = _line_of(seq, author, TURN)
    top = -1 if position is None else position.top(drawn(author))
    line["card"] = None if top in (-1, UNKNOWN) else format_card(top)
    line["state"] = entry.state_after.hex()
    return line


def _line_of(seq: int, author: int, action: Action) -> Line:
    return {
        "seq": seq,
        "author": SEAT_NAMES[author],
        "move": format_action(action, seat=author),
        "card": None,
    }


def reporter_of(args: argparse.Namespace, *, spoken: bool) -> Reporter:
    """JSON or words."""
    return JsonReporter() if args.json else TextReporter(spoken=spoken)
