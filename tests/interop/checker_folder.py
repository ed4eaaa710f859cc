"""Where the protocol folder is, and its files."""

import functools
import json
import os
from pathlib import Path
from typing import Any

PROTOCOL = Path(
    os.environ.get("CRAPETTE_PROTOCOL")
    or Path(__file__).resolve().parents[2] / "protocol"
)


@functools.cache
def table(name: str) -> dict[str, Any]:
    """Read a table.

    Args:
        name: Its name without the ending.

    Returns:
        What the file holds.
    """
    text = (PROTOCOL / "tables" / f"{name}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def vectors(kind: str) -> list[tuple[str, dict[str, Any]]]:
    """All tests of a kind, out of all its files.

    Args:
        kind: The name of the schema without its ending.

    Returns:
        Pairs of a name and the test, with the group's common values in it.
    """
    found = []
    for path in sorted((PROTOCOL / "vectors").glob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        if content["schema"] != f"{kind}.json":
            continue
        for group in content["groups"]:
            for test in group["tests"]:
                whole = {**test, "common": group.get("common", {})}
                found.append((f"{path.stem}:{test['id']}", whole))
    return found
