"""The arena: mirrored deals that repeat, figures that add up, results that go on."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Self

import pytest

from crapette_p2p.arena import (
    ArenaError,
    ArenaOptions,
    Outcome,
    Referee,
    run_arena,
)
from crapette_p2p.arena.cluster import cluster
from crapette_p2p.arena.deals import shuffled_faces
from crapette_p2p.arena.running import Mapper, Pair, Results
from crapette_p2p.engine import PRESETS
from tests.helpers.fullness import files_end_at
from tests.helpers.strategies import seeded

SMALL = ArenaOptions(a="club", b="novice", deals=3, seed=4)


def test_decks_are_whole_and_repeat() -> None:
    """Each deck is 52 cards, and equal numbers shuffle equally."""
    faces = shuffled_faces(seeded(1))
    assert sorted(faces[:52]) == sorted(faces[52:]) == list(range(52))
    assert faces == shuffled_faces(seeded(1))
    assert faces != shuffled_faces(seeded(2))


def test_a_deal_is_played_twice_with_seats_changed() -> None:
    """Both games of a deal have the same cards and the same starter."""
    one, two = SMALL.pair(0)
    assert one.levels == ("club", "novice")
    assert two.levels == ("novice", "club")
    first, second = Referee(one), Referee(two)
    assert first.faces == second.faces
    assert first.position == second.position


def test_each_level_has_its_own_budget_in_either_seat() -> None:
    """``nodes_b`` goes with ``b`` when seats change; without it both have the same."""
    for options, budgets in (
        (replace(SMALL, nodes=30, nodes_b=20), (30, 20)),
        (replace(SMALL, nodes=30), (30, 30)),
        (replace(SMALL, nodes_b=20), (None, 20)),
    ):
        one, two = options.pair(0)
        assert one.budgets == budgets
        assert two.budgets == budgets[::-1]


def test_a_budget_of_its_own_is_played_with() -> None:
    """The search of ``b`` looks at as many boards as its own budget has."""
    options = ArenaOptions(a="master", b="master", deals=1, nodes=2)
    one, _ = options.pair(0)
    other, _ = replace(options, nodes_b=60).pair(0)
    assert Referee(one).outcome() != Referee(other).outcome()


@pytest.mark.slow
def test_an_arena_repeats() -> None:
    """The same question has the same answer, another seed another one."""
    assert run_arena(SMALL) == run_arena(SMALL)
    assert run_arena(SMALL) != run_arena(replace(SMALL, seed=5))


@pytest.mark.slow
def test_processes_change_nothing() -> None:
    """Spread over processes the figures are the same."""
    assert run_arena(SMALL, jobs=2) == run_arena(SMALL)


def test_the_figures_add_up() -> None:
    """Wins, draws and games agree with the outcomes told one by one."""
    told: list[Outcome] = []
    report = run_arena(SMALL, on_outcome=told.append)
    assert report.games == len(told) == 6
    assert report.a.wins + report.b.wins + report.draws == 6
    assert report.a.wins == sum(o.winner == int(o.swapped) for o in told)
    assert report.score.low <= report.score.value <= report.score.high
    assert report.events.most == max(o.events for o in told)
    right = sum(sum(o.right_calls) for o in told)
    assert report.a.right_calls + report.b.right_calls == right
    assert report.a.offences + report.b.offences >= right


@pytest.mark.slow
def test_what_is_missing_is_played(tmp_path: Path) -> None:
    """A cut-off file is taken up: torn and half-played deals are played again."""
    path = tmp_path / "results.ndjson"
    whole = run_arena(SMALL, results=path)
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) == 7
    cut = "\n".join(lines[:4]) + '\n{"number":1,"swa'
    path.write_text(cut, "utf-8")
    told: list[Outcome] = []
    assert run_arena(SMALL, results=path, on_outcome=told.append) == whole
    assert run_arena(SMALL, results=path) == whole
    assert sorted((o.number, o.swapped) for o in told) == sorted(
        (n, s) for n in range(3) for s in (False, True)
    )
    more = run_arena(replace(SMALL, deals=4), results=path)
    assert more.deals == 4


def test_the_file_of_another_arena_is_refused(tmp_path: Path) -> None:
    """Results of other levels, seeds or rules are not mixed in."""
    path = tmp_path / "results.ndjson"
    run_arena(replace(SMALL, deals=1), results=path)
    before = path.read_bytes()
    for other in (
        replace(SMALL, a="baseline"),
        replace(SMALL, seed=6),
        replace(SMALL, rules=PRESETS["garibaldka"]),
        replace(SMALL, nodes=7),
        replace(SMALL, nodes_b=7),
    ):
        with pytest.raises(ArenaError, match="another arena"):
            run_arena(other, results=path)
    assert path.read_bytes() == before


def test_results_that_cannot_be_kept(tmp_path: Path) -> None:
    """A directory that is not there, or bytes that are no text, are said."""
    with pytest.raises(ArenaError, match="cannot be used"):
        run_arena(SMALL, results=tmp_path / "no" / "where")
    path = tmp_path / "noise"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ArenaError, match="not text"):
        run_arena(SMALL, results=path)


@pytest.mark.parametrize(
    "foreign", ["dear diary\n", "3\n", "\n", '{"type":"position"}\n{}\n', "[]"]
)
def test_a_foreign_file_is_left_alone(tmp_path: Path, foreign: str) -> None:
    """What holds no results of an arena gets none."""
    path = tmp_path / "diary"
    path.write_text(foreign)
    with pytest.raises(ArenaError, match="holds no results of an arena"):
        run_arena(SMALL, results=path)
    assert path.read_text() == foreign


def test_a_file_torn_at_birth_is_begun_again(tmp_path: Path) -> None:
    """Killed while the first line was written, an arena starts afresh."""
    path = tmp_path / "results.ndjson"
    whole = run_arena(replace(SMALL, deals=1), results=path)
    first = path.read_text().splitlines()[0]
    path.write_text(first[:20])
    assert run_arena(replace(SMALL, deals=1), results=path) == whole
    assert path.read_text().splitlines()[0] == first


@pytest.fixture(scope="module")
def one_deal_kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The results of one deal: what was asked, and two games."""
    path = tmp_path_factory.mktemp("arena") / "results.ndjson"
    run_arena(replace(SMALL, deals=1), results=path)
    return path.read_text()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", "0"),
        ("number", -1),
        ("number", True),
        ("swapped", 1),
        ("winner", 2),
        ("winner", "a"),
        ("starter", None),
        ("reason", 5),
        ("points", 1.5),
        ("turns", None),
        ("offences", [1]),
        ("offences", [1, "2"]),
        ("right_calls", 3),
        ("other", 0),
    ],
)
def test_a_line_that_holds_no_result_is_named(
    tmp_path: Path, one_deal_kept: str, name: str, value: object
) -> None:
    """Values that no game leaves behind are not counted, nor stumbled over."""
    path = tmp_path / "results.ndjson"
    asked, first, second = one_deal_kept.splitlines()
    game = json.dumps({**json.loads(second), name: value})
    path.write_text(f"{asked}\n{first}\n{game}\n")
    with pytest.raises(ArenaError) as error:
        run_arena(replace(SMALL, deals=1), results=path)
    assert error.value.values == {"path": path, "line": 3}
    assert path.read_text() == f"{asked}\n{first}\n{game}\n"


