"""The search for sentences follows what is said to what it can be."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent


@cache
def sentences_module() -> ModuleType:
    """``scripts/sentences.py`` as a module."""
    path = ROOT / "scripts" / "sentences.py"
    spec = importlib.util.spec_from_file_location("sentences_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def search() -> ModuleType:
    """The script that is tested."""
    return sentences_module()


def found(search: ModuleType, home: Path, source: str) -> set[str]:
    """The sentences of a package of one module."""
    home.joinpath("one.py").write_text(source, encoding="utf-8")
    return {message.one for message in search.Finder(home).messages()}


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ("words('a')", {"a"}),
        ("words('a' if x else 'b')", {"a", "b"}),
        ("def f():\n    text = 'a'\n    words(text)", {"a"}),
        ("def f():\n    long = short = 'a'\n    words(long, short)", {"a"}),
        ("def f(text):\n    words(text)\nf('a')\nf('b')", {"a", "b"}),
        ("T = {1: 'a', 2: 'b'}\nwords(T[x])", {"a", "b"}),
        ("T = {1: 'a'}\nwords(T.get(x, 'b'))", {"a", "b"}),
        ("for text in ('a', 'b'):\n    words(text)", {"a", "b"}),
        ("words.count('{n} a', '{n} as', 2)", {"{n} a"}),
    ],
)
def test_what_is_found(
    search: ModuleType, tmp_path: Path, source: str, sentences: set[str]
) -> None:
    """Constants, both arms, variables, parameters, tables, loops, counts."""
    assert found(search, tmp_path, source) == sentences


@pytest.mark.parametrize("said", ["f'{a} b'", "a + 'b'", "read()"])
def test_what_may_say_anything_is_an_error(
    search: ModuleType, tmp_path: Path, said: str
) -> None:
    """A sentence that no catalogue can hold is named with its line."""
    with pytest.raises(search.NotFollowedError, match=r"one\.py:1"):
        found(search, tmp_path, f"words({said})")
