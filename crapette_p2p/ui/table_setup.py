"""A table as the table screen wants it: names, what to send, what to ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crapette_p2p.engine import Position
from crapette_p2p.gamelog.state import SETUP_EVENTS
from crapette_p2p.gamelog.times import time_played
from crapette_p2p.net.times import read_times
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.ui.advice import Adviser
from crapette_p2p.ui.play.about import about_lines, save_copy
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.surface import Surface
from crapette_p2p.ui.table_like import FlowOptions, TableLike
from crapette_p2p.ui.told_apart import told_apart


def setup_of(
    table: TableLike,
    game: OpenGame,
    position: Position,
    options: FlowOptions,
    shell: Surface,
    cards: Sequence[int] = (),
    *,
    whole: bool = True,
) -> TableSetup:
    """What the table screen of ``game`` begins with."""
    genesis, seat, peer = game.log.genesis, game.seat, table.peer

    may_hint = options.hints or genesis.assist

    def latency() -> float | None:
        session = table.session
        return session.latency if session is not None else None

    def took() -> float | None:
        path = table.log_path
        times = read_times(Path(path), game.game_id) if path else None
        if times is None:
            return None
        played = time_played(times, SETUP_EVENTS - 1, game.length - 1)
        return None if played is None else played / 1000

    return TableSetup(
        seat=seat,
        names=told_apart(genesis.nicks, seat, shell.desk.words),
        position=position,
        send=table.command,
        verified=peer is not None and peer.verified != "none",
        assist=genesis.assist,
        since=shell.now,
        whole=whole,
        info=lambda link: about_lines(
            shell.desk.words, table, genesis, cards=cards, link=link
        ),
        latency=latency,
        took=took,
        log_name=lambda: Path(table.log_path).stem[:17] if table.log_path else "",
        save_log=lambda path: save_copy(table.log_path, path),
        has_other_way=options.ways is not None,
        adviser=Adviser(shell, seat) if may_hint else None,
    )
