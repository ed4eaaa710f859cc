"""The command palette: one table of words, found by any letters in order."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.ui.language import LANGUAGES, Words
from crapette_p2p.ui.settings import FACES, SUITS, THEMES
from crapette_p2p.ui.view import Choice

_ON_OFF: Final = ("on", "off")


@dataclass(frozen=True, slots=True)
class Command:
    """One word of the palette."""

    name: str
    """What is typed."""
    help: str
    """What it does, in a few words."""
    argument: str = ""
    """What may follow."""
    values: tuple[str, ...] = ()
    """The arguments there are, where they can be listed."""
    where: str = "both"
    """table, replay, both of these, menu, or all."""


COMMANDS: Final = (
    Command("draw", "offer a draw, or answer the offer", where="table"),
    Command("resign", "lose this deal at once", where="table"),
    Command("suspend", "save and leave; the game can be resumed", where="table"),
    Command("rematch", "propose the next deal, or a rematch", where="table"),
    Command("who", "who sits there, and how we know"),
    Command("rules", "the rules of this game in words"),
    Command("keys", "all keys"),
    Command("theme", "the look of the screen", "NAME", THEMES, where="all"),
    Command("suits", "how suits are drawn", "KIND", SUITS, where="all"),
    Command("faces", "letters of the court cards", "KIND", FACES, where="all"),
    Command("four-color", "a colour for each suit", "[on|off]", _ON_OFF, where="all"),
    Command("lang", "language", "CODE", LANGUAGES, where="all"),
    Command("mouse", "listen to the mouse", "on|off", _ON_OFF, where="all"),
    Command("bell", "ring when your turn begins", "on|off", _ON_OFF, where="all"),
    Command("anim", "let cards move", "on|off", _ON_OFF, where="all"),
    Command(
        "chat", "show what the other player writes", "on|off", _ON_OFF, where="all"
    ),
    Command("pace", "milliseconds each move is shown for", "MS", where="all"),
    Command("name", "your name in the next game", "TEXT", where="all"),
    Command("log", "save the log of this game to a file", "[PATH]"),
    Command("goto", "to the beginning of a turn", "N", where="replay"),
    Command("speed", "how fast the replay runs", "X", where="replay"),
    Command(
        "as-played",
        "wait like the players did, 2 s at most",
        where="replay",
    ),
    Command("flip", "look from the other side", where="replay"),
    Command("hidden", "show or hide face-down cards", where="replay"),
    Command("host", "wait here for a friend", where="menu"),
    Command("join", "sit down at a table by its address", where="menu"),
    Command("lan", "tables on this network", where="menu"),
    Command("bot", "play against a bot", where="menu"),
    Command("resume", "go on with a game", where="menu"),
    Command("replay", "watch a game once more", where="menu"),
    Command("stats", "what was won and lost", where="menu"),
    Command("rules", "the rules of every game in words", where="menu"),
    Command("keys", "all keys", where="menu"),
    Command("settings", "all settings", where="menu"),
    Command("quit", "leave", where="all"),
)


@dataclass(frozen=True, slots=True)
class Order:
    """A command with its argument, as typed."""

    name: str
    """A known command."""
    argument: str = ""
    """The rest of the line."""


def commands_at(where: str) -> tuple[Command, ...]:
    """What can be said at the table, in the replay or in the menu; errands first."""
    if where == "menu":
        found = [c for c in COMMANDS if c.where in {"menu", "all"}]
        return tuple(sorted(found, key=lambda command: command.where != "menu"))
    return tuple(c for c in COMMANDS if c.where in {where, "both", "all"})


def wants_more(text: str, where: str) -> bool:
    """Whether a command's name alone says too little."""
    return any(
        command.argument and not command.argument.startswith("[")
        for command in commands_at(where)
        if command.name == text
    )


def rank(name: str, wanted: str) -> tuple[int, int] | None:
    """How well ``wanted`` names ``name``, small is good; None = not at all."""
    if not wanted:
        return 0, 0
    if name.startswith(wanted):
        return 0, len(name)
    if wanted in name:
        return 1, name.index(wanted)
    place = -1
    for letter in wanted:
        place = name.find(letter, place + 1)
        if place < 0:
            return None
    return 2, place


def matches(text: str, where: str, words: Words) -> tuple[Choice, ...]:
    """What could be meant by what is typed so far, best first."""
    name, blank, argument = text.lstrip().partition(" ")
    known = {command.name: command for command in commands_at(where)}
    if blank and name in known:
        return tuple(
            Choice(f"{name} {value}", words(known[name].help))
            for value in known[name].values
            if value.startswith(argument.strip())
        )
    ranked = [(rank(n, name.lower()), c) for n, c in known.items()]
    # Of equals the table's order decides: what is wanted most stands first there.
    found = sorted(
        ((r, c) for r, c in ranked if r is not None), key=lambda item: item[0]
    )
    return tuple(
        Choice(c.name, words(c.help), f"{c.name} {c.argument}".rstrip())
        for _, c in found
    )


def parse_order(text: str, where: str) -> Order | tuple[str, ...]:
    """The command that was typed, or the three nearest words there are.

    A beginning that fits one command only is enough.
    """
    name, _, argument = text.strip().partition(" ")
    names = [command.name for command in commands_at(where)]
    fitting = [known for known in names if known.startswith(name.lower())]
    if name.lower() in names:
        return Order(name.lower(), argument.strip())
    if name and len(fitting) == 1:
        return Order(fitting[0], argument.strip())
    return nearest(name.lower(), names)


def is_known(text: str) -> bool:
    """Whether a command has this name, wherever it can be said."""
    name, _, _ = text.strip().partition(" ")
    return name.lower() in {command.name for command in COMMANDS}


def nearest(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """The three names most like ``name``."""
    return tuple(difflib.get_close_matches(name, names, n=3, cutoff=0.0))