@pytest.mark.parametrize("line", ["42", "null", '{"number":0}', "\0\0\0", "[[["])
def test_a_line_that_is_no_game_is_named(
    tmp_path: Path, one_deal_kept: str, line: str
) -> None:
    """Only what a crash has cut off, and blank lines, are left out."""
    path = tmp_path / "results.ndjson"
    path.write_text(f'{one_deal_kept}\n{{"numb\n{line}\n')
    with pytest.raises(ArenaError) as error:
        run_arena(replace(SMALL, deals=1), results=path)
    assert error.value.values["line"] == 6


def test_questions_that_make_no_sense() -> None:
    """Unknown levels and arenas of nothing are refused."""
    with pytest.raises(ArenaError, match="no level"):
        run_arena(replace(SMALL, a="grandmaster"))
    with pytest.raises(ArenaError, match="no deals"):
        run_arena(replace(SMALL, deals=0))


@pytest.mark.slow
def test_any_map_can_spread_the_deals() -> None:
    """A cluster's map is as good as a local one."""
    used = []

    def spread(
        function: Callable[[Pair], Results], pairs: Iterable[Pair]
    ) -> Iterator[Results]:
        for pair in pairs:
            used.append(pair[0].number)
            yield function(pair)

    assert run_arena(SMALL, mapper=spread) == run_arena(SMALL)
    assert used == [0, 1, 2]


