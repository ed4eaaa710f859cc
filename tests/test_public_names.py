"""What the package offers, and that the README says so."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import crapette_p2p
import crapette_p2p.net

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TYPED = ROOT / "tests" / "typing" / "public_api.py"
"""Where mypy sees every public name used."""


def named_in_readme(module: str) -> set[str]:
    """The names the README lists for a module."""
    text = README.replace("\n", " ")
    found = re.search(rf"`{re.escape(module)}`: ((?:`\w+`(?:, )?)+)", text)
    assert found, f"the README lists no names of {module}"
    return set(re.findall(r"`(\w+)`", found[1]))


def test_the_readme_lists_the_public_names() -> None:
    """Both lists are the ones in the README."""
    assert named_in_readme("crapette_p2p") == {*crapette_p2p.__all__} - {"__version__"}
    assert named_in_readme("crapette_p2p.net") == {*crapette_p2p.net.__all__}


@pytest.mark.parametrize("module", ["crapette_p2p", "crapette_p2p.net"])
def test_every_public_name_can_be_had(module: str) -> None:
    """Each public name is there, with a docstring; others are not."""
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        assert getattr(loaded, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = loaded.no_such_name


@pytest.mark.slow
def test_importing_the_package_loads_nothing() -> None:
    """``import crapette_p2p`` pulls in no layer, no TLS and no loop."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules);"
        "import crapette_p2p; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["crapette_p2p"]


def packages() -> list[str]:
    """Every package that has public names."""
    inits = sorted((ROOT / "crapette_p2p").rglob("__init__.py"))
    named = [path.parent for path in inits if "__all__" in path.read_text("utf-8")]
    return [".".join(path.relative_to(ROOT).parts) for path in named]


def test_the_type_of_every_public_name_is_checked() -> None:
    """A name that is new has to be used in the file that mypy alone looks at."""
    nodes = ast.walk(ast.parse(TYPED.read_text(encoding="utf-8")))
    used = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    wanted = {
        f"{package.rpartition('.')[2]}.{name}"
        for package in packages()
        for name in importlib.import_module(package).__all__
    }
    assert {"crapette_p2p.play", "engine.play", "net.join", "cli.main"} <= wanted
    assert sorted(wanted - used) == []
