"""One word per thing: words of other houses do not stand in our names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "crapette_p2p"
FORBIDDEN = {
    "talon": "stock",
    "depot": "reserve",
    "crapaud": "reserve",
    "tableaus": "columns",
    "ace_pile": "foundation",
    "violation": "offence",
    "obligation": "duty",
    "challenge_stop": "stop",
    "freecell": "space",
    "utils": "a better word",
    "utilities": "a better word",
    "manager": "a better word",
    "helper": "a better word",
    "helpers": "a better word",
}
"""Word → what we say."""


def names(path: Path) -> Iterator[tuple[str, int]]:
    """Every name a module defines, with its line."""
    yield path.stem, 1
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno


def words_of(name: str) -> set[str]:
    """``HTTPManager`` and ``http_manager`` are the words http and manager."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return {spaced.lower(), *spaced.lower().split("_")}


@pytest.mark.parametrize(
    "path",
    sorted(PACKAGE.rglob("*.py")),
    ids=lambda p: p.relative_to(PACKAGE).as_posix(),
)
def test_names_use_the_words_of_the_glossary(path: Path) -> None:
    """No module, class, function, argument or variable uses a forbidden word."""
    bad = [
        f"{path.name}:{line}: {name}: say {FORBIDDEN[word]}"
        for name, line in names(path)
        for word in words_of(name) & FORBIDDEN.keys()
    ]
    assert bad == []
