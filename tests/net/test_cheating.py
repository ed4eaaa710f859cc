"""A peer that breaks the game: the table closes, with the proof beside the log."""

from __future__ import annotations

from pathlib import Path

from crapette_p2p.gamelog.events import Event, EventType, event_message
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.gamelog.state import state_hash
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.failures import Exit
from crapette_p2p.net.news import Closed
from crapette_p2p.net.table import Table
from crapette_p2p.session.framing import frame
from crapette_p2p.session.messages import EventMessage, encode_message
from crapette_p2p.session.notices import EventFinal, SessionFailed
from tests.net.fasttime import fast
from tests.net.tables import make_player, play_both, seat_at, seated_pair


def send_impossible_move(table: Table) -> None:
    """Sign and send a move from column 1 to column 1, past our own session."""
    game, pump = table.open_game, table._pump
    assert game is not None
    assert pump is not None
    assert pump.transport is not None
    event = Event(
        game_id=game.game_id,
        seq=game.length,
        author=game.seat,
        prev=game.log.head,
        state=state_hash(game.state),
        type=EventType.MOVE,
        body=(0, 0),
    )
    unsigned = SignedEvent.of(event, b"")
    sig = table.player.identity.sign(event_message(unsigned.hash))
    message = encode_message(EventMessage(unsigned.data, sig))
    pump.transport.write(frame(message))


@fast
async def test_an_impossible_move(tmp_path: Path) -> None:
    """Exit 9, an evidence file that convinces a stranger, and no way back."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    async with seated_pair(ala, olek) as (_, first, second):
        seats = seat_at(first), seat_at(second, seed=2)

        def cheat(notice: object) -> None:
            game = second.open_game
            if not isinstance(notice, EventFinal) or notice.seq < 20 or game is None:
                return
            position, state = game.state.position, game.state
            mine = position is not None and position.active == game.seat
            if mine and state.due is None and game.mine is None:
                seats[1].on_notice = lambda _: None
                send_impossible_move(second)

        seats[1].on_notice = cheat
        await play_both(*seats)
    closed = seats[0].heard[-1]
    assert isinstance(closed, Closed)
    assert closed.failure is not None
    assert closed.failure.code == "peer-cheated"
    assert closed.failure.status is Exit.CHEATED
    told = next(n for n in seats[0].heard if isinstance(n, SessionFailed))
    assert told.game_failed
    (proof,) = ala.store.games.glob("*-404.crev")
    judged = judge_evidence(proof.read_bytes(), verify)
    assert (judged.proven, judged.code, judged.seat) == (True, 404, 1)
    (log,) = ala.store.logs()
    verdict = verify_log(log.read_bytes(), verify)
    assert (verdict.guilty, verdict.guilty_of) == (1, 404)
    assert [game.status for game in ala.kept.summaries()] == ["failed"]
    assert ala.kept.open_games() == ()
