"""The lobby of one link: proposing, accepting and starting a deal.

Theory of operation. Role 0 proposes a genesis without role 1's nonce, role 1
puts its nonce in and signs the game id, role 0 signs too: the game begins.
Role 0 of a first deal is the listener of the link; later deals of a match keep
the roles (P11). Role 1 records the genesis before ACCEPT, role 0 before START,
so that a cut in between leaves a game one of them can ask the other for (P6).
"""

from __future__ import annotations

from collections.abc import Callable

from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import DecodeError, LocalProtocolError, RemoteProtocolError
from crapette_p2p.gamelog.genesis import (
    Genesis,
    Match,
    decode_genesis,
    encode_genesis,
    game_id_of,
    genesis_message,
)
from crapette_p2p.gamelog.log import GameLog
from crapette_p2p.gamelog.records import RecordKind
from crapette_p2p.gamelog.state import GameState
from crapette_p2p.session.commands import Terms
from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.handshake import NONCE_SIZE
from crapette_p2p.session.messages import Accept, ProposeMessage, Start
from crapette_p2p.session.notices import Peer, TermsProposed, WaitingForPeer
from crapette_p2p.session.opengame import OpenGame
from crapette_p2p.session.outbox import Outbox


def score_after(state: GameState) -> tuple[int, int]:
    """The score of the match with this deal's points added."""
    score0, score1 = state.genesis.match.scores
    end = state.final_end
    if end is None or end.winner is None:
        return score0, score1
    points = (end.points, 0) if end.winner == 0 else (0, end.points)
    return score0 + points[0], score1 + points[1]


def is_match_over(state: GameState) -> bool:
    """Whether a score has reached the target."""
    return state.done and max(score_after(state)) >= state.genesis.match.target


def running_match(previous: OpenGame | None) -> GameState | None:
    """The finished deal before, if its match goes on."""
    if previous is None or not previous.done or is_match_over(previous.state):
        return None
    return previous.state


