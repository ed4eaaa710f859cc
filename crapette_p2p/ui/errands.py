"""What can be chosen from the menu: each an errand on the menu's shell.

Apart from the menu, because it brings the network, the session and every other
screen with it: the menu is drawn first, and this is loaded behind it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.net.address import AddressError, parse_target
from crapette_p2p.net.discovery import browse
from crapette_p2p.net.endpoint import ResumeOptions, resume
from crapette_p2p.net.failures import Failure, StorageError
from crapette_p2p.net.hosting import HostOptions
from crapette_p2p.net.joining import JoinOptions
from crapette_p2p.net.kept import KeptGame, resumable_of
from crapette_p2p.net.peers import addresses_of, by_fingerprint
from crapette_p2p.net.player import Player
from crapette_p2p.net.seeking import search_for
from crapette_p2p.net.sparring import home_of, spar_again
from crapette_p2p.session.keys import fingerprint, format_fingerprint
from crapette_p2p.ui.app import Shell
from crapette_p2p.ui.bot_flow import bot_meanwhile, new_bot_game
from crapette_p2p.ui.home import Home
from crapette_p2p.ui.host_flow import host_flow
from crapette_p2p.ui.input.keymap import TABLE_KEYS
from crapette_p2p.ui.join_flow import Target, join_flow
from crapette_p2p.ui.lan_flow import EMPTY_AFTER, choose_table
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.outcomes import (
    NEXT_DEAL,
    SIGNATURE,
    ago_text,
    outcome_text,
    what_goes_on,
)
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.screens.asking import Answer, Asking
from crapette_p2p.ui.screens.meeting import Notice
from crapette_p2p.ui.screens.menu import BACK, Item, Menu
from crapette_p2p.ui.screens.reading import Reading, keys_page
from crapette_p2p.ui.screens.rules_page import rules_page
from crapette_p2p.ui.screens.settings_page import NAME, SettingsScreen
from crapette_p2p.ui.seats import flow_options, replay_screen, seat_flow
from crapette_p2p.ui.told_apart import told_apart
from crapette_p2p.ui.view import Row
from crapette_p2p.ui.wording import explain


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What the menu tells of this player's key and games."""

    status: str
    """Name and the beginning of the fingerprint."""
    open_game: str
    """The newest game that can go on; empty if none can."""
    games: int
    """How many there are to replay."""


