"""Find every sentence that the program may say, in the source.

Theory of operation: a sentence is the first argument of a call of ``words`` (or of
one of SPEAKERS); where that is no constant, it is followed to the constants it can
be: through both arms of a condition, local and module variables, imported tables,
and, where it is a parameter, to the callers in its module. What cannot be followed
is an error, unless ELSEWHERE names it. So nothing is said that no catalogue can
translate, and a catalogue needs no list kept by hand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "crapette_p2p"
SPEAKERS: dict[str, tuple[int | str, ...]] = {
    "words": (0,),
    "_words": (0,),
    "filled": (0,),
    "CommandFailed": (0, "hint"),
    "complain": (0, 1),
    "refuse_own_suffix": ("hint",),
    "table": (1,),
    "NotationError": (0, "why"),
    "ArenaError": (0,),
    "LogError": (0,),
    "Check": ("detail", "hint", 0),
    "ArgumentTypeError": (0,),
    "add": ("help", "metavar"),
    "said": (2,),
}
"""Function → which arguments are sentences."""
CONSTRUCTORS: dict[str, tuple[int | str, ...]] = {
    "Binding": ("label", "short", "help", "group"),
    "Command": (1,),
    "add_argument": ("help", "metavar"),
    "add_parser": ("help",),
    "add_argument_group": (0,),
    "flag": (3, "help"),
    "option": ("help", "metavar"),
}
"""Call whose arguments are said later → which of them."""
FIELDS = {"label", "short", "help", "heading"}
"""Attributes that hold what a constructor was given."""
ELSEWHERE = frozenset(
    {
        *("str(wrong)", "str(error)", "str(failed)", "failed.hint", "told.sentence"),
        *("told.hint", "check.name", "check.detail", "check.hint", "group.title"),
        *(
            "summary[:1].lower() + summary[1:]",
            "action.metavar",
            "placeholder[0]",
            "config.warnings",
            "settled.warnings",
            "explain(error)",
            "error.failure",
            "error.sentence",
            "error.values",
            "_WHY.get(why, why)",
            "hint",
        ),
        *(
            "_unreadable(source, error)",
            "_why(answer)",
            "_reason(error)",
            "sys.stdout.encoding",
        ),
        *("format_fingerprint(fingerprint(identity.public))",),
        *("'; '.join(map(printable, warnings))",),
    }
)
"""Expressions whose sentences are found where they are made, or that hold none."""
BARE = frozenset(
    {"arena.py", "checkup.py", "network_checks.py", "rules.py", "positions.py"}
)
"""Modules whose f-strings hold no word but names and numbers."""
TRANSLATED = {"_line", "break_text", "explain", "explain_failure"}
"""Calls that answer with what is translated already."""
CARRIERS = {"MappingProxyType", "tuple", "dict", "frozenset"}


class NotFollowedError(Exception):
    """An expression that could say anything."""


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence, or the singular and plural of one."""

    one: str
    many: str = ""


@dataclass(slots=True)
class Module:
    """One source file, parsed."""

    path: Path
    tree: ast.Module
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Module:
        """Parse a file."""
        module = cls(path, ast.parse(path.read_text("utf-8")))
        for node in ast.walk(module.tree):
            for child in ast.iter_child_nodes(node):
                module.parents[child] = node
        return module

    def function_of(self, node: ast.AST) -> ast.AST:
        """The function a node stands in, or the module."""
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return node
        return self.tree