class Lobby:
    """One side of the lobby of one link, for one deal."""

    def __init__(
        self,
        config: SessionConfig,
        outbox: Outbox,
        *,
        peer: Peer,
        dialler: bool,
        previous: OpenGame | None,
        find: Callable[[bytes], OpenGame | None],
    ) -> None:
        self._config = config
        self._outbox = outbox
        self._peer = peer
        self._dialler = dialler
        self._previous = previous
        self._find = find
        self._match = running_match(previous)
        self.proposed: Genesis | None = None
        """What we, role 0, have proposed."""
        self.offered: Genesis | None = None
        """What the peer has proposed and our person has not answered."""
        self.accepted: OpenGame | None = None
        """What we, role 1, have accepted; START is missing."""

    @property
    def proposes(self) -> bool:
        """Whether this side is role 0 of the next deal."""
        if self._match is None:
            return not self._dialler
        return self._match.genesis.keys[0] == self._config.idpub

    @property
    def is_idle(self) -> bool:
        """Whether nothing is proposed."""
        return not (self.proposed or self.offered or self.accepted)

    @property
    def may_cross(self) -> bool:
        """Whether a proposal of the peer's can meet one of ours on its way.

        Only where the dialler is role 0 of the running match: he proposes its next
        deal, and the listener may propose a first one meanwhile. The dialler's
        stands.
        """
        if self.proposed is None:
            return False
        if self._match is None:
            return not self._dialler
        return self.proposes == self._dialler

    @property
    def may_be_role_1(self) -> bool:
        """Whether the peer may propose, as far as this side knows.

        A listener that began anew has no match at hand; whether there is one, the
        dialler's proposal says.
        """
        return self._dialler or self._match is None or not self.proposes

    # Role 0 -------------------------------------------------------------------

    def propose(self, terms: Terms | None) -> None:
        """Offer a deal: the next of the match, or the first of a new one."""
        if not self.is_idle:
            raise LocalProtocolError("a deal is proposed already")
        match = self._next_match() if terms is None else None
        if match is None and self._dialler:
            raise LocalProtocolError("the listener proposes a first deal")
        if match is not None and not self.proposes:
            raise LocalProtocolError("role 0 of the match proposes its next deal")
        config = self._config
        chosen = terms or self._former_terms()
        genesis = Genesis(
            preset=chosen.preset,
            rules=chosen.rules,
            k=chosen.candidates,
            assist=chosen.assist,
            match=match or Match(1, chosen.target),
            keys=(config.idpub, self._peer.idpub),
            nicks=(config.nick, self._peer.nick),
            nonces=(config.rand(NONCE_SIZE), None),
            unix_time=config.wall(),
        )
        self.proposed = genesis
        self._outbox.send(ProposeMessage(encode_genesis(genesis)))
        self._outbox.emit(WaitingForPeer("terms"))

    def _former_terms(self) -> Terms:
        if self._previous is None:
            if self._config.terms is None:
                raise LocalProtocolError("nothing says what to play")
            return self._config.terms
        genesis = self._previous.log.genesis
        return Terms(
            preset=genesis.preset,
            rules=genesis.rules,
            candidates=genesis.k,
            assist=genesis.assist,
            target=genesis.match.target,
        )

    def _next_match(self) -> Match | None:
        state = self._match
        if state is None:
            return None
        before = state.genesis.match
        score = score_after(state)
        return Match(before.deal_number + 1, before.target, score, state.game_id)

    def on_accept(self, message: Accept) -> OpenGame:
        """Role 1 signed: record the game, sign too, and it begins."""
        if self.proposed is None:
            raise RemoteProtocolError("nothing was proposed", code=104)
        data = encode_genesis(self.proposed.with_nonce(message.nonce))
        signed = genesis_message(game_id_of(data))
        if not self._config.verify(self._peer.idpub, message.sig, signed):
            raise RemoteProtocolError("ACCEPT is not signed", code=403)
        sig = self._config.sign(signed)
        game = OpenGame(GameLog(data, (sig, message.sig)), seat=Seat(0))
        self._record(game)
        self._outbox.send(Start(sig))
        self.proposed = None
        return game

    # Role 1 -------------------------------------------------------------------

    def on_propose(self, message: ProposeMessage) -> bool:
        """Judge the terms; ``announce`` asks our person. False if they are void."""
        if self.proposed is not None and self._dialler:
            return False
        if self._match is None and not self._dialler:
            self._match = self._match_named(message)
        genesis = decode_genesis(message.genesis, proposal=True)
        self._check(genesis)
        self.proposed, self.offered = None, genesis
        return True

    def _match_named(self, message: ProposeMessage) -> GameState:
        """The running match whose next deal the dialler, its role 0, proposes."""
        try:
            named = decode_genesis(message.genesis, proposal=True).match.previous
        except DecodeError:
            named = None
        state = running_match(self._find(named)) if named is not None else None
        if state is None or state.genesis.keys[0] != self._peer.idpub:
            raise RemoteProtocolError("the listener proposes", code=104)
        return state

    def announce(self) -> None:
        """Ask our person about what is offered, once the peer is accepted."""
        if self.offered is not None:
            self._outbox.emit(TermsProposed(self.offered))

    def _check(self, genesis: Genesis) -> None:
        config, peer = self._config, self._peer
        if genesis.keys != (peer.idpub, config.idpub):
            raise RemoteProtocolError("other keys than at the login", code=301)
        if genesis.nicks != (peer.nick, config.nick):
            raise RemoteProtocolError("other nicks than at the login", code=301)
        if genesis.k < config.min_candidates:
            raise RemoteProtocolError("too few candidates", code=301)
        if not self._fits_match(genesis):
            raise RemoteProtocolError("another match", code=301)

    def _fits_match(self, genesis: Genesis) -> bool:
        match = genesis.match
        if match.previous is None:
            return self._dialler  # role 0 of a first deal is the listener
        before = self._find(match.previous)
        state = running_match(before)
        if state is None:
            return False
        former = state.genesis
        return (
            former.keys == genesis.keys
            and former.rules == genesis.rules
            and former.match.target == match.target
            and former.match.deal_number + 1 == match.deal_number
            and score_after(state) == match.scores
        )

    def accept(self) -> None:
        """Our person agrees: record the genesis and sign it."""
        if self.offered is None:
            raise LocalProtocolError("nothing was proposed")
        nonce = self._config.rand(NONCE_SIZE)
        data = encode_genesis(self.offered.with_nonce(nonce))
        sig = self._config.sign(genesis_message(game_id_of(data)))
        game = OpenGame(GameLog(data, (None, sig)), seat=Seat(1))
        self._record(game)
        self._outbox.send(Accept(nonce, sig))
        self.offered, self.accepted = None, game

    def on_start(self, message: Start) -> OpenGame:
        """Role 0 signed too: the game begins."""
        if self.accepted is None:
            raise RemoteProtocolError("nothing was accepted", code=104)
        game, self.accepted = self.accepted, None
        begin(game, message, self._config, self._outbox)
        return game

    def _record(self, game: OpenGame) -> None:
        log = game.log
        kind = RecordKind.GENESIS
        self._outbox.persist(log.game_id, kind, log.genesis_bytes, *log.sigs)


def begin(
    game: OpenGame, message: Start, config: SessionConfig, outbox: Outbox
) -> None:
    """Record role 0's signature of a game that role 1 had accepted."""
    log = game.log
    signed = genesis_message(log.game_id)
    if not config.verify(log.genesis.keys[0], message.sig, signed):
        raise RemoteProtocolError("START is not signed", code=403)
    log.sigs = (message.sig, log.sigs[1])
    outbox.persist(log.game_id, RecordKind.GENESIS, log.genesis_bytes, *log.sigs)