class Errands:
    """Everything that begins from the menu of one run."""

    def __init__(
        self, shell: Shell, home: Home, ask_name: Callable[[], Awaitable[None]]
    ) -> None:
        self._shell = shell
        self._home = home
        self._ask_name = ask_name
        self._actions: dict[str, Callable[[], Awaitable[None]]] = {
            "host": self._host,
            "lan": self._lan,
            "bot": self._bot,
            "resume": self._resume,
            "replay": self._replays,
            "stats": self._statistics,
            "rules": self._rules,
            "keys": self._keys,
            "settings": self._settings,
        }

    async def run(self, chosen: str, argument: str = "") -> None:
        """Do what was chosen; raises what goes wrong with network, files or rules."""
        if chosen == "join":
            await self._join(argument)
        else:
            await self._actions[chosen]()

    async def counts(self) -> AsyncIterator[int]:
        """How many tables are seen on this network, whenever that has changed."""
        own = self._own()
        if own is None or not self._shell.desk.settings.announce:
            return
        async with browse(own=own) as tables:
            told = -1
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(tables.changed(), EMPTY_AFTER)
                count = len(tables.tables)
                if tables.problem is None and count != told:
                    told = count
                    yield count

    def _own(self) -> bytes | None:
        """The fingerprint of our own key, if it can be read."""
        try:
            return fingerprint(self._player().identity.public)
        except StorageError:
            return None

    def overview(self) -> Overview:
        """What there is, as far as it can be read."""
        games = self._kept()
        going_on = resumable_of(games)
        resumable = ""
        if going_on:
            words, newest = self._shell.desk.words, going_on[0]
            ago = ago_text(time.time() - newest.modified, words)
            resumable = f"{_what_goes_on(newest, words)} · {ago}"
        return Overview(status=self._status(), open_game=resumable, games=len(games))

    @property
    def _name(self) -> str:
        return self._shell.desk.settings.name or self._home.name

    def _player(self) -> Player:
        return self._home.player(self._name)

    def _status(self) -> str:
        own = self._own()
        if own is None:
            return self._name
        return f"{self._name}  {format_fingerprint(own)[:9]}"

    def _kept(self) -> tuple[KeptGame, ...]:
        try:
            return self._player().kept.summaries()
        except StorageError:
            return ()

    async def _host(self) -> None:
        desk = self._shell.desk
        port = desk.settings.port
        player = self._player()
        options = HostOptions(
            player=player,
            terms=self._home.terms(),
            ports=range(port, min(port + 16, 65_536)) if port else (0,),
            announce=desk.settings.announce,
        )
        await host_flow(
            self._shell,
            options,
            flow_options(self._shell),
            lambda surface, terms: bot_meanwhile(
                surface, player, self._home.paths, terms
            ),
        )

    async def _join(self, text: str = "") -> None:
        desk, words = self._shell.desk, self._shell.desk.words
        player = self._player()
        peers = player.peers.readable()
        history = [str(place) for peer in peers for place in addresses_of(peer)]
        asking = Asking(
            desk,
            words("Join by address"),
            [
                words("What your friend's screen shows: an address like 192.168.1.20,"),
                words("or an invite that begins with crapette1: (paste it whole)."),
            ],
            label=words("address:"),
            text=text,
            history=history[::-1],
            problem=self._address_problem,
        )
        if text:
            asking.key("enter", self._shell.now)  # shown only if that is no address
        answer = await self._shell.show(asking)
        if isinstance(answer, Answer) and answer.text:
            await self._join_at(parse_target(answer.text))

    def _address_problem(self, text: str) -> str | None:
        if not text.strip():
            return None
        try:
            parse_target(text)
        except AddressError as error:
            words = self._shell.desk.words
            return words("That is no address: {text}", text=error.token or text)
        return None

    async def _join_at(self, target: Target, expected: bytes | None = None) -> None:
        looks = self._shell.desk.settings.announce
        options = JoinOptions(
            player=self._player(),
            expected=expected,
            search=search_for(target, expected) if looks else None,
            follow=looks,
        )
        await join_flow(self._shell, target, options, flow_options(self._shell))

    async def _lan(self) -> None:
        player = self._player()
        known = by_fingerprint(player.peers.readable())
        own = fingerprint(player.identity.public)
        target = await choose_table(self._shell, own=own, known=known.get)
        if isinstance(target, str):
            await self._join()
        elif target is not None:
            await self._join_at(target)

    async def _bot(self) -> None:
        terms = self._home.terms()
        await new_bot_game(self._shell, self._player(), self._home.paths, terms)

    async def _resume(self) -> None:
        words, player = self._shell.desk.words, self._player()
        games = player.kept.resumable()
        path = await self._choose_game(
            words("Resume"), games, words("No game can go on.")
        )
        if path is None:
            return
        player = player.again_in(path)
        home = home_of(path.path, self._home.paths)
        if home is not None:
            seat = spar_again(player, home, path.path)
            await seat_flow(self._shell, seat, bot=True)
        else:
            looks = self._shell.desk.settings.announce
            options = ResumeOptions(player=player, announce=looks)
            await seat_flow(self._shell, resume(path.path, options))

    async def _replays(self) -> None:
        words = self._shell.desk.words
        game = await self._choose_game(
            words("Replays"), self._kept(), words("No game was played yet.")
        )
        if game is None:
            return
        try:
            screen = replay_screen(self._shell.desk, game.path, seat=game.seat or 0)
        except OSError as error:
            why = why_of(error, self._shell.desk.words)
            await self.read(f"{game.path}: {why}")
            return
        await self._shell.show(screen)

    async def _choose_game(
        self, title: str, games: Sequence[KeptGame], empty: str
    ) -> KeptGame | None:
        desk, words = self._shell.desk, self._shell.desk.words
        items = [
            Item(
                str(number),
                " – ".join(told_apart(game.genesis.nicks, game.seat, words)),
                " · ".join(
                    (
                        game.genesis.label,
                        *_running_turn(game, words),
                        outcome_text(game, words),
                        game.date,
                    )
                ),
            )
            for number, game in enumerate(games)
        ]
        done = await self._shell.show(Menu(desk, title, items, empty=empty))
        return None if done == BACK else games[int(str(done))]

    async def _rules(self) -> None:
        desk, words = self._shell.desk, self._shell.desk.words
        items = [Item(name, name, key=str(n)) for n, name in enumerate(PRESETS, 1)]
        chosen = await self._shell.show(Menu(desk, words("Rules"), items))
        if chosen != BACK:
            await self._shell.show(rules_page(desk, PRESETS[str(chosen)]))

    async def _statistics(self) -> None:
        desk, words = self._shell.desk, self._shell.desk.words
        none = words("No game has been played here yet.")
        lines = self._home.statistics() or [none]
        rows = [Row((line,), indent=2) for line in lines]
        page = Reading(desk, words("Statistics"), lambda _wanted: rows)
        await self._shell.show(page)

    async def _keys(self) -> None:
        await self._shell.show(keys_page(self._shell.desk, TABLE_KEYS))

    async def _settings(self) -> None:
        while await self._shell.show(SettingsScreen(self._shell.desk)) == NAME:
            await self._ask_name()

    # Complaints -----------------------------------------------------------------

    async def complain(self, failure: Failure) -> None:
        """Say on a page what failed, and what to do."""
        told = explain(failure.code, failure.facts, self._shell.desk.words)
        await self.read(told.sentence, told.hint)

    async def read(self, *lines: str) -> None:
        """A page about what did not work."""
        desk = self._shell.desk
        title = desk.words("That did not work")
        await self._shell.show(Notice(desk, title, [line for line in lines if line]))


def _what_goes_on(game: KeptGame, words: Words) -> str:
    """With whom, and what there is to be done."""
    name = game.peer_nick
    following = what_goes_on(game)
    if following == NEXT_DEAL:
        return words("{name}, next deal", name=name)
    if following == SIGNATURE:
        return words("{name}, result to be signed", name=name)
    return words("{name}, turn {n}", name=name, n=max(game.turns, 1))


def _running_turn(game: KeptGame, words: Words) -> list[str]:
    """Which turn a game is in, if it is played; it takes a while to find out."""
    if game.status != "open" or game.is_over or not game.turns:
        return []
    return [words("turn {n}", n=game.turns)]
