"""What a headless seat writes on stdout.

With ``--json`` every line is one object (interface.md 4): ``listening``, ``peer``,
``event``, ``result``. An event's line is written when the event is final, a
``turn`` when its card is open. Without it the line mode's narrator tells the game.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Protocol

from crapette_p2p.cards import UNKNOWN, format_card
from crapette_p2p.cli.output import versioned, write_json, write_line
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.engine import (
    TURN,
    Action,
    Discard,
    Move,
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
from crapette_p2p.net.hosting import Hosting
from crapette_p2p.net.news import TableNotice
from crapette_p2p.net.table import Table
from crapette_p2p.session.notices import (
    EventFinal,
    GameOver,
    GameResumed,
    GameStarted,
    PeerKnown,
)
from crapette_p2p.ui.narrator import Narrator, running_turn

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
        self._events = EventLines()
        self._peer: bytes | None = None

    def listening(self, hosting: Hosting) -> None:
        """Where, and the invite."""
        places = [own.address for own in hosting.addresses if own.shown]
        everything = [own.address for own in hosting.addresses]
        write_json(
            versioned(
                {
                    "type": "listening",
                    "address": (places or everything or ["127.0.0.1"])[0],
                    "addresses": places or everything,
                    "port": hosting.port,
                    "invite": str(hosting.invite),
                }
            )
        )

    def heard(self, table: Table, notice: TableNotice) -> None:
        """Lines for a new peer, for events and for results."""
        match notice:
            case PeerKnown(peer=peer) if peer.idpub != self._peer:
                self._peer = peer.idpub
                write_json(
                    versioned(
                        {
                            "type": "peer",
                            "nick": peer.nick,
                            "fingerprint": peer.fingerprint,
                            "key": peer.idpub.hex(),
                            "verified": peer.verified,
                            "address": table.address,
                        }
                    )
                )
            case GameStarted() | GameResumed():
                game = table.open_game
                if game is not None:
                    self._events.begin(game.state, game.log)
            case EventFinal():
                for line in self._events.lines(notice):
                    write_json(versioned({"type": "event", **line}))
            case GameOver(end=end, score=score, match_over=match_over):
                fields = {
                    "type": "result",
                    **result_json(end),
                    "match": list(score),
                    "match_over": match_over,
                    "seat": SEAT_NAMES[table.seat or 0],
                    "log": table.log_path,
                }
                write_json(versioned(fields))
            case _:
                pass


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
                write_line(
                    words(
                        "listening on {address} port {port}",
                        address=own.address,
                        port=hosting.port,
                    )
                )
        write_line(words("invite: {invite}", invite=hosting.invite))

    def heard(self, table: Table, notice: TableNotice) -> None:
        """Tell it as the line mode would."""
        game = table.open_game
        if isinstance(notice, GameStarted) and game is not None:
            self._narrator.sit_down(game.log.genesis, game.seat)
        elif isinstance(notice, GameResumed) and game is not None and not self._sat:
            turn = running_turn(game.log)
            self._narrator.sit_down(game.log.genesis, game.seat, game.state, turn)
        for line in self._narrator.tell(notice):
            write_line(line)
        if isinstance(notice, GameOver):
            write_line(words("log: {log_path}", log_path=table.log_path))


class EventLines:
    """Makes the line of each action, with its card."""

    def __init__(self) -> None:
        self._before: GameState | None = None
        self._waiting: Line | None = None
        """The line of a ``turn`` whose card is not open yet."""

    def begin(self, state: GameState, log: GameLog) -> None:
        """A game starts, or goes on where this process has not seen it."""
        if self._before is not None and self._before.length == state.length:
            return
        self._before, self._waiting = state, None
        events = [entry.signed.event for entry in log.entries]
        while events and events[-1].type in (EventType.OPEN_A, EventType.OPEN_B):
            events.pop()
        if state.due is not None and events and events[-1].type == EventType.TURN:
            # Stopped before its card was open: nobody has written this line yet.
            self._waiting = _line_of(events[-1].seq, events[-1].author, TURN)

    def lines(self, notice: EventFinal) -> Iterator[Line]:
        """What can be written now."""
        before, self._before = self._before, notice.state
        action, position = notice.action, before.position if before else None
        if action is not None and self._waiting is not None:
            yield self._waiting  # resigned while the card was being opened
            self._waiting = None
        if action is not None:
            line = _line_of(notice.seq, notice.author, action)
            if position is not None and isinstance(action, Move):
                line["card"] = format_card(position.top(action.source))
            elif position is not None and isinstance(action, Discard):
                line["card"] = format_card(position.top(drawn(notice.author)))
            elif position is not None and isinstance(action, Stop):
                line["upheld"] = judge(position, action) is not None
            line["state"] = state_hash(notice.state).hex()
            if isinstance(action, Turn):
                self._waiting = line
            else:
                yield line
        yield from self._opened(notice.state)

    def _opened(self, state: GameState) -> Iterator[Line]:
        """The line of a ``turn`` whose card is open now."""
        line, position = self._waiting, state.position
        if line is None or position is None or state.due is not None:
            return
        seat = SEAT_NAMES.index(str(line["author"]))
        top = position.top(drawn(seat))
        line["card"] = None if top in (-1, UNKNOWN) else format_card(top)
        self._waiting = None
        yield line


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
