"""The public names as a programmer uses them: looked at by mypy, and never run.

Whatever ``__all__`` of a layer's package names is used here (tests/test_public_names.py
sees to that), so that a type cannot change, or become Any, without somebody noticing.
A call below ``type: ignore`` is one that has to be refused: strict mypy complains of
an ignore that is not needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import assert_type

import crapette_p2p
from crapette_p2p import arena, bot, cli, engine, net
from crapette_p2p.engine.position import Listed
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.gamelog.replay import Step
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.gamelog.verify import Verdict
from crapette_p2p.net import endpoint
from crapette_p2p.net.address import Address
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.news import DoorNotice, TableNotice
from crapette_p2p.net.player import Player
from crapette_p2p.net.table import Table
from crapette_p2p.session.commands import Terms
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import Effect
from crapette_p2p.session.states import State
from crapette_p2p.ui import render
from crapette_p2p.ui.table_view import View


def the_front_door(text: object, log: bytes) -> None:
    """``crapette_p2p``: a position, an action, a log."""
    position = crapette_p2p.parse_position(text)
    assert_type(position, crapette_p2p.Position)
    assert_type(position.rules, crapette_p2p.RuleSet)
    seat, action = crapette_p2p.parse_action("turn", position)
    assert_type(seat, engine.Seat)
    assert_type(action, engine.Action)
    assert_type(crapette_p2p.format_action(action, position, seat=seat), str)
    for listed in crapette_p2p.legal_actions(position):
        assert_type(listed, engine.TableAction)
        if isinstance(listed, crapette_p2p.Move):
            assert_type(listed.source, engine.PileId)
            assert_type(listed.target, engine.PileId)
    assert_type(crapette_p2p.play(position, seat, action), crapette_p2p.Position)
    assert_type(crapette_p2p.verify_log(log, verify), Verdict)
    assert_type(crapette_p2p.Card(5), crapette_p2p.Card)
    assert_type(crapette_p2p.__version__, str)


def a_game_watched_again(log: bytes) -> None:
    """``Replay`` and what it shows."""
    replay = crapette_p2p.open_replay(log, verify)
    assert_type(replay, crapette_p2p.Replay)
    assert_type(replay.log, crapette_p2p.GameLog)
    assert_type(replay.log.genesis, Genesis)
    assert_type(replay.log.head, bytes)
    assert_type(replay.length, int)
    assert_type(replay.steps, tuple[Step, ...])
    assert_type(replay.verdict, Verdict | None)
    assert_type(replay.seek(3), GameState)
    assert_type(replay.position(3), crapette_p2p.Position | None)


def a_session(config: SessionConfig) -> list[Effect]:
    """Bytes, time and commands in, effects out."""
    session = crapette_p2p.Session(config)
    assert_type(session.state, State)
    assert_type(session.deadline(), float | None)
    assert_type(session.log, crapette_p2p.GameLog | None)
    assert_type(session.may(engine.TURN), bool)
    assert_type(session.receive(1.0, b""), list[Effect])
    assert_type(session.tick(1.0), list[Effect])
    assert_type(session.eof(1.0), list[Effect])
    try:
        return session.connected(0.0, bytes(32), dialler=True)
    except crapette_p2p.CrapetteError as error:
        assert_type(error.code, int)
        raise


def the_rules(position: engine.Position, seat: engine.Seat) -> None:
    """``engine``: what may be played, and why not."""
    rules = engine.parse_rules(engine.DEFAULT_PRESET)
    assert_type(rules, engine.RuleSet)
    assert_type(engine.PRESETS, Mapping[str, engine.RuleSet])
    assert_type(engine.rules_from_array(engine.rules_to_array(rules)), engine.RuleSet)
    assert_type(engine.rules_to_array(rules), list[int])
    assert_type(engine.rules_to_json(rules), object)
    dealt = engine.start(rules, bytes(104), lot=0)
    assert_type(dealt, engine.Position)
    assert_type(engine.turn_up(dealt, 0, 5), engine.Position)
    assert_type(engine.legal_actions(position), tuple[engine.TableAction, ...])
    assert_type(engine.legal_with_offences(position), tuple[Listed, ...])
    for action, offence in engine.legal_with_offences(position):
        assert_type(action, engine.TableAction)
        assert_type(offence, engine.OffenceCode | None)
        assert_type(engine.successor(position, action, offence), engine.Position)
        assert_type(engine.offence_of(position, action), engine.OffenceCode | None)
    assert_type(engine.refusal(position, seat, engine.PASS), str | None)
    assert_type(engine.duties(position), tuple[str, ...])
    assert_type(engine.due_plays(position), tuple[engine.Move, ...])
    assert_type(engine.play(position, seat, engine.RESIGN, seq=7), engine.Position)
    assert_type(engine.perft(position, 2), int)


def a_position(position: engine.Position) -> None:
    """Its fields, and what is called on it."""
    assert_type(position.piles, tuple[bytes, ...])
    assert_type(position.faces, bytes)
    assert_type(position.active, engine.Seat)
    assert_type(position.counters, engine.Counters)
    assert_type(position.counters.idle, int)
    assert_type(position.calls, engine.Calls)
    assert_type(position.calls.wrong, tuple[int, int])
    assert_type(position.offences, tuple[engine.OpenOffence, ...])
    for offence in position.offences:
        assert_type(offence.code, engine.OffenceCode)
        assert_type(offence.before, engine.Position)
    if position.end is not None:
        assert_type(position.end, engine.End)
        assert_type(position.end.winner, engine.Seat | None)
        assert_type(position.end.reason, engine.EndReason)
        assert_type(engine.result_json(position.end), dict[str, object])
    stop = engine.resolve_stop(position, 3, "F")
    assert_type(stop, engine.Stop)
    assert_type(engine.judge(position, stop), engine.OpenOffence | None)


def notation(text: object, position: engine.Position) -> None:
    """Text and JSON, there and back."""
    assert_type(engine.parse_position(text), engine.Position)
    assert_type(engine.position_to_json(position), dict[str, object])
    assert_type(engine.parse_action("S>F", position), tuple[engine.Seat, engine.Action])
    assert_type(engine.format_action(engine.TURN), str)
    assert_type(engine.format_pile(engine.PileId(3)), str)
    assert_type(engine.legal_json(text), object)
    assert_type(engine.play_json(text, ["turn"], rules="crapette"), object)
    assert_type(engine.perft_json(text, 2), object)


def every_action(action: engine.Action) -> str:
    """All there are; one more makes mypy say that something is not returned."""
    match action:
        case engine.Move(source, target) | engine.Stop(source, target):
            assert_type(source, engine.PileId)
            assert_type(target, engine.PileId)
            return "piles"
        case engine.AnswerDraw(accept):
            assert_type(accept, bool)
            return "answer"
        case engine.Turn() | engine.Discard() | engine.Pass():
            return "table"
        case engine.Grant() | engine.Resign() | engine.OfferDraw():
            return "talk"


def the_constants() -> None:
    """One of each action that says nothing but itself."""
    assert_type(engine.TURN, engine.Turn)
    assert_type(engine.DISCARD, engine.Discard)
    assert_type(engine.PASS, engine.Pass)
    assert_type(engine.GRANT, engine.Grant)
    assert_type(engine.RESIGN, engine.Resign)
    assert_type(engine.OFFER_DRAW, engine.OfferDraw)
    assert_type(engine.ACCEPT_DRAW, engine.AnswerDraw)
    assert_type(engine.DECLINE_DRAW, engine.AnswerDraw)


def a_bot(position: engine.Position) -> None:
    """``bot``: what a seat does, and what it would be told."""
    memory = bot.TurnMemory()
    chosen = bot.choose(position, 0, level="club", rand=lambda: 0.5, memory=memory)
    assert_type(chosen, engine.Action | None)
    advice = bot.hint(position, 0, nodes=100, cancelled=lambda: False)
    assert_type(advice, bot.Hint | None)
    if advice is not None:
        assert_type(advice.action, engine.Action)
        assert_type(advice.reason, str)
    assert_type(bot.LEVELS, Mapping[str, bot.Level])
    assert_type(bot.LEVELS["club"].searches, bool)
    assert_type(bot.PLAYED, tuple[str, str, str])


def an_arena(results: Path) -> None:
    """``arena``: bots against bots."""
    options = arena.ArenaOptions(a="club", b="novice", deals=10)
    try:
        report = arena.run_arena(options, jobs=2, results=results)
    except arena.ArenaError as error:
        assert_type(error.code, int)
        return
    assert_type(report, arena.Report)
    assert_type(report.games, int)
    task = arena.Task(
        number=1, swapped=False, a="club", b="novice", rules=options.rules, seed=1
    )
    outcome = arena.Referee(task).outcome()
    assert_type(outcome, arena.Outcome)
    assert_type(outcome.winner, int | None)
    assert_type(arena.report_on([outcome]), arena.Report)


async def a_table(player: Player, terms: Terms, log: Path) -> None:
    """``net``: the three ways to a table, and what they are told."""
    async with net.host(endpoint.HostOptions(player=player, terms=terms)) as hosting:
        assert_type(hosting, endpoint.Hosting)
        assert_type(hosting.port, int)
        assert_type(await hosting.next_notice(), DoorNotice)
        assert_type(await hosting.seated(), Table)
    options = endpoint.JoinOptions(player=player)
    async with net.join(Address("192.0.2.1", 1), options) as table:
        assert_type(table, Table)
        assert_type(await table.next_notice(), TableNotice)
    async with net.resume(log, endpoint.ResumeOptions(player=player)) as table:
        assert_type(table.session, crapette_p2p.Session | None)


def a_picture(view: View) -> None:
    """``ui.render``: a view as rows of text."""
    frame = render.render(view, 80, 24)
    assert_type(frame, render.Frame)
    assert_type(frame.text(), list[str])
    match frame.hit(1, 1):
        case render.PileHit(pile):
            assert_type(pile, int)
        case render.KeyHit(key):
            assert_type(key, str)
        case render.SeekHit(place):
            assert_type(place, int)
        case nothing:
            assert_type(nothing, None)
    assert_type(frame.hits, tuple[tuple[render.Hit | None, ...], ...])
    assert_type(render.to_ascii("♣"), str)


def the_command() -> None:
    """``cli``: what ``crapette`` runs."""
    assert_type(cli.main(["--version"]), int)


def what_is_refused(position: engine.Position, *, player: Player) -> None:
    """Arguments of the wrong type: no parameter has become Any, or object."""
    _: crapette_p2p.Card = 5  # type: ignore[assignment]
    crapette_p2p.verify_log("path", verify)  # type: ignore[arg-type]
    crapette_p2p.open_replay("path")  # type: ignore[arg-type]
    crapette_p2p.Session(player)  # type: ignore[arg-type]
    engine.legal_actions({})  # type: ignore[arg-type]
    engine.legal_with_offences({})  # type: ignore[arg-type]
    engine.duties({})  # type: ignore[arg-type]
    engine.due_plays({})  # type: ignore[arg-type]
    engine.perft({}, 1)  # type: ignore[arg-type]
    engine.position_to_json({})  # type: ignore[arg-type]
    engine.parse_action(b"turn", position)  # type: ignore[arg-type]
    engine.format_action("turn")  # type: ignore[arg-type]
    engine.format_pile("3")  # type: ignore[arg-type]
    engine.refusal(position, 0, "turn")  # type: ignore[arg-type]
    engine.offence_of(position, engine.RESIGN)  # type: ignore[arg-type]
    engine.successor(position, engine.RESIGN, None)  # type: ignore[arg-type]
    engine.play(position, 0, "turn")  # type: ignore[arg-type]
    engine.start("crapette", bytes(104), lot=0)  # type: ignore[arg-type]
    engine.turn_up(position, 0, "5H")  # type: ignore[arg-type]
    engine.judge(position, engine.PASS)  # type: ignore[arg-type]
    engine.resolve_stop(position, "3", "F")  # type: ignore[arg-type]
    engine.rules_to_array("crapette")  # type: ignore[arg-type]
    engine.rules_to_json("crapette")  # type: ignore[arg-type]
    engine.result_json(None)  # type: ignore[arg-type]
    engine.Move(3, 9)  # type: ignore[arg-type]
    position.active = engine.Seat(1)  # type: ignore[misc]
    bot.choose(position, 0, level=3, rand=lambda: 0.5)  # type: ignore[arg-type]
    bot.hint({}, 0)  # type: ignore[arg-type]
    arena.run_arena("club")  # type: ignore[arg-type]
    arena.report_on([1])  # type: ignore[list-item]
    net.host(player)  # type: ignore[arg-type]
    net.join("localhost", endpoint.JoinOptions(player=player))  # type: ignore[arg-type]
    net.resume("log", endpoint.ResumeOptions(player=player))  # type: ignore[arg-type]
    render.render(position, 80, 24)  # type: ignore[arg-type]
    render.to_ascii(5)  # type: ignore[arg-type]
    cli.main("--version")  # type: ignore[arg-type]
