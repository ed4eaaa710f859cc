"""``crapette compare``: how two logs of one game stand to each other."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from crapette_p2p.cli.errors import BAD_LOG, CHEATED, DONE, CommandFailed
from crapette_p2p.cli.output import (
    complain,
    excerpt,
    versioned,
    write_json,
    write_prose,
)
from crapette_p2p.cli.speaking import words, words_in_force

if TYPE_CHECKING:  # loaded by the functions: --help has to answer at once
    from crapette_p2p.cli.logs import NamedLog
    from crapette_p2p.gamelog.compare import Comparison, DamagedLogError

NAME = "compare"
_EXIT_CODES: Final = {
    "equal": DONE,
    "prefix": DONE,
    "fork": CHEATED,
    "different": BAD_LOG,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's flags."""
    parser.add_argument("first", metavar="A", help="a log, or a game's id")
    parser.add_argument("second", metavar="B", help="the other player's log")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Compare; a fork that proves a fault leaves an evidence file."""
    from crapette_p2p.cli.logs import find_log
    from crapette_p2p.gamelog.compare import DamagedLogError, compare_logs
    from crapette_p2p.net.crypto import verify

    logs: list[NamedLog] = []
    try:
        logs += (find_log(args, source) for source in (args.first, args.second))
        found = compare_logs(logs[0].data, logs[1].data, verify)
    except DamagedLogError as error:
        return _say_damaged(args, logs[error.which].source, error)
    except CommandFailed as failure:
        if args.json and failure.exit_code == BAD_LOG:
            source = (args.first, args.second)[len(logs)]
            _write_error(source, "bad-record", str(failure), record=0)
        raise
    longer = None if found.longer is None else logs[found.longer].source
    evidence = _save_evidence(args, found, logs)
    relation = found.relation.value
    if args.json:
        fields = {"relation": relation, "common": found.common, "longer": longer}
        write_json(versioned({**fields, "evidence": evidence}))
    else:
        _tell(found, longer, evidence)
    return _EXIT_CODES[relation]


def _say_damaged(args: argparse.Namespace, source: str, error: DamagedLogError) -> int:
    """Which file is broken, and where: there is nothing to compare then."""
    from crapette_p2p.ui.telling import why_text

    if args.json:
        _write_error(source, error.why, str(error), record=error.record)
    complain(
        words(
            "{source} breaks at record {first_bad}: {why}",
            source=excerpt(source, 200),
            first_bad=error.record,
            why=why_text(error.why, error.detail, words_in_force()),
        ),
        words("More: crapette verify {source}", source=excerpt(source, 200)),
    )
    return BAD_LOG


def _write_error(source: str, why: str, message: str, *, record: int) -> None:
    """The one object that is printed where there is no comparison."""
    nothing = {"relation": None, "common": 0, "longer": None, "evidence": None}
    told = {"code": why, "message": message, "file": source, "first_bad": record}
    write_json(versioned({**nothing, "error": told}))


def _save_evidence(
    args: argparse.Namespace, found: Comparison, logs: list[NamedLog]
) -> str | None:
    """Keep the proof of a fork; where, or None if there is none to keep."""
    if found.evidence is None:
        return None
    from crapette_p2p.cli.context import paths_of
    from crapette_p2p.cli.explaining import explain
    from crapette_p2p.gamelog.faults import EQUIVOCATION
    from crapette_p2p.gamelog.loading import load_log
    from crapette_p2p.net.failures import StorageError
    from crapette_p2p.net.store import GameStore

    log, paths = load_log(logs[0].data).log, paths_of(args)
    try:
        return str(
            GameStore(paths.games, paths.secrets).save_evidence(
                log.game_id,
                log.genesis.unix_time,
                code=EQUIVOCATION,
                data=found.evidence,
            )
        )
    except StorageError as error:
        complain(words("the proof could not be kept: {error}", error=explain(error)[0]))
        return None


def _tell(found: Comparison, longer: str | None, evidence: str | None) -> None:
    relation = found.relation.value
    if relation == "equal":
        own_words = words_in_force()
        told = own_words.count(
            "the two logs are equal: {n} event",
            "the two logs are equal: {n} events",
            found.common,
        )
        write_prose(told)
    elif relation == "prefix":
        write_prose(
            words(
                "one log goes on where the other ends, at event {common}",
                common=found.common,
            )
        )
        write_prose(words("longer: {longer}", longer=excerpt(longer, 200)))
    elif relation == "fork":
        write_prose(words("the two logs part at event {common}", common=found.common))
        if found.guilty is not None:
            write_prose(
                words("{who} signed both: that is cheating", who="AB"[found.guilty])
            )
        if evidence is not None:
            write_prose(words("proof: {evidence}", evidence=excerpt(evidence, 200)))
    else:
        write_prose(words("these are logs of two different games"))
