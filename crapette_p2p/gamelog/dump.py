"""Logs as text and as JSON values: for diffs, exports and other programs.

Pure: values and lines come out, whoever prints encodes them. Text of the peer
(nicks, notes) is escaped here, for a log may come from anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crapette_p2p.cards import format_card
from crapette_p2p.engine.layout import SEAT_NAMES
from crapette_p2p.engine.notation import format_action
from crapette_p2p.engine.played import is_talk
from crapette_p2p.engine.position import Position
from crapette_p2p.engine.position_json import position_to_json
from crapette_p2p.engine.queries import result_json
from crapette_p2p.engine.ruleset import rules_to_json
from crapette_p2p.gamelog.events import EventType, decode_event, event_hash
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.gamelog.labels import seen
from crapette_p2p.gamelog.log import Entry, GameLog
from crapette_p2p.gamelog.replay import Replay, Step
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.gamelog.times import Times, clock_text, time_played
from crapette_p2p.gamelog.verify import WHY, Verdict

Line = dict[str, object]
FORMAT: Final = "crapette-log/1"
Say = Callable[[str], str]
"""English → the language of whoever reads."""
_ENDS: Final = {
    "empty": "empty",
    "blocked": "blocked",
    "limit": "limit",
    "agreed": "agreed",
    "resigned": "resigned",
}
"""How a deal ended, for people."""


def plain(text: str) -> str:
    """Text of somebody else as harmless ASCII-or-letters on one line."""
    return seen("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))


def dump_json_lines(replay: Replay) -> Iterator[Line]:
    """One value per event that changes the table; the lay-out is ``n`` 0.

    ``n`` is the number of the move, as the replay and ``--at`` count them.
    """
    position = replay.moment(0).position
    if position is None:
        return
    yield _moment_line(0, replay.start - 1, None, position)
    for step in _table_steps(replay):
        position = replay.moment(step.number).position
        if position is not None:
            yield _moment_line(step.move, step.seq, step, position)


def _moment_line(n: int, seq: int, step: Step | None, position: Position) -> Line:
    line: Line = {"n": n, "seq": seq, "move": None}
    if step is not None:
        line |= _move_fields(step)
    line["position"] = position_to_json(position)
    if position.end is not None:
        line["result"] = result_json(position.end)
    return line


def _move_fields(step: Step) -> Line:
    fields: Line = {
        "author": SEAT_NAMES[step.author],
        "turn": step.turn,
        "move": format_action(step.action, seat=step.author),
        "card": None if step.card is None else format_card(step.card),
    }
    if step.upheld is not None:
        fields["upheld"] = step.upheld
    return fields


def _table_steps(replay: Replay) -> Iterator[Step]:
    for step in replay.steps:
        if not is_talk(step.action):
            yield step


def dump_text(replay: Replay) -> Iterator[str]:
    """The position after every event that changes the table, as lines of text."""
    state = replay.moment(0)
    if state.position is None:
        return
    yield from _position_lines("0 the lay-out", state.position)
    for step in _table_steps(replay):
        position = replay.moment(step.number).position
        if position is not None:
            head = f"{step.move} {SEAT_NAMES[step.author]} {_told(step)}"
            yield from _position_lines(head, position)


def _told(step: Step, words: Say = str) -> str:
    text = step.text
    if step.card is not None and step.text == "turn":
        text += " " + format_card(step.card)
    if step.upheld is not None:
        text += f" ({words('upheld') if step.upheld else words('wrong')})"
    return text


def _position_lines(head: str, position: Position) -> Iterator[str]:
    yield head

    def row(pile: int) -> str:
        return " ".join(format_card(position.faces[s]) for s in position.piles[pile])

    for column in range(8):
        yield f"  {column + 1}: {row(column)}".rstrip()
    tops = [format_card(position.top(p)) for p in range(8, 16) if position.piles[p]]
    yield f"  F: {' '.join(tops)}".rstrip()
    for seat, name in enumerate(SEAT_NAMES):
        mark = "*" if position.active == seat else " "
        stock = len(position.piles[18 + seat])
        yield f" {mark}{name} reserve: {row(16 + seat)}".rstrip()
        yield f"   stock: {stock}  drawn: {row(20 + seat) or '-'}"
        yield f"   waste: {row(22 + seat)}".rstrip()
    if position.end is not None:
        yield f"  end: {_result_text(position)}"
    yield ""


def _result_text(position: Position, words: Say = str) -> str:
    if position.end is None:
        return words("none")
    result = result_json(position.end)
    winner = result["winner"] or words("nobody")
    state = words("provisionally ") if result["provisional"] else ""
    a, b = position_score(position)
    return f"{state}{winner} ({words(_ENDS[str(result['reason'])])}), {a}-{b}"


def position_score(position: Position) -> tuple[int, int]:
    """What the deal gives each seat so far: points of its end, 0 without one."""
    end = position.end
    if end is None or end.winner is None:
        return 0, 0
    return (end.points, 0) if end.winner == 0 else (0, end.points)


def log_to_json_lines(replay: Replay, times: Times | None = None) -> Iterator[Line]:
    """A whole log, readable: its genesis, every event, notes, what it proves.

    ``times``: when each event was recorded, which stands beside a log, not in it.
    """
    log = replay.log
    yield {"v": 1, "type": "genesis", "format": FORMAT, **_genesis_fields(log)}
    told = {step.seq: step for step in replay.steps}
    for seq, entry in enumerate(log.entries):
        line = _event_line(seq, entry, told.get(seq))
        if times is not None and seq in times.at:
            line["ms"] = times.at[seq]
        yield line
    for signed in log.voids:
        event = signed.event
        yield {
            "v": 1,
            "type": "void",
            "seq": event.seq,
            "author": SEAT_NAMES[event.author],
            "event": _type_name(event.type),
            "hash": signed.hash.hex(),
        }
    if log.pending is not None:
        yield {
            "v": 1,
            "type": "pending",
            "seq": log.pending.event.seq,
            "author": SEAT_NAMES[log.pending.event.author],
            "event": _type_name(log.pending.event.type),
        }
    for note in log.notes:
        text = plain(note.text)
        yield {"v": 1, "type": "note", "at": note.at, "code": note.code, "text": text}
    if log.fault is not None:
        yield {"v": 1, "type": "fault", **_fault_fields(log)}
    yield _verdict_line(replay.verdict, replay.seek(replay.length))


def _genesis_fields(log: GameLog) -> Line:
    genesis: Genesis = log.genesis
    match = genesis.match
    return {
        "game_id": log.game_id.hex(),
        "preset": plain(genesis.preset),
        "rules": rules_to_json(genesis.rules),
        "k": genesis.k,
        "assist": genesis.assist,
        "match": {
            "deal": match.deal_number,
            "target": match.target,
            "scores": list(match.scores),
            "previous": None if match.previous is None else match.previous.hex(),
        },
        "players": [
            {"seat": seat, "nick": plain(nick), "key": key.hex()}
            for seat, nick, key in zip(
                SEAT_NAMES, genesis.nicks, genesis.keys, strict=True
            )
        ],
        "unix_time": genesis.unix_time,
    }


def _event_line(seq: int, entry: Entry, step: Step | None) -> Line:
    event = entry.signed.event
    line: Line = {
        "v": 1,
        "type": "event",
        "seq": seq,
        "author": SEAT_NAMES[event.author],
        "event": _type_name(event.type),
    }
    if step is not None:
        line |= _move_fields(step)
    line["hash"] = entry.signed.hash.hex()
    line["state_after"] = entry.state_after.hex()
    return line


def _type_name(kind: int) -> str:
    try:
        return EventType(kind).name
    except ValueError:
        return f"type {kind}"


def _fault_fields(log: GameLog) -> Line:
    fault = log.fault
    if fault is None:
        return {}
    fields: Line = {"code": fault.code, "hash": event_hash(fault.data).hex()}
    try:
        fields["author"] = SEAT_NAMES[decode_event(fault.data).author]
    except ValueError:
        fields["ack"] = True
    return fields


def _verdict_line(verdict: Verdict | None, state: GameState) -> Line:
    line: Line = {"v": 1, "type": "end"}
    end = state.end
    line["result"] = None if end is None else result_json(end)
    if verdict is not None:
        line |= {
            "level": verdict.level,
            "first_bad": verdict.first_bad,
            "why": verdict.why,
        }
    return line


def _played_by(replay: Replay, seq: int, times: Times | None) -> str:
    """How long the cards had lain there at an event; empty if that is not known."""
    if times is None:
        return ""
    played = time_played(times, replay.start - 1, seq)
    return "" if played is None else clock_text(played // 1000)


def _agreed(genesis: Genesis, words: Say) -> Iterator[str]:
    """What differs from a single deal by a preset under its own name."""
    rules, match = rules_to_json(genesis.rules), genesis.match
    if isinstance(rules, dict):
        switches = ", ".join(f"{k} {_value(v, words)}" for k, v in rules.items())
        yield f"{words('switches')} {switches}"
    elif rules != genesis.preset:
        yield f"{words('preset')} {rules}"
    if match.target > 1:
        score = "-".join(map(str, match.scores))
        told = words("match to {target}, deal {deal}, began at {score}")
        yield told.format(target=match.target, deal=match.deal_number, score=score)


def _value(value: object, words: Say) -> str:
    if isinstance(value, bool):
        return words("yes") if value else words("no")
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)


def log_to_text(
    replay: Replay, words: Say = str, times: Times | None = None
) -> Iterator[str]:
    """A whole log for people: who, which rules, every action by turns, the end.

    ``words`` translates; actions stay in the notation of the rules. With ``times``
    each turn says how long the deal had been played when it began.
    """
    log, genesis = replay.log, replay.log.genesis
    yield f"{words('game')} {log.game_id.hex()}"
    yield f"{words('rules')} {genesis.label}"
    yield from _agreed(genesis, words)
    for name, nick in zip(SEAT_NAMES, genesis.nicks, strict=True):
        yield f"{name} {plain(nick)}"
    turn, line = 0, ""
    for step in replay.steps:
        if step.turn != turn:
            if line:
                yield line
            turn = step.turn
            line = f"{turn:4} {SEAT_NAMES[step.author]}"
            began = _played_by(replay, step.seq, times)
            line += f"  [{began}]" if began else ""
        seat = SEAT_NAMES[step.author]
        mark = "" if line[5:6] == seat else f"{seat}:"
        line += f"  {mark}{_told(step, words)}"
    if line:
        yield line
    position = replay.seek(replay.length).position
    if position is not None:
        yield f"{words('end')} {_result_text(position, words)}"
    if took := _played_by(replay, replay.length - 1, times):
        yield f"{words('duration')} {took}"
    for note in log.notes:
        yield f"{words('note')} {note.at}: {note.code} {plain(note.text)}"
    if replay.verdict is not None and replay.verdict.why is not None:
        why = words(WHY[replay.verdict.why])
        yield f"{words('record')} {replay.verdict.first_bad}: {why}"
