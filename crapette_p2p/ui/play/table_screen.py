"""The table of one game in play: what keys and notices do to it.

Theory of operation. Notices of the session come in through ``notice`` and
change what is true; the feed decides when each event is shown. Keys go through
the input machine; what they ask for leaves as a command through ``send`` and
changes nothing here until the session says that the event is final: a move is
delivered or visibly taken back, never half made.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.engine import (
    GRANT,
    Action,
    Discard,
    Move,
    Stop,
    Turn,
    format_action,
)
from crapette_p2p.engine.layout import DRAWN, WASTE
from crapette_p2p.engine.played import turn_began
from crapette_p2p.net.ending import is_not_kept_there
from crapette_p2p.net.news import GaveUp, Redialling, TableNotice
from crapette_p2p.session.notices import (
    AckLate,
    LinkLost,
    PeerHeard,
    PeerLeft,
    PeerQuiet,
    SessionFailed,
)
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.input.hand_state import Do, Look, Open, Wish
from crapette_p2p.ui.input.keymap import TABLE_KEYS
from crapette_p2p.ui.play import flying as flights
from crapette_p2p.ui.play.dealings import Dealings
from crapette_p2p.ui.play.dealt import FRAME, SECONDS, is_fresh
from crapette_p2p.ui.play.feed import Shown
from crapette_p2p.ui.play.history import Moves
from crapette_p2p.ui.refusals import refusal_text
from crapette_p2p.ui.render import Hit, PileHit
from crapette_p2p.ui.screens.reading import Reading, keys_page
from crapette_p2p.ui.screens.screen import RIGHT
from crapette_p2p.ui.view import Text
from crapette_p2p.ui.wording import not_kept_there

_MARKED: Final = 2
_ABOUT_LOSS: Final = frozenset({"lost", "abandon", "abandoned"})
"""Boxes that are past once the opponent is there again."""


class TableScreen(Dealings):
    """One game in play; see the module's theory of operation."""

    # Keys ---------------------------------------------------------------------

    def board_key(self, key: str, now: float) -> None:
        """A key at the table."""
        self.dealt_at = 0.0
        self.flying = None
        self.said = ()
        key = at_table(key)
        if key == "escape" and self.log_scroll:
            self.log_scroll = 0
        if key == "escape" and self.hands.state.picked is None:
            self.found = None
        if not self._over_key(key, now):
            self._grant_wishes(self.hands.key(key, self.scene(), now), now)

    def pressed(self, hit: Hit | None, button: str, now: float) -> None:
        """The mouse on a pile."""
        if self.over is not None or self.question is not None:
            return
        self.said = ()
        if button == RIGHT:
            self.hands.put_back(self.scene())
        elif isinstance(hit, PileHit):
            self._grant_wishes(self.hands.press(hit.pile, self.scene(), now), now)

    def release(self, x: int, y: int, now: float) -> None:
        """The end of a drag, perhaps."""
        if self.over is None and self.question is None:
            hit = self.frame.hit(x, y) if self.frame is not None else None
            pile = hit.pile if isinstance(hit, PileHit) else None
            self._grant_wishes(self.hands.release(pile, self.scene()), now)

    def wheel(self, step: int, now: float) -> None:
        """Scroll the log, or the page over the table."""
        if self.over is not None:
            self.over.wheel(step, now)
        else:
            self.scroll_log(-step)

    def _grant_wishes(self, wishes: tuple[Wish, ...], now: float) -> None:
        for wish in wishes:
            match wish:
                case Do(action):
                    self.act(action, now)
                case Look(pile):
                    self.look(pile, now)
                case Open(what):
                    self._open(what, now)

    def _open(self, what: str, now: float) -> None:
        words = self.desk.words
        match what:
            case "?":
                note = words("Hold Shift (Option, Fn) to select text with the mouse.")
                self.over = keys_page(self.desk, TABLE_KEYS, note)
            case ":":
                self.type_line("order", ":")
            case "/":
                self.type_line("find", words("find:"))
            case "t":
                self.type_line("chat", words("say:"))
            case "n" | "N":
                self.find_again(now)
            case "l":
                rows = self.log_rows
                self.over = Reading(
                    self.desk, words("Log"), lambda _: rows(), from_end=True
                )
            case "pageup" | "pagedown":
                self.scroll_log(4 if what == "pageup" else -4)
            case "i":
                self._info(now)
            case "h":
                self._hint(now)
            case "g":
                self.act(GRANT, now)
            case "enter":
                self.feed.hurry()
            case _:
                self.leaving(now)

    # The session speaks -------------------------------------------------------

    def begin(self, now: float, moves: Moves = ()) -> None:
        """The table is shown for the first time, after these moves."""
        for author, action in moves:
            self._mark(author, action)
        if is_fresh(self.board) and self.desk.settings.animation:
            self.dealt_at = now + SECONDS
        self.hands.refresh(self.scene(), drawn=True)
        self._turn_changed()
        self._ask_what_is_open(now)

    def happened(self, now: float) -> None:
        """An event became final; ``feed.push`` came before."""
        self.wake(now)

    def void(self, action: Action, now: float, *, why: str = "") -> None:
        """An own action did not happen."""
        self.hands.taken_back()
        words = self.desk.words
        name = format_action(action)
        if why:
            text: Text = (f"{name}: ", *refusal_text(why, self.board, action, words))
        else:
            sentence = "{move} was too late: the other player acted first."
            text = (words(sentence, move=name),)
        self.say(text, now, style="error")

    def heard_chat(self, text: str, now: float) -> None:
        """The opponent said something, which may be muted."""
        if not self.desk.settings.chat:
            return
        self.scribe.chat(self.other_name, text)
        line = f"{self.other_name}: {text}"
        self.say(line, now, style="log-chat")
        self.said_after(line)

    def heard_wish(self, now: float) -> bool:
        """The opponent asks for another deal, muted or not; False if that is no news.

        The words are ours: muting leaves out what somebody writes, not what he does.
        """
        if not self.may_wish:
            return False
        text = self.desk.words("{name} would like another deal.", name=self.other_name)
        self.scribe.say((text,), "chat")
        self.say(text, now, style="log-chat")
        self.said_after(text)
        self.may_wish = False
        return True

    def heard_of_link(self, notice: TableNotice, now: float) -> None:
        """Something about the connection."""
        words, name = self.desk.words, self.other_name
        match notice:
            case PeerQuiet(seconds):
                self.link.quiet_since = now - seconds
            case PeerHeard():
                self.link.heard()
            case AckLate():
                self.link.late = True
            case Redialling(attempt, seconds):
                self.link.attempt, self.link.next_at = attempt, now + seconds
            case GaveUp():
                self.say(words("{name} did not come back yet.", name=name), now)
            case PeerLeft(timed_out=False):
                self.link.left = True
                self._lost(now)
            case LinkLost() | PeerLeft() | SessionFailed():
                self._lost(now)
                if isinstance(notice, SessionFailed) and is_not_kept_there(notice):
                    self.say(not_kept_there(name, words), now)
            case _:
                pass

    def _lost(self, now: float) -> None:
        """The connection broke; it is being made again."""
        end = self.board.end
        if end is not None and end.provisional_by is None:
            return
        if self.link.is_up:
            self.link.lost(now)
            self.ask(self._lost_box(now))

    def back(self, now: float, *, pending: bool = True) -> None:
        """The connection is there again; whether an own event is on its way."""
        was_lost = not self.link.is_up
        self.link.back()
        if not pending:
            self.hands.taken_back()
        if self.question is not None and self.question.name in _ABOUT_LOSS:
            self.ask(None)
        if was_lost:
            self.say(self.desk.words("Connected again; the game goes on."), now)
        self._ask_what_is_open(now)

    # Time ---------------------------------------------------------------------

    def wakes_at(self, now: float) -> float | None:
        """The next event to show, the end of a sentence, the clock's second."""
        times = [self.feed.wakes_at(), self.said_until(now)]
        if now < self.dealt_at:
            times.append(now + FRAME)
        if self.flying is not None and self.flying.flight(now) is not None:
            times.append(now + flights.FRAME)
        if self.board.end is None or self.link.ticks:
            times.append(now + 1.0 - (now - self.setup.since) % 1.0)
        known = [time for time in times if time is not None]
        return min(known, default=None)

    def wake(self, now: float) -> None:
        """Show what is due."""
        for shown in self.feed.advance(now):
            self._show(shown, now)

    def _show(self, shown: Shown, now: float) -> None:
        action, before, after = shown.action, shown.before, shown.after
        if action is None:
            slot = before.unopened()
            if slot is not None and after.faces[slot] != UNKNOWN:
                self.scribe.opened(after.faces[slot])
        else:
            self.scribe.record(shown.author, action, before, after)
            self._mark(shown.author, action)
            if self._is_watched():
                self.flying = flights.flying(shown, now)
            if isinstance(action, Stop):
                self.hands.quiet()
                scribe = self.scribe
                self.ask(self.boxes.called(scribe.verdict, scribe.taken_back, now))
            elif after.penalty is not None:
                self.say(self.scribe.verdict, now, style="error")
        if turn_began(before, after) or (after.end and not before.end):
            self.turn_since, self.turn_timed = now, True
            self.hands.quiet()  # "not your turn" is no longer true
            self._turn_changed()
        if action is not None and shown.author == self.seat:
            self._landing = True
        if self._landing and after.unopened() is None:
            self._landing = False
            self.hands.arrived()
        self.hands.refresh(self.scene(), drawn=_just_drawn(shown, self.seat))
        if not self.hands.is_waiting:
            self._grant_wishes(self.hands.catch_up(self.scene(), now), now)
        self._ask_what_is_open(now)

    def _is_watched(self) -> bool:
        """Whether cards move for the eye: wanted, and at a pace that lets them."""
        wanted = self.desk.settings.animation and not self.feed.hurried
        return wanted and self.feed.pace >= flights.SECONDS

    def _mark(self, author: int, action: Action) -> None:
        """Remember where the last two moves of whoever acted last have gone."""
        target: int
        match action:
            case Move():
                target = action.target
            case Turn():
                target = DRAWN + author
            case Discard():
                target = WASTE + author
            case Stop():
                self.marks = ()
                return
            case _:
                return
        kept = tuple(mark for mark in self.marks if mark[0] == author)
        self.marks = (*kept, (author, target))[-_MARKED:]

    def _turn_changed(self) -> None:
        mine = self.board.end is None and self.board.active == self.seat
        words = self.desk.words
        if mine:
            self.desk.ring()
        title = words("► your turn – Crapette") if mine else "Crapette"
        self.desk.entitle(title)


def _just_drawn(shown: Shown, seat: int) -> bool:
    """Whether our drawn card has just come into sight."""
    if shown.after.top(DRAWN + seat) in {-1, UNKNOWN}:
        return False
    if shown.action is None:
        return shown.before.top(DRAWN + seat) == UNKNOWN
    return shown.author == seat and isinstance(shown.action, Turn)
