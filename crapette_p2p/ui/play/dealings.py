"""What is asked, ordered and said at the table: boxes, commands, talk, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crapette_p2p.bot import Hint
from crapette_p2p.engine import (
    ACCEPT_DRAW,
    DECLINE_DRAW,
    GRANT,
    OFFER_DRAW,
    RESIGN,
    Action,
    Move,
    Position,
)
from crapette_p2p.errors import IllegalMove, LocalProtocolError
from crapette_p2p.gamelog.times import clock_text
from crapette_p2p.session.commands import Act, Command, MarkAbandoned, SayChat
from crapette_p2p.ui.hinting import hint_text
from crapette_p2p.ui.input.calling import why_refused
from crapette_p2p.ui.input.keymap import TABLE_KEYS
from crapette_p2p.ui.input.palette import Order
from crapette_p2p.ui.input.table_keys import press
from crapette_p2p.ui.play.after_deal import MENU, AfterDeal
from crapette_p2p.ui.play.link import ABANDON_AFTER
from crapette_p2p.ui.play.questions import Question
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.refusals import refusal_text
from crapette_p2p.ui.render.bars import plain_text
from crapette_p2p.ui.render.geometry import geometry, is_too_small
from crapette_p2p.ui.render.journal import count_lines, text_of
from crapette_p2p.ui.screens.reading import keys_page
from crapette_p2p.ui.screens.rules_page import rules_page
from crapette_p2p.ui.screens.waiting import OTHER_WAY
from crapette_p2p.ui.view import Choice, Row, Text

HINT_STANDS: Final = 4.0
"""Seconds a piece of advice stands longer than any other sentence."""
LEFT_TABLE: Final = "left"
"""``done`` when the player has left, the game saved."""


class Dealings(AfterDeal):
    """Everything at the table that is not a move."""

    def act(self, action: Action, now: float) -> None:
        """Ask the session for an action; what is refused is said."""
        if action == self.hands.on_its_way:
            return  # the key is held
        latest = self.feed.latest
        why = why_refused(latest, self.seat, action)
        if why is not None:
            text = refusal_text(why, latest, action, self.desk.words)
            self.say(text, now, style="error")
        elif self._send(Act(action), now):
            self.hinted = frozenset()
            if self.setup.adviser is not None:
                self.setup.adviser.call_off()
            self.hands.sent(action)

    def _send(self, command: Command, now: float) -> bool:
        try:
            self.setup.send(command)
        except (LocalProtocolError, IllegalMove):
            text = self.desk.words("That is not possible now.")
            if not self.link.is_up:
                text = self.desk.words("There is no connection now; the game is saved.")
            self.say(text, now, style="error")
            return False
        return True

    def chat(self, text: str, now: float, *, shown: str = "") -> bool:
        """Say something to the opponent; whether it was said.

        ``shown``: how it stands in one's own log, if not as it is sent.
        """
        said = bool(text.strip()) and self._send(SayChat(text), now)
        if said:
            self.scribe.chat(self.setup.names[self.seat], shown or text)
        return said

    # Boxes --------------------------------------------------------------------

    def _ask_what_is_open(self, now: float) -> None:
        """Open the box that the table calls for; close one that is past."""
        board, question = self.board, self.question
        end = board.end
        to_grant = end is not None and end.provisional_by not in {None, self.seat}
        offered = board.offer is not None and board.offer != self.seat
        if question is not None and question.name in {"grant", "draw"}:
            still = to_grant if question.name == "grant" else offered
            if not still:
                self.ask(None)
        if self.question is not None or self.feed.is_behind:
            return
        if to_grant and self._asked != "grant":
            self._asked = "grant"
            self.ask(self.boxes.grant(board, now, grant=self._granted, stop=self._stop))
        elif offered and not to_grant and self._asked != "draw":
            self._asked = "draw"
            self.ask(self.boxes.draw_offer(now, answer=self._answer_draw))
        elif not to_grant and not offered:
            self._asked = ""

    def ask(self, question: Question | None) -> None:
        """Open a box; a question that it covers is asked again later."""
        if self.question is not None and self.question.name in {"grant", "draw"}:
            self._asked = ""
        super().ask(question)

    def box_closed(self, now: float) -> None:
        """Ask what was covered, or had to wait."""
        self._ask_what_is_open(now)

    def _granted(self, now: float) -> None:
        self.act(GRANT, now)

    def _stop(self, now: float) -> None:
        """From the box to the prompt that names the missed play."""
        del now
        self.hands.state, _ = press(self.hands.state, "!", self.scene())

    def _answer_draw(self, accept: bool, now: float) -> None:
        self.act(ACCEPT_DRAW if accept else DECLINE_DRAW, now)

    def leaving(self, now: float) -> None:
        """Ask; a second time while the box is open means save and leave."""
        if self.question is not None and self.question.name == "leave":
            self.suspend(now)
        elif self._is_over():
            if self.question is not None or self._over is None:
                self.done = MENU
            else:
                self._over.by_itself = False
                self.what_next()
        else:
            self.typing = None
            self.ask(
                self.boxes.leave(now, suspend=self.suspend, resign=self._ask_resign)
            )

    def suspend(self, now: float) -> None:
        """Save and leave."""
        del now
        self.done = LEFT_TABLE

    def _ask_resign(self, now: float) -> None:
        self.ask(self.boxes.resign(now, yes=self._resign))

    def _resign(self, now: float) -> None:
        self.act(RESIGN, now)

    def _lost_box(self, now: float) -> Question:
        return self.boxes.lost(
            now,
            lines=self._lost_lines,
            suspend=self.suspend,
            abandon=self._ask_abandon,
            info=self._info,
            other_way=self._other_way if self.setup.has_other_way else None,
            left=self.link.left,
        )

    def _other_way(self, now: float) -> None:
        del now
        self.done = OTHER_WAY

    def _lost_lines(self, now: float) -> tuple[Text, ...]:
        words, link = self.desk.words, self.link
        gone = clock_text(link.gone_for(now))
        if link.left:
            first = words(
                "{name} has left, {time} ago.", name=self.other_name, time=gone
            )
        elif link.attempt:
            wait = max(round(link.next_at - now), 0)
            sentence = "Lost {time} ago. Attempt {n}, next in {s} s."
            first = words(sentence, time=gone, n=link.attempt, s=wait)
        else:
            first = words("Lost {time} ago. The table waits.", time=gone)
        saved = words(
            "The game is saved on both computers (turn {n}).", n=self.scribe.turn
        )
        place = ((link.place,),) if link.place else ()
        return ((first,), (saved,), *place)

    def still_lost(self, now: float) -> None:
        """The box again, after a key of the player's own: it listens at once."""
        if not self.link.is_up:
            box = self._lost_box(now)
            box.by_itself = False
            self.ask(box)

    def _ask_abandon(self, now: float) -> None:
        if self.link.gone_for(now) < ABANDON_AFTER:
            self.still_lost(now)
            self.say(self.desk.words("Not before two minutes have passed."), now)
        else:
            self.ask(self.boxes.abandon(now, yes=self._abandon))

    def _abandon(self, now: float) -> None:
        if self._send(MarkAbandoned(), now):
            box = self.boxes.abandoned(now, leave=self.suspend, wait=self.still_lost)
            self.ask(box)

    def _info(self, now: float) -> None:
        words = self.desk.words
        link, _ = self.link.text(self.other_name, now, words)
        self.ask(
            Question(
                name="info",
                title=self.other_name,
                lines=self.setup.info(link),
                choices=(Choice("escape", words("back"), "Esc"),),
                answers=dict.fromkeys(("escape", "enter", "i", "q"), self._info_read),
                opened=now,
            )
        )

    def _info_read(self, now: float) -> None:
        self.still_lost(now)

    # Commands -----------------------------------------------------------------

    def order(self, order: Order, now: float) -> bool:
        """The palette's commands of the table."""
        match order.name:
            case "resign":
                self._ask_resign(now)
            case "draw":
                self._draw(now)
            case "suspend":
                self.suspend(now)
            case "quit":
                self.leaving(now)
            case "who":
                self._info(now)
            case "keys":
                self.over = keys_page(self.desk, TABLE_KEYS)
            case "rules":
                self.over = rules_page(self.desk, self.board.rules)
            case "rematch":
                return self.offers_next(now)
            case "log" if self.setup.save_log is not None:
                self._save_log(self.setup.save_log, order.argument, now)
            case _:
                return False
        return True

    def _draw(self, now: float) -> None:
        offer = self.feed.latest.offer
        if offer is not None and offer != self.seat:
            question = self.boxes.draw_offer(now, answer=self._answer_draw)
            question.by_itself = False
            self.ask(question)
        else:
            self.act(OFFER_DRAW, now)

    def _save_log(self, save: Callable[[str], str], path: str, now: float) -> None:
        words = self.desk.words
        try:
            saved = save(path)
        except OSError as error:
            why = why_of(error, words)
            text = words("Not saved: {why}", why=f"{path}: {why}" if path else why)
            self.say(text, now, style="error")
        else:
            self.say(words("Saved: {path}", path=saved), now)

    # The log, hints, finding --------------------------------------------------

    def scroll_log(self, rows: int) -> None:
        """Look further back (positive) or forward."""
        cols, height = self.size
        if is_too_small(cols, height):
            return
        area = geometry(cols, height).log
        entries, theme = self.scribe.entries(), self.desk.theme
        most = max(count_lines(entries, area.width - 2, theme) - area.height, 0)
        self.log_scroll = min(max(self.log_scroll + rows, 0), most)

    def log_rows(self) -> list[Row]:
        """The whole log as a page."""
        theme = self.desk.theme
        return [
            Row((entry.head + plain_text(text_of(entry.items), theme),), indent=1)
            for entry in self.scribe.entries()
        ] or [Row((self.desk.words("Nothing has happened yet."),))]

    def find_again(self, now: float) -> None:
        """Say once more where the card lies."""
        if self.found is not None:
            self.find(plain_text((self.found,), self.desk.theme), now)

    def _hint(self, now: float) -> None:
        """Ask the bot, where that was agreed; its answer comes while we go on."""
        words, adviser, board = self.desk.words, self.setup.adviser, self.board
        if adviser is None:
            text = "No hints in this game: both agree to them when a table is opened."
            self.say(words(text), now)
        elif self.feed.is_behind or self.hands.is_waiting:
            self.say(words("There is nothing to advise now."), now)
        else:
            self.say(words("Thinking …"), now)
            adviser.ask(board, lambda hint: self._advised(hint, board, now))

    def _advised(self, hint: Hint | None, board: Position, now: float) -> None:
        """Show the advice, unless the table has changed while it was sought."""
        if board is not self.feed.latest:
            return
        action = hint.action if hint is not None else None
        if isinstance(action, Move):
            self.hinted = frozenset({action.source, action.target})
        self.said = ()
        self.say(hint_text(hint, board, self.seat, self.desk.words), now + HINT_STANDS)
