"""The screen of an open table that nobody sits at yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from crapette_p2p.net.address import Address
from crapette_p2p.net.addresses import OwnAddress
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.input.keymap import SCREEN, Binding, key_lines
from crapette_p2p.ui.invitation import join_command, moved_text
from crapette_p2p.ui.render.cells import fill
from crapette_p2p.ui.render.pages import body_rows, page_lines
from crapette_p2p.ui.screens.reading import Reading, keys_page
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.turned_away import SHOWN
from crapette_p2p.ui.view import PageView, Row

CLOSE: Final = "close"
"""``done`` when the player closes the table."""
EDIT: Final = "edit"
"""``done`` when the player wants to change the rules."""
BOT: Final = "bot"
"""``done`` when the player wants to play a bot meanwhile."""
_ONE_OF_THESE: Final = "Tell your friend ONE of these:"
_BY_CARDS: Final = "A friend who types only the address will be checked by four cards."
_BY_KEY: Final = "Only the player whose key you named sits down here."
_INVITED: Final = (
    "Nobody sits down without the invite; it works once, for half an hour."
)
HOST_KEYS: Final = (
    Binding(key="?", label="help", weight=10, group=SCREEN, help="this page"),
    Binding(
        key="escape",
        cap="Esc",
        label="close the table",
        short="close",
        weight=9,
        group=SCREEN,
        help="close the table and go back",
    ),
    Binding(
        key="y",
        label="copy the invite",
        short="copy",
        weight=8,
        group=SCREEN,
        help="copy the invite into the clipboard",
    ),
    Binding(
        key="b",
        label="play a bot meanwhile",
        short="bot",
        weight=7,
        group=SCREEN,
        help="play a bot meanwhile; a knock interrupts it, and it can be gone on with",
    ),
    Binding(
        key="e",
        label="edit the rules",
        short="rules",
        weight=6,
        group=SCREEN,
        help="edit the rules, the length of the match and assistance",
    ),
    Binding(
        key="a",
        label="all addresses",
        short="addresses",
        weight=5,
        group=SCREEN,
        help="show all addresses of this computer, the unlikely ones too",
    ),
    Binding(
        key="v",
        group=SCREEN,
        help="let others on this network see the table, or not",
    ),
)
_KINDS: Final = {
    "wireless": "Wi-Fi",
    "network": "network",
    "vpn": "VPN – only for people on that VPN",
    "virtual": "virtual, this computer only",
    "link-local": "same cable or switch only",
    "loopback": "this computer only",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """What there is to tell of an open table."""

    addresses: Sequence[OwnAddress]
    """Best first."""
    port: int
    """Where it listens."""
    invite: str
    """The invite as text."""
    terms: str
    """The rules in a few words."""
    moved_from: int | None = None
    """The port that was taken, if this is another one."""
    bot: bool = False
    """Whether a bot can be played meanwhile."""
    visible: bool = True
    """Whether others on this network see the table."""
    invited: bool = False
    """Whether nobody sits down without the invite."""
    expects: bool = False
    """Whether only one key sits down."""
    show: Callable[[bool], None] = lambda _visible: None
    """Lets the table be seen, or not."""


class HostScreen(Screen):
    """Addresses, the invite, the command a friend types, and who knocked."""

    def __init__(self, desk: Desk, table: OpenTable, opened: float) -> None:
        super().__init__(desk)
        self.table = table
        self._opened = opened
        self._knocks: list[str] = []
        self._earlier = 0
        self._all = False
        self._said = ""
        self._visible = table.visible
        self.over: Reading | None = None
        """The page of keys, while it is read."""
        self.unseen = ""
        """Why nobody can see the table, in words."""

    def knocked(self, text: str, now: float) -> None:
        """Somebody was at the door, and this came of it."""
        seconds = int(now - self._opened)
        line = f"{seconds // 60:02}:{seconds % 60:02}  {text}"
        self._knocks.append(line)
        if len(self._knocks) > SHOWN:
            del self._knocks[0]
            self._earlier += 1

    def view(self, now: float) -> PageView:
        """Everything a friend has to be told."""
        if self.over is not None:
            self.over.size = self.size
            return self.over.view(now)
        words = self.desk.words
        invited = self.table.invited
        first = "Send your friend the invite:" if invited else _ONE_OF_THESE
        rows = [Row((words(first),)), Row(())]
        rows += [] if invited else self._address_rows()
        rows += self._fact_rows()
        page = PageView(title="", rows=tuple(rows))
        used = len(page_lines(page, self.size[0], self.desk.theme))
        rows += self._knock_rows(body_rows(self.size[1]) - used)
        return PageView(
            title=words("Host a table"),
            status=words("waiting for a player …"),
            rows=tuple(rows),
            message=(self._said,) if self._said else (),
            key_lines=key_lines(self._bindings, words),
        )

    def _knock_rows(self, room: int) -> list[Row]:
        """The newest knocks that fit, one at least, and how many there were."""
        if not self._knocks:
            return []
        shown = self._knocks[-max(room - 1, 1) :]
        earlier = self._earlier + len(self._knocks) - len(shown)
        rows = [Row((knock,), hang=7) for knock in shown]
        if earlier:
            text = self.desk.words.count("{n} earlier", "{n} earlier", earlier)
            rows.insert(0, Row((text,), "label"))
        return rows

    def _address_rows(self) -> list[Row]:
        words, table = self.desk.words, self.table
        shown = [own for own in table.addresses if own.shown or self._all]
        rows = []
        for index, own in enumerate(shown or table.addresses):
            label = words("address") if not index else ""
            place = Address(own.address, table.port).short()
            about = f"({own.adapter}, {words(_KINDS.get(own.kind, own.kind))})"
            rows.append(Row((f"  {fill(label, 10)}{place:<24} {about}",), hang=12))
        if not rows:
            rows.append(Row((words("This computer is on no network."),), "error"))
        return rows

    def _fact_rows(self) -> list[Row]:
        words, table = self.desk.words, self.table
        command = join_command(
            table.addresses, table.port, words, invited=table.invited
        )
        rows = [
            Row((f"  {fill(words('invite'), 10)}{table.invite}",), hang=12),
            Row((f"  {fill(words('command'), 10)}{command}",), hang=12),
            Row(()),
        ]
        if table.moved_from is not None:
            rows.append(Row((moved_text(table.moved_from, table.port, words),)))
        rows += [
            Row((words("Listening on port {n}.", n=table.port),)),
            Row((self._visibility(),), hang=2),
            Row(
                (words("Rules: {terms}", terms=table.terms) + " [e]",), key="e", hang=2
            ),
            Row((self._who_sits(),)),
        ]
        return rows

    def _who_sits(self) -> str:
        words, table = self.desk.words, self.table
        if table.invited:
            return words(_INVITED)
        return words(_BY_KEY) if table.expects else words(_BY_CARDS)

    def _visibility(self) -> str:
        words = self.desk.words
        if self._visible and self.unseen:
            return words("Not visible on this network: {why}", why=self.unseen)
        state = words("yes") if self._visible else words("no")
        text = 'Visible in "Tables on this network": {state} [v]'
        return words(text, state=state)

    def say(self, text: str) -> None:
        """Show a sentence until the next key."""
        self._said = text

    @property
    def _bindings(self) -> tuple[Binding, ...]:
        return tuple(b for b in HOST_KEYS if b.key != "b" or self.table.bot)

    def key(self, key: str, now: float) -> None:
        """Copy, show all, edit, play a bot, or close."""
        if self.over is not None:
            self.over.key(key, now)
            if self.over.done is not None:
                self.over = None
            return
        self._said = ""
        key = at_table(key)
        if key in {"escape", "c-c"}:
            self.done = CLOSE
        elif key == "y":
            self.desk.copy(self.table.invite)
            self._said = self.desk.words(
                "The invite is in the clipboard (if your terminal allows it)."
            )
        elif key == "v":
            self._visible = not self._visible
            self.table.show(self._visible)
        elif key == "a":
            self._all = not self._all
        elif key == "e":
            self.done = EDIT
        elif key == "b" and self.table.bot:
            self.done = BOT
        elif key in {"?", "f1"}:
            self.over = keys_page(self.desk, self._bindings)
