"""The command line as argparse sees it; a subcommand's flags come from its module.

Theory of operation: the table of commands names each one's module, and nothing of
a module is imported before its command is chosen (or completion scripts are
made). A command module has the shape ``NAME``, ``add_arguments(parser)``,
``run(args) -> int``; its top level imports only what its flags need. Global flags
are taken before and after the command; only those that were given are set.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Container, Sequence
from types import ModuleType
from typing import Final, NoReturn

from crapette_p2p.cli.complaints import reworded
from crapette_p2p.cli.help_text import TOP
from crapette_p2p.cli.output import excerpt, tell, write_line
from crapette_p2p.cli.speaking import words, words_in_force

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "host": ("host", "open a table and wait for a friend"),
    "join": ("join", "sit down at a friend's table"),
    "lan": ("lan", "list the tables on this network"),
    "bot": ("bot", "play against this computer"),
    "resume": ("resume", "go on with an interrupted game"),
    "replay": ("replay", "watch a game again"),
    "verify": ("verify", "check a game's signatures, shuffles and moves"),
    "compare": ("compare", "compare two logs of one game"),
    "legal": ("legal", "what may be played in a position"),
    "perft": ("perft", "count the sequences of actions from a position"),
    "play": ("play", "apply actions to a position"),
    "arena": ("arena", "let bots play each other"),
    "games": ("games", "list, export and delete saved games"),
    "peers": ("peers", "the players you know"),
    "id": ("identity", "your name and key"),
    "config": ("config", "read and change settings"),
    "stats": ("stats", "what the saved games add up to"),
    "rules": ("rules", "the rules of a preset, or a file of house rules"),
    "keys": ("keys", "the keys of the table"),
    "doctor": ("doctor", "look at the terminal, the network and the files"),
    "completion": ("completion", "print a completion script for a shell"),
}
"""Command → (module in ``crapette_p2p.cli``, summary)."""
MENU: Final = "menu"
"""The module that runs where no command is given."""
WIDTH: Final = 80
_TEXTS: Final = {
    "options": "options",
    "positional arguments": "arguments",
    "show this help message and exit": "show this help and leave",
}
"""What argparse adds by itself → what we say."""
_BEFORE_COLON: Final = {"fr": "\u00a0"}
"""What stands before the colon that argparse writes behind a heading."""
_EPILOG: Final = "Options of every command (--plain, ...): crapette --help"


class CommandParser(argparse.ArgumentParser):
    """A parser whose flags are added when it is first used."""

    def __init__(self, prog: str, description: str, fill: str = "") -> None:
        super().__init__(
            prog=prog,
            description=description,
            allow_abbrev=False,
            formatter_class=_formatter,
        )
        self._module = fill
        self._filled = not fill
        self._reading_apart = False
        self._shared: list[argparse.Action] = []

    def fill(self) -> None:
        """Import the command's module and let it add its flags, once."""
        if not self._filled:
            self._filled = True
            load(self._module).add_arguments(self)
            self._shared = add_global_flags(self)

    def format_help(self) -> str:
        """The command's own flags; those of every command stand in one place."""
        kept = [(each.help, each.metavar, each.nargs) for each in self._actions]
        for action in self._actions:
            action.nargs = _nargs(action)
            if isinstance(action.metavar, str):
                action.metavar = words(action.metavar)
            hidden = action in self._shared
            action.help = (
                argparse.SUPPRESS
                if hidden
                else words(_TEXTS.get(action.help or "", action.help or ""))
            )
        try:
            return self._formatted()
        finally:
            for action, texts in zip(self._actions, kept, strict=True):
                action.help, action.metavar, action.nargs = texts

    def _formatted(self) -> str:
        """As argparse does it, in the language of the run."""
        formatter = self._get_formatter()
        groups = self._mutually_exclusive_groups
        prefix = words("usage: ")
        # Not self.usage: while arguments are read it holds English, with every flag.
        formatter.add_usage(None, self._actions, groups, prefix)
        summary = self.description or ""
        summary = words(summary[:1].lower() + summary[1:])
        formatter.add_text(summary[:1].upper() + summary[1:])
        for group in self._action_groups:
            title = words(_TEXTS.get(group.title or "", group.title or ""))
            formatter.start_section(
                title + _BEFORE_COLON.get(words_in_force().lang, "")
            )
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)  # noqa: SLF001 - no other way
            formatter.end_section()
        formatter.add_text(words(_EPILOG))
        return formatter.format_help()

    def parse_known_args(  # type: ignore[override] # one of argparse's overloads
        self,
        args: Sequence[str] | None = None,
        namespace: argparse.Namespace | None = None,
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, having added the flags; what is left over is an error here.

        argparse would complain from the top, where the command's help is not named.
        It would also take an argument that may be left out for left out at the first
        flag (``games export --json last``), so flags and arguments are read apart,
        unless a ``--`` tells them apart: reading apart would lose it.
        """
        if not self._module or self._reading_apart:
            return super().parse_known_args(args, namespace)
        read = (
            super().parse_known_args
            if "--" in (args or ())
            else self.parse_known_intermixed_args
        )
        self.fill()
        self._reading_apart = True
        try:
            parsed, unknown = read(args, namespace)
        finally:
            self._reading_apart = False
        if unknown:
            given = " ".join(unknown)
            self.error(words("there is no such argument: {given}", given=given))
        return parsed, unknown

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """As argparse does it; an empty value is none (``--rules "$UNSET"``)."""
        if action.option_strings and value == "":
            raise argparse.ArgumentError(action, "expected one argument")
        super()._check_value(action, value)

    def print_help(self, file: object = None) -> None:
        """As any other answer: spelt in what stdout can say, or not written."""
        write_line(self.format_help().rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        """Two lines on stderr and exit 2: what is wrong, and where to look."""
        text = excerpt(reworded(message), 300)
        see = words("See: {command} --help", command=self.prog)
        for line in (f"crapette: {text}", see):
            tell(line)
        self.exit(2)


class _TopParser(CommandParser):
    def format_help(self) -> str:
        return words(TOP)

    def error(self, message: str) -> NoReturn:
        near = _nearest(message)
        super().error(near or message)


def load(name: str) -> ModuleType:
    """The module of a command."""
    return importlib.import_module(f"crapette_p2p.cli.{name}")


def build_parser(
    named: Container[str] = COMMANDS,
) -> argparse.ArgumentParser:
    """The parser of the whole command line, its commands still empty.

    Of the commands it knows those that are ``named``: a run needs no more than the
    words of its own line, and each costs argparse a look at the disk.
    """
    parser = _TopParser(prog="crapette", description="Crapette for two")
    add_global_flags(parser)
    parser.add_argument("--version", action=_Version, nargs=0)
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=CommandParser
    )
    for name, (module, summary) in COMMANDS.items():
        if name in named:
            commands.add_parser(
                name,
                help=summary,
                description=summary[0].upper() + summary[1:],
                fill=module,
            )
    return parser


def fill_all(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add every command's flags (for completion scripts and their test)."""
    for action in parser._actions:  # noqa: SLF001 - argparse shows them nowhere else
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - likewise
            for command in action.choices.values():
                command.fill()
    return parser


def add_global_flags(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Add the flags that every command takes; only given ones are set."""
    group = parser.add_argument_group("options of every command")

    def flag(name: str, dest: str, value: object, text: str) -> None:
        group.add_argument(
            *name.split(),
            dest=dest,
            action="store_const",
            const=value,
            default=argparse.SUPPRESS,
            help=text,
        )

    def option(name: str, dest: str, **kwargs: object) -> None:
        group.add_argument(
            name,
            dest=dest,
            default=argparse.SUPPRESS,
            **kwargs,  # type: ignore[arg-type] # add_argument's own
        )

    flag("--plain", "set_plain", True, "line mode")
    flag("--speak", "set_speak", True, "line mode with cards in words")
    flag("--ascii", "set_ascii", True, "no Unicode drawing")
    _add_looks(flag, option)
    option("--name", "set_name", metavar="TEXT", help="your name at the table")
    option("--config", "config", metavar="FILE", help="another config.toml")
    option("--data-dir", "data_dir", metavar="DIR", help="keep all files there")
    option("--log-file", "log_file", metavar="FILE", help="write the program's log")
    flag("--no-input", "no_input", True, "never ask")
    flag("-y --yes", "yes", True, "answer harmless questions with yes")
    group.add_argument(
        "-v",
        dest="verbose",
        action="count",
        default=argparse.SUPPRESS,
        help="say more (-vv: much more)",
    )
    flag("-q", "quiet", True, "say less")
    return group._group_actions  # noqa: SLF001 - argparse shows them nowhere else


def _add_looks(flag: Callable[..., None], option: Callable[..., None]) -> None:
    option("--suits", "set_suits", choices=("symbols", "letters"))
    option("--faces", "set_faces", choices=("local", "international"))
    option("--color", "set_color", choices=("auto", "always", "never", "16", "256"))
    option("--theme", "set_theme", choices=("default", "high-contrast", "mono"))
    flag("--four-color", "set_four_color", True, "a colour for each suit")
    flag("--no-mouse", "set_mouse", False, "leave the mouse to the terminal")
    flag("--no-anim", "set_animation", False, "no moving cards")
    flag("--no-bell", "set_bell", False, "no bell")
    option("--lang", "set_lang", choices=("pl", "ru", "fr", "de", "en"))


class _Version(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        from crapette_p2p import __version__

        sys.stdout.write(f"crapette {__version__}\n")
        parser.exit()


def _formatter(prog: str) -> argparse.HelpFormatter:
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isascii() and columns.isdigit() else WIDTH
    return argparse.HelpFormatter(prog, width=max(40, min(width, WIDTH)) - 2)


def _nargs(action: argparse.Action) -> int | str | None:
    """How many values it takes; argparse hides that while it reads flags alone."""
    if action.nargs != argparse.SUPPRESS:
        return action.nargs
    nargs: int | str | None = getattr(action, "save_nargs", action.nargs)
    return nargs


def _nearest(message: str) -> str:
    """The complaint about an unknown command, with what may have been meant."""
    if "invalid choice: " not in message or "COMMAND" not in message:
        return ""
    import ast
    import difflib

    written = message.split("invalid choice: ", 1)[1].rpartition(" (choose from ")[0]
    word = ast.literal_eval(written)
    near = difflib.get_close_matches(word, COMMANDS, n=3, cutoff=0.5)
    shown = excerpt(word, 40)
    if near:
        names = ", ".join(near)
        text = "there is no command {word!r}; did you mean {names}?"
        return words(text, word=shown, names=names)
    return words("there is no command {word!r}", word=shown)
