"""``crapette verify``: check signatures, shuffles and moves of logs and evidence."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from crapette_p2p.cli.errors import BAD_LOG, CHEATED, DONE, USAGE, CommandFailed
from crapette_p2p.cli.inputs import count
from crapette_p2p.cli.output import (
    complain,
    excerpt,
    versioned,
    write_json,
    write_prose,
)
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.gamelog.evidence import Judgement
    from crapette_p2p.gamelog.verify import Verdict

NAME = "verify"
Answer = dict[str, object]


@dataclass(frozen=True, slots=True)
class _Unread:
    """A file that is not there, among others that are."""

    file: str
    failure: CommandFailed


LEVELS: Final = (
    "damaged",
    "everything is signed",
    "signed, and every move is lawful",
    "signed and lawful, and every card opened as committed",
    "signed and lawful, every card opened as committed, both shuffles honest",
    "every signature, move, card and shuffle is good, and both signed the result",
)
_NEVER_BEGUN: Final = "a game that never began: only one player has signed its terms"
_REASONS: Final = {
    "empty": "all own cards are gone",
    "blocked": "the game is blocked",
    "limit": "the game grew too long",
    "agreed": "both agreed to it",
    "resigned": "the other player resigned",
}
"""How a deal ended → in words."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a log, an evidence file, an id, last"
    )
    parser.add_argument(
        "--jobs", type=count, default=1, metavar="N", help="check N files at a time"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Check every file; the worst finding decides the exit code."""
    opened = [_opened(args, file) for file in args.files]
    logs = [file for file in opened if isinstance(file, tuple)]
    judged = iter(_answers(logs, args.jobs))
    findings = [next(judged) if isinstance(file, tuple) else file for file in opened]
    several = len(findings) > 1
    if args.json:
        answers = [_as_json(found) for found in findings]
        write_json(answers if several else answers[0])
    else:
        for found in findings:
            _tell(found)
    codes = [_exit_code(found) for found in findings]
    if args.json and several:  # an array is an answer, whatever its items say
        return USAGE if USAGE in codes else DONE
    return max(codes)


def _opened(
    args: argparse.Namespace, file: str
) -> tuple[str, bytes] | Answer | _Unread:
    """A file and its bytes; with ``--json`` an answer too if it can be no log."""
    from crapette_p2p.cli.logs import find_log

    try:
        log = find_log(args, file)
    except CommandFailed as failure:
        if not args.json or failure.exit_code != BAD_LOG:
            if len(args.files) == 1:
                raise
            return _Unread(file, failure)
        return {**answer_for(file, b""), "detail": str(failure)}
    return log.source, log.data


def _as_json(found: Answer | _Unread) -> Answer:
    if not isinstance(found, _Unread):
        return found
    failed = found.failure
    error = {"code": "no-file", "message": str(failed)}
    return versioned({"file": found.file, "error": error})


def _tell(found: Answer | _Unread) -> None:
    if isinstance(found, _Unread):
        failed = found.failure
        complain(str(failed), failed.hint)
        return
    for line in _lines(found):
        write_prose(line)


def _answers(logs: list[tuple[str, bytes]], jobs: int) -> Iterable[Answer]:
    if jobs == 1 or len(logs) <= 1:
        return (answer_for(*log) for log in logs)
    from concurrent.futures import ProcessPoolExecutor

    # Here rather than in each process, where they are forked and so share it.
    _load_verifiers()
    # The longest first: one begun last would keep everybody waiting.
    order = sorted(range(len(logs)), key=lambda number: -len(logs[number][1]))
    with ProcessPoolExecutor(min(jobs, len(logs))) as pool:
        running = {number: pool.submit(answer_for, *logs[number]) for number in order}
        return [running[number].result() for number in range(len(logs))]


def _load_verifiers() -> None:
    """Import what ``answer_for`` needs."""
    import crapette_p2p.gamelog.evidence
    import crapette_p2p.gamelog.verify
    import crapette_p2p.net.crypto  # noqa: F401 - its import is all that is wanted


def answer_for(source: str, data: bytes) -> Answer:
    """What one file proves, as JSON."""
    from crapette_p2p.gamelog.evidence import is_evidence, judge_evidence
    from crapette_p2p.gamelog.verify import verify_log
    from crapette_p2p.net.crypto import verify

    if is_evidence(data):
        return _of_evidence(source, judge_evidence(data, verify))
    return _of_log(source, verify_log(data, verify))


def _of_log(source: str, verdict: Verdict) -> Answer:
    from crapette_p2p.engine.queries import result_json

    summary = verdict.summary
    torn = verdict.torn and verdict.first_bad is None
    return versioned(
        {
            "file": source,
            "level": verdict.level,
            "begun": verdict.begun and summary is not None,
            "result": result_json(verdict.end) if verdict.end is not None else None,
            "first_bad": verdict.records if torn else verdict.first_bad,
            "why": "torn" if torn else verdict.why,
            "detail": "the file ends within it" if torn else verdict.detail,
            "game": summary.game_id.hex() if summary is not None else None,
            "players": list(summary.genesis.nicks) if summary is not None else None,
            "events": summary.events if summary is not None else 0,
            "owed_by": _seat(verdict.debtor),
            "owes": _owes(verdict),
            "guilty": _seat(verdict.guilty),
            "fault": verdict.guilty_of,
            "torn": verdict.torn,
            "caveats": list(verdict.caveats),
        }
    )


def _owes(verdict: Verdict) -> str | None:
    """The name of the message that is awaited; a play is called ``move``."""
    if verdict.debtor is None:
        return None
    if not verdict.begun:
        return "START"
    if verdict.summary is not None and verdict.summary.pending:
        return "ACK"
    owed = verdict.owed
    return None if owed is None else owed.type.name if owed.type else "move"


def _of_evidence(source: str, judged: Judgement) -> Answer:
    summary = judged.summary
    return versioned(
        {
            "file": source,
            "evidence": True,
            "proven": judged.proven,
            "guilty": _seat(judged.seat),
            "fault": judged.code,
            "why": judged.why,
            "detail": judged.detail,
            "game": summary.game_id.hex() if summary is not None else None,
            "players": list(summary.genesis.nicks) if summary is not None else None,
        }
    )


def _seat(seat: int | None) -> str | None:
    return None if seat is None else "AB"[seat]


def _exit_code(answer: Answer | _Unread) -> int:
    if isinstance(answer, _Unread):
        return answer.failure.exit_code
    if "evidence" in answer:
        return DONE if answer["proven"] else BAD_LOG
    if answer["guilty"] is not None:
        return CHEATED
    return DONE if answer["first_bad"] is None else BAD_LOG


def _lines(answer: Answer) -> Iterator[str]:
    from crapette_p2p.ui.telling import why_text

    file = excerpt(answer["file"], 200)
    if "evidence" in answer:
        yield f"{file}: {_evidence_sentence(answer)}"
        return
    level = cast("int", answer["level"])
    never = answer["game"] is not None and not answer["begun"]
    yield words(
        "{file}: level {level} of 5, {meaning}",
        file=file,
        level=level,
        meaning=words(_NEVER_BEGUN if never else LEVELS[level]),
    )
    if answer["first_bad"] is not None:
        why = why_text(str(answer["why"]), str(answer["detail"]), words_in_force())
        yield "  " + words("record {n}: {why}", n=answer["first_bad"], why=why)
    if answer["guilty"] is not None:
        who = _player(answer, str(answer["guilty"]))
        yield "  " + words(
            "{who} broke the rules (code {code}), and signed it",
            who=who,
            code=answer["fault"],
        )
    yield from _story(answer)


def _story(answer: Answer) -> Iterator[str]:
    from crapette_p2p.gamelog.fold import OPENED
    from crapette_p2p.gamelog.verify import BLIND_SPOTS, CAVEATS

    if answer["level"] == OPENED and _is_before_the_cards(answer):
        yield "  " + words(
            "no card was dealt yet: there was no card and no move to be checked"
        )
    if answer["result"] is not None:
        yield "  " + _result(answer, cast("Answer", answer["result"]))
    if answer["owed_by"] is not None:
        yield "  " + words(
            "the next message is owed by {who}: {what}",
            who=_player(answer, str(answer["owed_by"])),
            what=words("a move") if answer["owes"] == "move" else answer["owes"],
        )
    caveats = cast("list[str]", answer["caveats"])
    for caveat in caveats:
        if caveat in CAVEATS and caveat != "torn":  # its record was named
            yield "  " + words("note: {text}", text=words(CAVEATS[caveat]))
    blind = [words(BLIND_SPOTS[caveat]) for caveat in caveats if caveat in BLIND_SPOTS]
    if blind:
        yield "  " + words("no log can show: {list}", list="; ".join(blind))


def _is_before_the_cards(answer: Answer) -> bool:
    """Whether the log ends before its first card lies open, and so before any move.

    Nothing is wrong with it then, and its level says so of what is not there.
    """
    from crapette_p2p.gamelog.state import SETUP_EVENTS

    return cast("int", answer["events"]) < SETUP_EVENTS - 1  # the first OPEN_B


def _result(answer: Answer, result: Answer) -> str:
    """How the deal ended, in words."""
    winner = result["winner"]
    reason = words(_REASONS[str(result["reason"])])
    ahead = words(" (not final yet)") if result["provisional"] else ""
    if winner is None:
        return words("a draw: {reason}{ahead}", reason=reason, ahead=ahead)
    a, b = cast("list[int]", result["score"])
    return words(
        "won by {who}, {reason}, {a} to {b}{ahead}",
        who=_player(answer, str(winner)),
        reason=reason,
        a=a,
        b=b,
        ahead=ahead,
    )


def _player(answer: Answer, seat: str) -> str:
    names = cast("list[str] | None", answer["players"])
    name = names["AB".index(seat)] if names else "?"
    return f"{excerpt(name, 40)} ({seat})"


def _evidence_sentence(answer: Answer) -> str:
    from crapette_p2p.ui.telling import why_text

    if not answer["proven"]:
        return words(
            "proves nothing ({why})",
            why=why_text(str(answer["why"]), "", words_in_force()),
        )
    who = _player(answer, str(answer["guilty"]))
    return words(
        "proves that {who} broke the rules (code {code})", who=who, code=answer["fault"]
    )
