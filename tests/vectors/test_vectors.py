"""Every vector of ``protocol/vectors``, against the code; none may be skipped."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.vectors import (
    run_bytes,
    run_link,
    run_lobby,
    run_log,
    run_login,
    run_resume,
    run_rules,
    run_session,
)
from tests.vectors.making import fresh_files
from tests.vectors.making.writing import VECTORS
from tests.vectors.spec_pages import PROTOCOL, SPEC, table
from tests.vectors.values import Json, Refused

RUNNERS: Final = (
    run_bytes.RUNNERS
    | run_link.RUNNERS
    | run_lobby.RUNNERS
    | run_log.RUNNERS
    | run_login.RUNNERS
    | run_resume.RUNNERS
    | run_rules.RUNNERS
    | run_session.RUNNERS
)
FILES: Final = sorted(VECTORS.glob("*.json"))
SCHEMAS: Final = sorted((PROTOCOL / "schema").glob("*.json"))
SLOW: Final = frozenset(
    {
        "evidence",
        "farewells",
        "logs",
        "logs-broken",
        "perft-independent",
        "received-end",
        "received-play",
    }
    | {
        "comparisons",
        "rates",
        "received-lot",
        "received-set-up",
        "resumes",
        "session-states",
        "timers",
    }
)
"""Files that take more than a quarter of a second."""
DERIVING: Final = frozenset(
    {"beacons", "collisions", "handshake", "layers", "perft", "shown-text"}
    | {"signed-events", "starters", "state-hashes"}
)
"""Kinds that only compute: there is next to nothing to refuse."""


@cache
def load(path: Path) -> Json:
    """A vector file."""
    found: Json = json.loads(path.read_text("utf-8"))
    return found


def cases_in(path: Path) -> list[Json]:
    """All tests of a file."""
    return [test for group in load(path)["groups"] for test in group["tests"]]


def kind_of(path: Path) -> str:
    """The kind of a file: the name of its schema."""
    name: str = load(path)["schema"]
    return name.removesuffix(".json")


def name_of(path: Path) -> str:
    """What the tests call a file."""
    return path.stem


def _timed(path: Path) -> object:
    marks = [pytest.mark.slow] if path.stem in SLOW else []
    return pytest.param(path, marks=marks)


@cache
def registry() -> Registry[Any]:
    """All schemas, by their names."""
    found: Registry[Any] = Registry()
    resources = [json.loads(path.read_text("utf-8")) for path in SCHEMAS]
    pairs = [(schema["$id"], Resource.from_contents(schema)) for schema in resources]
    return found.with_resources(pairs)


@pytest.mark.parametrize("path", SCHEMAS, ids=name_of)
def test_schema_is_one(path: Path) -> None:
    """Every schema is a valid schema, called like its file."""
    schema = json.loads(path.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == path.name


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_file_fits_its_schema(path: Path) -> None:
    """Headers, groups and tests are well-formed; only inputs may be broken."""
    schema = {"$ref": load(path)["schema"]}
    validator = Draft202012Validator(schema, registry=registry())
    errors = [
        f"{e.json_path}: {e.message[:200]}" for e in validator.iter_errors(load(path))
    ]
    assert errors == []


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_file_is_sound(path: Path) -> None:
    """Counts, ids, flags and the section a file names are what they say."""
    file = load(path)
    tests = cases_in(path)
    assert file["count"] == len(tests)
    assert len({test["id"] for test in tests}) == len(tests)
    assert {flag for test in tests for flag in test["flags"]} == set(file["notes"])
    page, _, section = file["spec"].removeprefix("spec/").partition("#")
    text = (SPEC / page).read_text("utf-8")
    assert not section or f"\n## {section} " in text
    if file["generator"] not in ("by hand", "independent implementation"):
        assert path in fresh_files()


@pytest.mark.parametrize("path", [_timed(path) for path in FILES], ids=name_of)
def test_vectors(path: Path) -> None:
    """The code takes what has to be taken and refuses the rest with its code."""
    run = RUNNERS[kind_of(path)]
    failures = []
    for group in load(path)["groups"]:
        for test in group["tests"]:
            code: object = None
            try:
                output = run(test["input"], group.get("common", {}))
            except Refused as refused:
                code, output = refused.code, refused.output
            fits = code == test.get("code")
            if not fits or ("output" in test and not agrees(test["output"], output)):
                failures.append((test["id"], code, output))
    assert failures == []


def agrees(wanted: object, found: object) -> bool:
    """Whether an answer says what is wanted; it may say more of an object."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(k in found and agrees(v, found[k]) for k, v in wanted.items())
    if isinstance(wanted, list) and isinstance(found, (list, tuple)):
        pairs = zip(wanted, found, strict=False)
        return len(wanted) == len(found) and all(agrees(w, f) for w, f in pairs)
    if isinstance(wanted, bool) != isinstance(found, bool):
        return False
    return wanted == found


def test_every_kind_has_runner_schema_and_vectors() -> None:
    """No kind is forgotten, whatever it is missing."""
    kinds = {kind_of(path) for path in FILES}
    assert (
        kinds == set(RUNNERS) == {p.stem for p in SCHEMAS} - {"common", "game", "links"}
    )


def test_a_third_are_refusals() -> None:
    """Each kind says what has to be refused, and not only what is lawful."""
    refused: dict[str, list[bool]] = {}
    for path in FILES:
        answers = [test["expect"] == "refuse" for test in cases_in(path)]
        refused.setdefault(kind_of(path), []).extend(answers)
    shares = {kind: sum(answers) / len(answers) for kind, answers in refused.items()}
    low = {k: s for k, s in shares.items() if s < 1 / 3 and k not in DERIVING}
    assert low == {}


def test_refusals_are_listed() -> None:
    """Whatever the rules refuse is refused with a code of the table."""
    listed = {entry["code"] for entry in table("refusals")["refusals"]}
    for path in FILES:
        if kind_of(path) in ("duties", "perft", "rulings"):
            codes = {test.get("code", "no-card") for test in cases_in(path)}
            assert codes <= listed, path.name


@pytest.mark.slow
def test_made_files_are_fresh() -> None:
    """What is in the made files is what ``scripts/vectors`` would write now."""
    for path, data in fresh_files().items():
        assert path.read_bytes() == data, f"run scripts/vectors: {path.name}"
