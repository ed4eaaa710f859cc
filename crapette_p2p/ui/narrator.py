"""**Pure**: the notices of one table, one after the other → lines of the line mode.

The narrator remembers what a reader of the lines knows: the position last told,
the number of the turn, the last thing that happened (for ``say``). It asks
nothing and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from crapette_p2p.engine import Action, Position, Seat, Stop, format_action
from crapette_p2p.engine.actions import OFFER_DRAW
from crapette_p2p.engine.layout import DRAWN, RESERVE
from crapette_p2p.engine.played import turn_began
from crapette_p2p.engine.ruleset import RuleSet
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.replay import Replay
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.net.ending import is_not_kept_there
from crapette_p2p.net.news import (
    Closed,
    Connected,
    Expecting,
    GaveUp,
    LogRestored,
    PeersNotSaved,
    Redialling,
    TableNotice,
)
from crapette_p2p.session.notices import (
    AckLate,
    ActionDropped,
    CardsToCompare,
    ChatReceived,
    EndBrought,
    EventFinal,
    EventVoid,
    GameOver,
    GameResumed,
    GameStarted,
    LinkLost,
    LobbyOpened,
    PeerHeard,
    PeerKnown,
    PeerLeft,
    PeerQuiet,
    SessionFailed,
    TermsProposed,
    WaitingForPeer,
)
from crapette_p2p.session.text import WISH
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.lines import (
    Speech,
    action_lines,
    end_line,
    made_up_line,
    opened_line,
    table_lines,
    turn_line,
    undone_lines,
)
from crapette_p2p.ui.matches import match_text
from crapette_p2p.ui.refusals import SENTENCES
from crapette_p2p.ui.switches import difference_lines, nearest_preset
from crapette_p2p.ui.taken_back import Recent
from crapette_p2p.ui.wording import (
    brought_text,
    explain,
    not_kept_there,
    restored_text,
)

_TOLD_ATTEMPTS: Final = frozenset({1, 4, 16, 64})
"""Attempts to reconnect that are worth a line."""


class Narrator:
    """Tells one table to one reader."""

    def __init__(
        self, *, words: Words = ENGLISH, spoken: bool = False, muted: bool = False
    ) -> None:
        self.words = words
        self.spoken = spoken
        self.muted = muted
        """Whether what the other player says is left out."""
        self.speech = Speech(seat=Seat(0), names=("?", "?"), words=words, spoken=spoken)
        self.position: Position | None = None
        """The table as it was last told."""
        self.turn = 1
        """The number of the running turn."""
        self.last: list[str] = []
        """What happened last, for ``say``."""
        self._peer = words("the other player")
        self._genesis: Genesis | None = None
        self._told = 0
        self._was_linked = False
        """Whether there was a connection in this run."""
        self._may_wish = False
        """Whether the other player may ask for a deal, and has not yet."""
        self._recent = Recent()

    def speak(self, words: Words) -> None:
        """Go on in another language."""
        self.words = words
        self.speech = replace(self.speech, words=words)

    def sit_down(
        self, genesis: Genesis, seat: Seat, game: GameState | None = None, turn: int = 1
    ) -> None:
        """Begin a game, or go on with one from where ``game`` stands."""
        self.speech = Speech(
            seat=seat, names=genesis.nicks, words=self.words, spoken=self.spoken
        )
        self._peer, self._genesis = genesis.nicks[1 - seat], genesis
        self._may_wish = False
        self.position = game.position if game is not None else None
        self._told = game.length if game is not None else 0
        self.turn = turn

    def go_on(self, state: GameState, seat: Seat, log: GameLog) -> None:
        """Go on with a game of an earlier program, from where ``state`` stands."""
        turn = running_turn(log, state.length)
        self.sit_down(state.genesis, seat, state, turn)

    @property
    def is_seated(self) -> bool:
        """Whether a game has been begun, or gone on with."""
        return self._genesis is not None

    def table(self) -> list[str]:
        """The whole table now."""
        if self.position is None:
            return [self.words("there is no table yet.")]
        return table_lines(self.position, self.speech, turn=self.turn)

    def tell(self, notice: TableNotice) -> list[str]:
        """The lines of one notice, none for what needs no word."""
        match notice:
            case EventFinal():
                lines = list(self._event(notice))
            case GameOver():
                lines = list(self._over(notice))
            case ChatReceived(text) if text == WISH and self._may_wish:
                self._may_wish = False  # once is enough, muted or not
                lines = [self._say("{who} would like another deal.")]
            case ChatReceived() if self.muted:
                lines = []
            case ChatReceived(text):
                lines = [self._say("{who} says: {text}", text=text)]
            case CardsToCompare() | PeerKnown() | TermsProposed() | WaitingForPeer():
                lines = list(self._meeting(notice))
            case _:
                lines = list(self._link(notice) or self._setting_up(notice))
        if lines:
            self.last = lines
        return lines

    def mute(self, *, muted: bool) -> str:
        """Leave out what the other player says, or not; how that is said."""
        self.muted = muted
        if muted:
            return self._say("you hear nothing from {who}. unmute changes that.")
        return self._say("you hear {who} again.")

    def wish_told(self) -> str:
        """The player's wish for another deal has gone to whoever may propose it."""
        return self._say("only {who} can propose it, and was told your wish.")

    def asks_already(self) -> str:
        """The player has asked for another deal; nothing is left but waiting."""
        return self._say("waiting for {who} to answer.")

    # Meeting and setting up ---------------------------------------------------

    def _meeting(self, notice: TableNotice) -> Iterator[str]:
        match notice:
            case CardsToCompare(cards, peer, namesake):
                self._peer = peer.nick
                if namesake:
                    yield self._say(
                        "careful: you know another {who}, with another key."
                    )
                shown = self.speech.cards(cards)
                yield self._say("a new player: {who}. cards: {cards}.", cards=shown)
            case PeerKnown(peer=peer):
                self._peer = peer.nick
                yield self._say("{who} is here.")
            case TermsProposed(genesis):
                terms = _terms(genesis, self.words)
                yield self._say("{who} proposes: {terms}.", terms=terms)
                yield from house_lines(genesis.rules, self.words)
            case WaitingForPeer():
                yield self._say("waiting for {who} to answer.")
            case _:
                return

    def _setting_up(self, notice: TableNotice) -> Iterator[str]:
        match notice:
            case GameStarted():
                yield self.words("both signed. dealing.")
            case GameResumed():
                yield self.words("the game goes on.")
                yield from self.table()
            case EndBrought():
                yield brought_text(self._peer, self.words)
            case LobbyOpened(proposes=False):
                yield self._say("waiting for {who} to propose a deal.")
                if self.is_seated:
                    yield self._say("rematch tells {who} that you would like one.")
            case EventVoid(action):
                text = format_action(action)
                yield self._say("{who} was first: {text} did not happen.", text=text)
            case ActionDropped(action, refusal):
                text = format_action(action)
                yield self.words("{text} was too late.", text=text)
                yield self.words(SENTENCES.get(refusal, "That is not possible now."))
            case _:
                return

    # Play ---------------------------------------------------------------------

    def _event(self, event: EventFinal) -> Iterator[str]:
        before, after = self.position, event.state.position
        if after is None or event.seq < self._told:  # told by the table itself
            return
        self.position = after
        if before is None:
            yield from self._dealt(event.state.genesis, after)
            return
        if event.action is not None:
            yield from action_lines(
                event.action,
                event.author,
                before=before,
                after=after,
                speech=self.speech,
            )
            yield from self._taken_back(event.author, event.action, before)
            if event.action == OFFER_DRAW and event.author != self.speech.seat:
                yield self.words("accept or decline. your next play declines, too.")
        elif event.type == EventType.OPEN_B:
            yield from self._opened(before, after)
        if after.end is not None:
            if before.end is None or before.end != after.end:
                yield end_line(after.end, self.speech)
        elif turn_began(before, after):
            self.turn += 1
            yield from self._turn_begins(after)

    def _taken_back(
        self, author: Seat, action: Action, before: Position
    ) -> Iterator[str]:
        """What a right call has undone."""
        self._recent.note(author, action, before)
        if isinstance(action, Stop):
            undone = self._recent.undone_by(action, before)
            yield from undone_lines(undone, self.speech)
            yield from made_up_line(action, before, self.speech)

    def _dealt(self, genesis: Genesis, position: Position) -> Iterator[str]:
        yield self.words("dealing: done, every opening checked.")
        first = position.active == self.speech.seat
        order = (
            self.words("you move first.") if first else self._say("{who} moves first.")
        )
        yield f"{terms_line(genesis, self.words)} {order}"
        yield from self.table()  # whoever waits wants to know what was dealt, too

    def _turn_begins(self, position: Position) -> Iterator[str]:
        if position.active == self.speech.seat:
            yield from table_lines(position, self.speech, turn=self.turn)
        else:
            yield turn_line(position, self.speech, turn=self.turn)

    def _opened(self, before: Position, after: Position) -> Iterator[str]:
        slot = before.unopened()
        for pile in (RESERVE, RESERVE + 1, DRAWN, DRAWN + 1):
            slots = after.piles[pile]
            if slot is not None and slots and slots[-1] == slot:
                yield opened_line(after, pile, self.speech)

    def _over(self, over: GameOver) -> Iterator[str]:
        self._may_wish = True
        mine = over.score[self.speech.seat]
        theirs = over.score[1 - self.speech.seat]
        yield self._say(
            "all shuffles checked. score: you {mine}, {who} {theirs}.",
            mine=mine,
            theirs=theirs,
        )
        if self._genesis is not None:
            text = match_text(self._genesis, over, self.words, seat=self.speech.seat)
            yield from [text] if text else []

    # The link -----------------------------------------------------------------

    def _link(self, notice: TableNotice) -> list[str]:
        words = self.words
        match notice:
            case Connected(again=True):
                self._was_linked = True
                return [words("connected again.")]
            case Connected():
                self._was_linked = True
                return [words("connected, encrypted.")]
            case PeerQuiet(seconds):
                return [self._say("{who} is quiet ({n} s).", n=seconds)]
            case PeerHeard():
                return [self._say("{who} is back.")]
            case AckLate(seconds):
                return [self._say("{who}'s computer is slow ({n} s).", n=seconds)]
            case LinkLost():
                return [self._lost()]
            case Redialling(attempt=1) if not self._was_linked:
                return [self._say("looking for {who}.")]
            case Redialling(attempt) if attempt in _TOLD_ATTEMPTS:
                return [words("trying again (attempt {n}).", n=attempt)]
            case Expecting(port):
                return [self._say("waiting for {who} on port {n}.", n=port)]
            case PeerLeft(unanswered=True):
                return []  # nobody has left: the reason for closing says it
            case PeerLeft():
                left = self._say("{who} has left.")
                return [self._lost() if notice.timed_out else left]
            case GaveUp():
                return [self._say("{who} did not come back.")]
            case PeersNotSaved(failure):
                return [explain(failure.code, failure.facts, words).sentence]
            case LogRestored(path):
                return [restored_text(path, words)]
            case SessionFailed() if is_not_kept_there(notice):
                return [not_kept_there(self._peer, words)]
            case SessionFailed(by_peer=True):
                return [self._say("{who}'s program refuses to go on.")]
            case SessionFailed(code=500):
                return []  # our own fault: the reason for closing says it
            case SessionFailed():
                return [words("the other program broke the protocol.")]
            case Closed(failure) if failure is not None:
                told = explain(failure.code, failure.facts, words)
                return [told.sentence, *([told.hint] if told.hint else [])]
        return []

    def _lost(self) -> str:
        if self._genesis is None:
            return self._say("the connection to {who} is lost.")
        return self._say("the connection to {who} is lost. the game is saved.")

    def _say(self, sentence: str, **values: object) -> str:
        return self.words(sentence, who=self._peer, **values)


def running_turn(log: GameLog, length: int) -> int:
    """The number of the turn that the first ``length`` events of a log have reached."""
    return max(Replay(log, playable=min(length, log.length)).played.turn, 1)


def house_lines(rules: RuleSet, words: Words = ENGLISH) -> list[str]:
    """How house rules differ from a preset, whatever they are called."""
    lines = difference_lines(rules, words)
    if not lines:
        return []
    preset = nearest_preset(rules)
    return [
        words("these are house rules. unlike {preset}:", preset=preset),
        *(f"{line}." for line in lines),
    ]


def terms_line(genesis: Genesis, words: Words = ENGLISH) -> str:
    """What a game is played by, in one line."""
    return words("rules: {terms}.", terms=_terms(genesis, words))


def _terms(genesis: Genesis, words: Words) -> str:
    match = genesis.match
    facts = [genesis.label, words("one deal")]
    if match.target > 1:
        facts[1] = words("match to {n}", n=match.target)
    if match.deal_number > 1:
        facts.append(words("deal {n}", n=match.deal_number))
    state = words("on") if genesis.assist else words("off")
    facts.append(words("assist {state}", state=state))
    return ", ".join(facts)