def interrupted_after(pairs_played: int) -> Mapper:
    """A map during which somebody presses Ctrl-C."""

    def spread(
        function: Callable[[Pair], Results], pairs: Iterable[Pair]
    ) -> Iterator[Results]:
        for played, pair in enumerate(pairs):
            if played == pairs_played:
                raise KeyboardInterrupt
            yield function(pair)

    return spread


def test_an_interrupt_keeps_what_was_played(tmp_path: Path) -> None:
    """Ctrl-C ends in a report of the whole deals, and the file goes on later."""
    path = tmp_path / "results.ndjson"
    half = run_arena(SMALL, mapper=interrupted_after(2), results=path)
    assert half == run_arena(replace(SMALL, deals=2))
    assert run_arena(SMALL, results=path) == run_arena(SMALL)
    with pytest.raises(KeyboardInterrupt):
        run_arena(SMALL, mapper=interrupted_after(0))


def test_a_full_disk_is_named_and_keeps_what_was_played(tmp_path: Path) -> None:
    """The file is said not to be writable, and the arena goes on once there is room."""
    path = tmp_path / "results.ndjson"
    run_arena(replace(SMALL, deals=1), results=tmp_path / "one")
    one = (tmp_path / "one").stat().st_size
    wanted = re.escape(f"{path} cannot be written: File too large")
    for room in (10, one + 100):
        with files_end_at(room), pytest.raises(ArenaError, match=wanted):
            run_arena(SMALL, results=path)
    assert path.stat().st_size == one + 100
    assert run_arena(SMALL, results=path) == run_arena(SMALL)


def test_a_process_that_dies_is_said() -> None:
    """Whoever ends a worker gets a sentence, not a traceback."""

    def spread(_: object, pairs: Iterable[Pair]) -> Iterator[Results]:
        raise BrokenExecutor
        yield from ()

    with pytest.raises(ArenaError, match="ended from outside"):
        run_arena(SMALL, mapper=spread)


def test_a_cluster_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the error says which one."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ArenaError, match="distributed"), cluster("tcp://127.0.0.1:1"):
        pass


class _Lost:
    """A client of Dask, and its only future, after its scheduler was lost."""

    status = "closed"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def scheduler_info(self) -> dict[str, dict[str, int]]:
        """One worker, as long as there was a scheduler."""
        return {"workers": {"tcp://127.0.0.1:1": 1}}

    def map(self, *_: object, pure: bool) -> list[_Lost]:
        """All that was to be played."""
        assert not pure
        return [self]

    def result(self) -> Results:
        """Nobody fetches it any more."""
        raise AttributeError("'NoneType' object has no attribute 'gather'")

    def cancel(self, _: object) -> None:
        """Nor is there anybody to tell that it is not wanted."""
        raise RuntimeError("Client is closed. Can't send cancel-keys message.")


def test_a_client_that_has_closed_meanwhile_has_lost_its_scheduler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever was slow to look for the results gets the same sentence."""
    dask = SimpleNamespace(config=SimpleNamespace(set=lambda _: nullcontext()))
    distributed = SimpleNamespace(
        Client=lambda *_, **__: _Lost(),
        as_completed=iter,
        KilledWorker=ZeroDivisionError,
        CancelledError=ZeroDivisionError,
    )
    monkeypatch.setitem(sys.modules, "dask", dask)
    monkeypatch.setitem(sys.modules, "distributed", distributed)
    with (
        cluster("tcp://127.0.0.1:1") as mapper,
        pytest.raises(ArenaError, match="was lost"),
    ):
        run_arena(SMALL, mapper=mapper)


def test_outcomes_are_plain_json() -> None:
    """What is written of a game is read back as it was."""
    outcome = Referee(SMALL.pair(0)[0]).outcome()
    back = json.loads(json.dumps(asdict(outcome)))
    assert back["reason"] in {"empty", "blocked"}
    assert back["offences"] == list(outcome.offences)
