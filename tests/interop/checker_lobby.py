"""Proposing, accepting and starting a deal (spec 60, 5 and 6)."""

from dataclasses import dataclass

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_bin,
    decode,
    encode,
)
from tests.interop.checker_genesis import Genesis, read_genesis
from tests.interop.checker_log import GENESIS
from tests.interop.checker_resume import Kept, Resumer


@dataclass
class Lobby(Resumer):
    """One side of a link whose players agree on deals.

    Attributes:
        secret: Its key.
        keys: Its key and the other's.
        nicks: Its nick and the other's.
        before: The closed deal that it has at hand.
        asked: How often its player was asked about a deal.
    """

    secret: bytes = b""
    keys: tuple[bytes, bytes] = (b"", b"")
    nicks: tuple[str, str] = ("", "")
    before: Kept | None = None
    asked: int = 0

    def __post_init__(self) -> None:
        """Start with nothing proposed."""
        super().__post_init__()
        self.proposed: bytes | None = None
        self.offered: bytes | None = None
        self.agreed: tuple[Genesis, bytes] | None = None

    def holds(self) -> list[str]:
        """The conditions of the table that hold now."""
        if self.state not in ("LOBBY", "PROPOSED"):
            return super().holds()
        found = []
        if self._may_be_asked():
            found.append("role 1")
        if self.proposed is not None:
            found.append("after PROPOSE")
        if self.agreed is not None:
            found.append("after ACCEPT")
        return found

    def _leads(self) -> bool | None:
        """Whether this side is role 0 of the running match; None without one."""
        genesis = _running(self.before)
        return None if genesis is None else genesis.keys[0] == self.keys[0]

    def _may_be_asked(self) -> bool:
        leads = self._leads()
        if not self.dialler and leads:
            return False
        if self.proposed is not None:  # the dialler leads: then both may propose
            return leads is None or leads == self.dialler
        return self.offered is None and self.agreed is None

    def propose(self, genesis: bytes) -> None:
        """Its player proposes a deal."""
        self.proposed, self.state = genesis, "PROPOSED"
        self.say((16, genesis))

    def accept(self, nonce: bytes) -> None:
        """Its player agrees to what was proposed."""
        genesis = _with_nonce(self.offered, nonce)
        own = genesis.sign(self.secret)
        self.records.append((GENESIS, (genesis.data, None, own)))
        self.say((17, nonce, own))
        self.offered, self.agreed = None, (genesis, own)

    def take(self, payload: bytes, name: str, fields: tuple[Value, ...]) -> None:
        """Act on a message that may come now."""
        if name == "PROPOSE":
            self._judge(as_bin(fields[0], 1, 12_288))
        elif name == "ACCEPT":
            self._begin(as_bin(fields[0], 32, 32), as_bin(fields[1], 64, 64))
        elif name == "START" and self.agreed is not None:
            genesis, own = self.agreed
            sig = as_bin(fields[0], 64, 64)
            genesis.check(0, sig)
            self._start_deal(genesis, (sig, own))
        else:
            super().take(payload, name, fields)

    def _judge(self, data: bytes) -> None:
        if self.proposed is not None and self.dialler:
            return  # void: the dialler's stands
        if not self.dialler and self._leads() is None:
            self._look_up(data)
        genesis = read_genesis(data, proposal=True)
        if genesis.keys != self.keys[::-1] or genesis.nicks != self.nicks[::-1]:
            raise ProtocolError(301, "not those of the login")
        self._check_match(genesis)
        self.proposed, self.offered, self.state = None, data, "PROPOSED"
        self.asked += 1

    def _look_up(self, data: bytes) -> None:
        """Find the deal before that a dialler names; anything else is 104."""
        try:
            named = read_genesis(data, proposal=True).match[4]
        except ProtocolError as error:
            raise ProtocolError(104, "the listener proposes") from error
        found = self.kept.get(named) if isinstance(named, bytes) else None
        genesis = _running(found)
        if genesis is None or genesis.keys[0] != self.keys[1]:
            raise ProtocolError(104, "the listener proposes")
        self.before = found

    def _check_match(self, genesis: Genesis) -> None:
        deal, target, one, two, previous = genesis.match
        if previous is None:
            if not self.dialler:
                raise ProtocolError(301, "the listener begins a match")
            return
        found = self.kept.get(previous) if isinstance(previous, bytes) else None
        former = _running(found)
        if found is None or former is None:
            raise ProtocolError(301, "no such deal before")
        number = former.match[0]
        assert isinstance(number, int)
        fits = (deal, target) == (number + 1, former.match[1])
        same = former.keys == genesis.keys and former.rules == genesis.rules
        if not (fits and same and (one, two) == _scores(found)):
            raise ProtocolError(301, "does not follow from the deal before")

    def _begin(self, nonce: bytes, sig: bytes) -> None:
        genesis = _with_nonce(self.proposed, nonce)
        genesis.check(1, sig)
        own = genesis.sign(self.secret)
        self.say((18, own))
        self._start_deal(genesis, (own, sig))

    def _start_deal(self, genesis: Genesis, sigs: tuple[bytes, bytes]) -> None:
        self.records.append((GENESIS, (genesis.data, *sigs)))
        self.proposed = self.offered = self.agreed = None
        self.game, self.state = Kept(genesis), "COMMIT"


def _with_nonce(proposal: bytes | None, nonce: bytes) -> Genesis:
    """The deal that comes of a proposal: gn1 takes the place of the nil."""
    if proposal is None:
        raise ProtocolError(500, "nothing is proposed")
    parts = list(as_array(decode(proposal), 15, 15))
    parts[13] = nonce
    return read_genesis(encode(tuple(parts)))


def _scores(kept: Kept) -> tuple[int, int]:
    """The scores of a match after a closed deal."""
    client = kept.client
    play = None if client is None else client.game.play
    if play is None or play.end is None:
        raise ProtocolError(500, "no end")
    scores = [s for s in kept.genesis.match[2:4] if isinstance(s, int)]
    if play.end.winner is not None:
        scores[play.end.winner] += play.end.points
    return scores[0], scores[1]


def _running(kept: Kept | None) -> Genesis | None:
    """The terms of a closed deal whose match goes on."""
    if kept is None or kept.client is None or not kept.client.game.done:
        return None
    target = kept.genesis.match[1]
    assert isinstance(target, int)
    return kept.genesis if max(_scores(kept)) < target else None