class Finder:
    """Follows expressions through the modules of the package."""

    def __init__(self, package: Path = PACKAGE) -> None:
        paths = sorted(package.rglob("*.py"))
        self.package = package
        self.modules = {path: Module.read(path) for path in paths}
        self._being_followed: set[ast.AST] = set()

    def messages(self) -> dict[Message, list[str]]:
        """Every message → where it is said."""
        found: dict[Message, list[str]] = {}
        for module in self.modules.values():
            place = module.path.relative_to(self.package.parent).as_posix()
            for message in sorted(set(self._said(module)), key=lambda m: m.one):
                found.setdefault(message, []).append(place)
        return found

    def _said(self, module: Module) -> Iterator[Message]:
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call):
                continue
            name = called(node)
            if name == "count" and ast.unparse(node.func).endswith("words.count"):
                one, many = node.args[:2]
                # Other things count too; sentences are always written out.
                if isinstance(one, ast.Constant) and isinstance(many, ast.Constant):
                    yield Message(str(one.value), str(many.value))
            arguments = SPEAKERS.get(name, ()) + CONSTRUCTORS.get(name, ())
            for argument in chosen(node, arguments):
                for text in self.follow(module, argument):
                    if text:
                        yield Message(text)

    def follow(self, module: Module, node: ast.AST) -> set[str]:
        """The constants an expression can be."""
        if node in self._being_followed or ast.unparse(node) in ELSEWHERE:
            return set()
        self._being_followed.add(node)
        try:
            return self._follow(module, node)
        finally:
            self._being_followed.discard(node)

    def _follow(self, module: Module, node: ast.AST) -> set[str]:
        parts: list[ast.AST]
        match node:
            case ast.Constant(str(text)):
                return {text}
            case ast.Constant():
                return set()
            case ast.Name():
                return self._follow_name(module, node)
            case ast.IfExp():
                parts = [node.body, node.orelse]
            case ast.BoolOp():
                parts = [*node.values]
            case ast.Dict():
                parts = [*node.values]
            case ast.Tuple() | ast.List() | ast.Set():
                parts = [*node.elts]
            case ast.Subscript(value=ast.Name() as table, slice=ast.Constant(int(at))):
                parts = list(self._column(module, table, at)) or [table]
            case ast.Starred() | ast.Subscript():
                parts = [node.value]
            case ast.Attribute() if node.attr in FIELDS:
                return set()
            case ast.Call(ast.Attribute(attr="get" | "items" | "values")) as call:
                assert isinstance(call.func, ast.Attribute)  # noqa: S101 - by the case
                kinds = (ast.Constant, ast.Tuple)
                default = [a for a in call.args[1:] if isinstance(a, kinds)]
                parts = [call.func.value, *default]
            case ast.Call() if called(node) in CARRIERS:
                parts = [*node.args]
            case ast.Call() if called(node) in SPEAKERS or called(node) in TRANSLATED:
                return set()
            case ast.JoinedStr() if module.path.name in BARE:
                return set()
            case _:
                raise NotFollowedError(where(module, node))
        return set().union(*(self.follow(module, part) for part in parts))

    def _follow_name(self, module: Module, name: ast.Name) -> set[str]:
        scope = module.function_of(name)
        values = list(assigned(scope, name.id))
        if not values and isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = [*scope.args.posonlyargs, *scope.args.args]
            names = [a.arg for a in arguments if a.arg not in {"self", "cls"}]
            if name.id in names:
                return self._follow_callers(module, scope.name, names, name.id)
        values = values or list(assigned(module.tree, name.id))
        if values:
            return set().union(*(self.follow(module, value) for value in values))
        home = self._home(module, name.id)
        if home is None:
            raise NotFollowedError(where(module, name))
        values = list(assigned(home.tree, name.id))
        return set().union(*(self.follow(home, value) for value in values))

    @staticmethod
    def _column(module: Module, table: ast.Name, at: int) -> Iterator[ast.AST]:
        """One place of every tuple that is a value of a dictionary."""
        for value in assigned(module.tree, table.id):
            for row in value.values if isinstance(value, ast.Dict) else ():
                if isinstance(row, ast.Tuple):
                    yield row.elts[at]

    def _follow_callers(
        self, module: Module, function: str, names: list[str], name: str
    ) -> set[str]:
        found: set[str] = set()
        place = names.index(name)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and called(node) == function:
                for argument in chosen(node, (place, name)):
                    found |= self.follow(module, argument)
        return found

    def _home(self, module: Module, name: str) -> Module | None:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and any(
                (alias.asname or alias.name) == name for alias in node.names
            ):
                parts = (node.module or "").split(".")[1:]
                path = self.package.joinpath(*parts).with_suffix(".py")
                return self.modules.get(path)
        return None


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def chosen(node: ast.Call, which: tuple[int | str, ...]) -> Iterator[ast.expr]:
    """The arguments at these places and of these names."""
    for place in which:
        if isinstance(place, int) and place < len(node.args):
            yield node.args[place]
        for keyword in node.keywords:
            if keyword.arg == place:
                yield keyword.value


def assigned(scope: ast.AST, name: str) -> Iterator[ast.AST]:
    """What a name is assigned, or runs over, in a function or a module."""
    nodes = scope.body if isinstance(scope, ast.Module) else ast.walk(scope)
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _bound(target, value, name)
            case ast.AnnAssign(target=target, value=ast.AST() as value):
                yield from _bound(target, value, name)
            case ast.For(target=target, iter=value):
                yield from _bound(target, value, name)
            case ast.comprehension(target=target, iter=value):
                yield from _bound(target, value, name)
            case _:
                pass


def _bound(target: ast.AST, value: ast.AST, name: str) -> Iterator[ast.AST]:
    if isinstance(target, ast.Name) and target.id == name:
        yield value
    elif isinstance(target, ast.Tuple):
        for index, part in enumerate(target.elts):
            if isinstance(part, ast.Name) and part.id == name:
                yield from _part(value, index)
            elif isinstance(part, ast.Tuple) and isinstance(value, ast.Call):
                yield from _columns(part, value, name)


def _columns(target: ast.Tuple, call: ast.Call, name: str) -> Iterator[ast.AST]:
    """``for key, (a, b) in TABLE.items()``: a column of the table."""
    for index, part in enumerate(target.elts):
        if isinstance(part, ast.Name) and part.id == name:
            assert isinstance(call.func, ast.Attribute)  # noqa: S101 - items() is one
            yield ast.Subscript(value=call.func.value, slice=ast.Constant(index))


def _part(value: ast.AST, index: int) -> Iterator[ast.AST]:
    """One element of a tuple, or of every tuple of a collection."""
    if isinstance(value, ast.Tuple) and all(
        isinstance(part, ast.Tuple) for part in value.elts
    ):
        for part in value.elts:
            assert isinstance(part, ast.Tuple)  # noqa: S101 - just looked
            yield part.elts[index]
    elif isinstance(value, ast.Tuple):
        yield value.elts[index]
    else:
        yield value


def where(module: Module, node: ast.AST) -> str:
    """Where something stands, and what it is."""
    line = getattr(node, "lineno", 0)
    return f"{module.path.name}:{line}: {ast.unparse(node)} may say anything"
