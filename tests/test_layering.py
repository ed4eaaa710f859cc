"""The house rules that an import or a line count can break (architecture.md 3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "crapette_p2p"
LAYERS = (
    "errors",
    "canonical",
    "cards",
    "engine",
    "bot",
    "fairdeal",
    "gamelog",
    "session",
    "net",
    "ui",
    "arena",
    "cli",
)
LAST_PURE = LAYERS.index("session")
PURE_STDLIB = {
    *("__future__", "bisect", "collections", "dataclasses", "enum", "functools"),
    *("hashlib", "heapq", "hmac", "itertools", "math", "re", "struct", "types"),
    *("typing", "unicodedata"),
}
DOORS = {
    "msgpack": ("canonical.py",),
    "cryptography": ("net/",),
    "ifaddr": ("net/", "cli/"),
    "platformdirs": ("net/paths.py",),
    "zeroconf": ("net/multicast.py",),
    "prompt_toolkit": ("ui/",),
}
"""Third-party package → where it may be imported."""
PURE_UI = (
    *("ui/view", "ui/table_view", "ui/wording"),
    *("ui/lines", "ui/settings", "ui/render"),
)
"""Files of ui/ (by the beginning of their path) that draw without a toolkit."""
AWAITING = ("net/", "ui/", "cli/", "arena/")
BROAD_ON_PURPOSE = (
    "cli/running.py",  # the top of the command
    "canonical.py",  # around unpackb, whose exceptions are many (threats.md S10)
    "arena/cluster.py",  # a lost client fails in any way there is
)
MAX_LINES = 400
MAX_FUNCTION = 60
MEDIAN_FUNCTION = 9

Import = tuple[str, int]


def sources() -> list[Path]:
    """Every module of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """The path below the package, with slashes."""
    return path.relative_to(PACKAGE).as_posix()


def layer_of(path: Path) -> str | None:
    """The layer a module belongs to; None for the package's own front door."""
    first = path.relative_to(PACKAGE).with_suffix("").parts[0]
    return None if first in {"__init__", "__main__"} else first


def imports(path: Path) -> Iterator[Import]:
    """Every imported module with its line, those inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            module = node.module or ""
            yield module, node.lineno
            for alias in node.names:
                if (PACKAGE.parent / module.replace(".", "/")).is_dir():
                    yield f"{module}.{alias.name}", node.lineno


def order_violations(layer: str, found: Iterator[Import]) -> list[str]:
    """Imports of a layer to the right."""
    rank = LAYERS.index(layer)
    bad = []
    for name, line in found:
        first, *rest = name.split(".")
        inner = first == "crapette_p2p" and rest and rest[0] in LAYERS
        if inner and LAYERS.index(rest[0]) > rank:
            bad.append(f"{line}: {layer} may not import {rest[0]}")
    return bad


def purity_violations(layer: str, found: Iterator[Import]) -> list[str]:
    """Standard library modules that a pure layer may not know."""
    if LAYERS.index(layer) > LAST_PURE:
        return []
    allowed = PURE_STDLIB | {"crapette_p2p", *DOORS}
    return [
        f"{line}: {layer} is pure and may not import {name}"
        for name, line in found
        if name.split(".")[0] not in allowed
    ]


def door_violations(module: str, found: Iterator[Import]) -> list[str]:
    """Third-party packages imported elsewhere than at their door."""
    bad = []
    for name, line in found:
        package = name.split(".")[0]
        for door in DOORS.get(package, (module,)):
            if module == door or (door.endswith("/") and module.startswith(door)):
                break
        else:
            bad.append(f"{line}: {package} has its door at {DOORS[package]}")
        if package in {"prompt_toolkit", "asyncio"} and module.startswith(PURE_UI):
            bad.append(f"{line}: a pure view may not import {package}")
    return bad


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Every function with the lines of its body, docstring and signature aside."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            end = node.end_lineno or node.lineno
            yield node.name, end - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("path", sources(), ids=name_of)
def test_imports_point_left(path: Path) -> None:
    """A module imports its own layer or layers to its left."""
    layer = layer_of(path)
    if layer is not None:
        assert order_violations(layer, imports(path)) == []
        assert purity_violations(layer, imports(path)) == []
    assert door_violations(name_of(path), imports(path)) == []


def test_every_top_level_module_is_a_layer() -> None:
    """A new package or module has to find its place in the order first."""
    assert {layer for layer in map(layer_of, sources()) if layer} <= set(LAYERS)


def test_the_checker_sees_violations(tmp_path: Path) -> None:
    """Planted upward, impure and third-party imports are reported."""
    planted = tmp_path / "planted.py"
    planted.write_text(
        "import crapette_p2p.ui.view\n"
        "def f() -> None:\n    import asyncio\n    import msgpack\n",
        encoding="utf-8",
    )
    assert len(order_violations("engine", imports(planted))) == 1
    assert len(purity_violations("engine", imports(planted))) == 1
    assert len(door_violations("engine/rules.py", imports(planted))) == 1


def test_no_import_cycles() -> None:
    """The modules have a topological order."""
    graph: dict[str, set[str]] = {}
    for path in sources():
        parts = path.relative_to(ROOT).with_suffix("").parts
        graph[".".join(parts).removesuffix(".__init__")] = set()
    for path in sources():
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        top_level = ast.parse(path.read_text(encoding="utf-8")).body
        for node in top_level:
            if isinstance(node, ast.ImportFrom) and node.module in graph:
                inner = {f"{node.module}.{a.name}" for a in node.names} & graph.keys()
                graph[name] |= inner or {node.module}
    graph = {name: wanted - {name} for name, wanted in graph.items()}
    while True:
        leaves = {name for name, wanted in graph.items() if not wanted}
        if not leaves:
            break
        graph = {n: w - leaves for n, w in graph.items() if n not in leaves}
    assert graph == {}, "these modules import each other"


@pytest.mark.parametrize("folder", ["crapette_p2p", "tests", "scripts"])
def test_no_file_is_too_long(folder: str) -> None:
    """No Python file passes 400 lines."""
    long = {
        path.relative_to(ROOT).as_posix(): count
        for path in (ROOT / folder).rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


def test_functions_are_short() -> None:
    """No function passes 60 lines, and half of them stay under nine."""
    sizes = {
        f"{name_of(path)}:{name}": size
        for path in sources()
        for name, size in functions(path)
    }
    assert {n: s for n, s in sizes.items() if s > MAX_FUNCTION} == {}
    assert sorted(sizes.values())[len(sizes) // 2] < MEDIAN_FUNCTION


@pytest.mark.parametrize("path", sources(), ids=name_of)
def test_only_the_outer_layers_await(path: Path) -> None:
    """Coroutines begin at the net layer, and no pure view has one."""
    if name_of(path).startswith(AWAITING) and not name_of(path).startswith(PURE_UI):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    waits = [
        n.lineno for n in ast.walk(tree) if isinstance(n, (ast.Await, ast.AsyncFor))
    ]
    assert waits == []


def test_every_module_says_its_job() -> None:
    """Each module has a docstring."""
    silent = [
        name_of(path)
        for path in sources()
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_broad_except_stands_once() -> None:
    """``except Exception`` is the last line of defence, at the top of the command."""
    broad = [
        name_of(path)
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or (isinstance(node.type, ast.Name) and node.type.id == "Exception")
        )
    ]
    assert [name for name in broad if name not in BROAD_ON_PURPOSE] == []
