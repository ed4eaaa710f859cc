"""The log at the table's side as a window has to show it, told by the log file."""

from __future__ import annotations

from crapette_p2p.engine import Seat
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.language import ENGLISH
from crapette_p2p.ui.play.history import recall
from crapette_p2p.ui.play.seat_screen import TableSetup
from crapette_p2p.ui.play.table_screen import TableScreen
from crapette_p2p.ui.render.geometry import geometry


def rows_of_journal(
    log: GameLog, state: GameState, seat: Seat, size: tuple[int, int]
) -> dict[int, str]:
    """The rows of a window of this size that tell what was done, by their numbers.

    Talk stands there as well, but in no file: where somebody has talked they differ.
    """
    assert state.position is not None
    names = log.genesis.nicks
    scribe, _ = recall(log, state.length, names, ENGLISH)
    setup = TableSetup(
        seat=seat, names=names, position=state.position, send=lambda _command: None
    )
    screen = TableScreen(Desk(), setup, scribe)
    rows = screen.draw(*size, 0.0).text()
    area = geometry(*size).log
    assert area.x == 0, "it stands below the table"
    return {y: rows[y].rstrip() for y in range(area.y, area.y + area.height)}
