"""Writes vector files: the envelope, and one line for each test.

Everything here is deterministic: the same code writes the same bytes, and
``test_vectors.py`` fails while a file is not what ``scripts/vectors`` would write.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

PROTOCOL: Final = Path(__file__).parents[3] / "protocol"
VECTORS: Final = PROTOCOL / "vectors"
GENERATOR: Final = "scripts/vectors 1"

Json = dict[str, Any]


@dataclass(slots=True)
class Group:
    """Tests that have something in common."""

    name: str
    common: Json = field(default_factory=dict)
    tests: list[Json] = field(default_factory=list)

    def add(
        self,
        comment: str,
        given: Json,
        output: object = None,
        *,
        code: int | str | None = None,
        flags: Sequence[str] = (),
    ) -> None:
        """Add a test: accepted with ``output``, or refused with ``code``."""
        test: Json = {
            "id": f"{self.name}-{len(self.tests) + 1}",
            "comment": comment,
            "flags": list(flags),
            "input": given,
            "expect": "accept" if code is None else "refuse",
        }
        if code is not None:
            test["code"] = code
        if output is not None:
            test["output"] = output
        self.tests.append(test)


@dataclass(frozen=True, slots=True)
class VectorFile:
    """One file of ``protocol/vectors``."""

    name: str
    kind: str
    spec: str
    groups: Sequence[Group]
    notes: Json = field(default_factory=dict)
    generator: str = GENERATOR

    @property
    def path(self) -> Path:
        """Where it lies."""
        return VECTORS / f"{self.name}.json"

    def text(self) -> str:
        """The bytes of the file."""
        head = {
            "schema": f"{self.kind}.json",
            "spec": self.spec,
            "generator": self.generator,
            "count": sum(len(group.tests) for group in self.groups),
            "notes": self.notes,
        }
        lines = [f"  {json.dumps(k)}: {_line(v)}," for k, v in head.items()]
        groups = ",\n".join(_group(group) for group in self.groups)
        return "{\n" + "\n".join(lines) + f'\n  "groups": [\n{groups}\n  ]\n}}\n'


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _group(group: Group) -> str:
    common = f',\n     "common": {_line(group.common)}' if group.common else ""
    tests = ",\n".join("      " + _line(test) for test in group.tests)
    head = f'    {{"name": {_line(group.name)}{common},\n     "tests": [\n'
    return f"{head}{tests}\n     ]}}"
