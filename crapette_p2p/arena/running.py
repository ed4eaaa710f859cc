"""Run an arena: deals over processes, results on disk, figures at the end.

Results go to an NDJSON file if one is named: a first line with what was asked,
then a line for each game. Started again with the same file, the arena plays only
what is missing; a file of another arena is refused, and so is one with a line that is
no result. A line that was torn by a crash is left out, so its deal is played again.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Self, TextIO, get_args, get_type_hints

from crapette_p2p.arena.deals import Outcome, Task, play_pair
from crapette_p2p.arena.report import Report, report_on
from crapette_p2p.bot import LEVELS
from crapette_p2p.engine import DEFAULT_PRESET, PRESETS, RuleSet, rules_to_json
from crapette_p2p.errors import CrapetteError
from crapette_p2p.net.files import NOT_REGULAR

_BEGIN: Final = '{"number":'
"""How the line of a game begins."""
Pair = tuple[Task, Task]
Results = tuple[Outcome, Outcome]
Mapper = Callable[[Callable[[Pair], Results], Iterable[Pair]], Iterator[Results]]
"""Something like ``map``: applies a function to each pair, in any process."""


class ArenaError(CrapetteError):
    """An arena that cannot be run as asked; the text says why."""

    code = 301


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaOptions:
    """What is to be played."""

    a: str
    """The level that is measured."""
    b: str
    """The level it is measured against."""
    deals: int
    """How many deals; each is played twice with seats changed."""
    seed: int = 0
    rules: RuleSet = PRESETS[DEFAULT_PRESET]
    nodes: int | None = None
    """Boards a searching level looks at for one action; None = its own number."""
    nodes_b: int | None = None
    """The same for ``b``, where the two differ."""

    def asked(self) -> dict[str, object]:
        """What distinguishes this arena from others, whatever its size."""
        return {
            "v": 2,
            "type": "arena",
            "a": self.a,
            "b": self.b,
            "seed": self.seed,
            "rules": rules_to_json(self.rules),
            "nodes": self.nodes,
            **({} if self.nodes_b is None else {"nodes_b": self.nodes_b}),
        }

    def pair(self, number: int) -> Pair:
        """The two games of one deal."""

        def task(*, swapped: bool) -> Task:
            return Task(
                number=number,
                swapped=swapped,
                a=self.a,
                b=self.b,
                rules=self.rules,
                seed=self.seed,
                nodes=self.nodes,
                nodes_b=self.nodes_b,
            )

        return task(swapped=False), task(swapped=True)


def run_arena(
    options: ArenaOptions,
    *,
    jobs: int = 1,
    results: Path | None = None,
    mapper: Mapper | None = None,
    on_outcome: Callable[[Outcome], None] = lambda _: None,
) -> Report:
    """Play all deals and report; broken off (Ctrl-C), report on what was played.

    Args:
        options: What is to be played.
        jobs: Processes to play in; 1 = this one.
        results: File of results, made or taken up again.
        mapper: How deals are spread instead (a cluster's map); overrides ``jobs``.
        on_outcome: Told of each game as it comes in, games read back included.
    """
    _check(options)
    with ExitStack() as stack:
        try:
            known, file = _open_results(options, results, stack)
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            sentence = "{results} cannot be used: {reason}"
            raise ArenaError(sentence, results=results, reason=reason) from error
        done = _whole_pairs(known, options.deals)
        for outcome in done:
            on_outcome(outcome)
        finished = {outcome.number for outcome in done}
        missing = [n for n in range(options.deals) if n not in finished]
        spread = mapper or stack.enter_context(_Processes(jobs))
        try:
            for pair in spread(play_pair, map(options.pair, missing)):
                _append(file, *map(asdict, pair))  # kept before it is counted
                done += pair
                for outcome in pair:
                    on_outcome(outcome)
        except KeyboardInterrupt:
            if not done:
                raise
        except BrokenExecutor as error:
            message = (
                "a process that played was ended from outside "
                "(--resume keeps what was played)"
            )
            raise ArenaError(message) from error
    return report_on(done)


def _check(options: ArenaOptions) -> None:
    for level in (options.a, options.b):
        if level not in LEVELS:
            sentence = "no level {level!r} (there are: {known})"
            raise ArenaError(sentence, level=level, known=", ".join(LEVELS))
    if options.deals < 1:
        raise ArenaError("an arena of no deals shows nothing")


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal, and only the first is to act."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Processes:
    """Maps over worker processes, or in this one where one job is asked for."""

    def __init__(self, jobs: int) -> None:
        # Spawned, not forked: the same on every system, and safe beside threads.
        context = get_context("spawn")
        self._pool = (
            ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
            if jobs > 1
            else None
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def __call__(
        self, function: Callable[[Pair], Results], pairs: Iterable[Pair]
    ) -> Iterator[Results]:
        if self._pool is None:
            return map(function, pairs)
        return self._pool.map(function, pairs)


def _open_results(
    options: ArenaOptions, path: Path | None, stack: ExitStack
) -> tuple[list[Outcome], TextIO | None]:
    if path is None:
        return [], None
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise OSError(0, NOT_REGULAR)  # a FIFO or a device holds us
    text = path.read_text(encoding="utf-8") if os.path.exists(path) else ""
    fresh = _line(options.asked()).startswith(text)  # none, or torn at birth
    known = [] if fresh else _read_results(options, path, text)
    if fresh:
        path.write_bytes(b"")
    file = stack.enter_context(path.open("a+", encoding="utf-8"))
    if fresh:
        _append(file, options.asked())
    else:
        _end_torn_line(path, file)
    return known, file


def _end_torn_line(path: Path, file: TextIO) -> None:
    with path.open("rb") as tail:
        tail.seek(-1, os.SEEK_END)
        if tail.read(1) != b"\n":
            file.write("\n")


def _read_results(options: ArenaOptions, path: Path, text: str) -> list[Outcome]:
    first, *lines = text.split("\n")
    asked = _object(first)
    if asked is None or asked.get("type") != options.asked()["type"]:
        raise ArenaError("{path} holds no results of an arena", path=path)
    if asked != options.asked():
        sentence = "{path} holds the results of another arena: {asked}"
        raise ArenaError(sentence, path=path, asked=json.dumps(asked))
    found = []
    for number, line in enumerate(lines, 2):
        if _is_torn(line):
            continue
        outcome = _outcome(_object(line) or {})
        if outcome is None:
            raise ArenaError(
                "{path}, line {line} holds no result; without that line its deal is "
                "played again",
                path=path,
                line=number,
            )
        found.append(outcome)
    return found


def _is_torn(line: str) -> bool:
    """Whether a line is a result that a crash has cut off, or nothing at all."""
    begin = _BEGIN[: len(line)]
    return line.startswith(begin) and not line.endswith("}")


def _object(line: str) -> dict[str, object] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _outcome(game: dict[str, object]) -> Outcome | None:
    kinds = get_type_hints(Outcome)
    if game.keys() != kinds.keys():
        return None
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in game.items()}
    if not all(_is_of(kind, values[name]) for name, kind in kinds.items()):
        return None
    outcome = Outcome(**values)  # type: ignore[arg-type] # just looked
    seats = {outcome.winner, outcome.starter} <= {None, 0, 1}
    return outcome if seats and outcome.number >= 0 else None


def _is_of(kind: object, value: object) -> bool:
    """Whether a value is what a field of an outcome holds."""
    if kind == tuple[int, int]:
        pair = value if isinstance(value, tuple) else ()
        return [type(number) for number in pair] == [int, int]
    return type(value) in (get_args(kind) or (kind,))


def _whole_pairs(known: list[Outcome], deals: int) -> list[Outcome]:
    """The games of deals of which both seatings were played, each once."""
    games = {(o.number, o.swapped): o for o in known if o.number < deals}
    return [o for (n, swapped), o in games.items() if (n, not swapped) in games]


def _append(file: TextIO | None, *values: dict[str, object]) -> None:
    if file is None:
        return
    try:
        file.write("".join(map(_line, values)))
        file.flush()
    except OSError as error:
        with suppress(OSError):
            file.close()  # what it still holds would fail once more
        sentence = "{path} cannot be written: {reason}"
        reason = error.strerror or str(error)
        raise ArenaError(sentence, path=file.name, reason=reason) from error


def _line(value: dict[str, object]) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
