"""Vectors of proposals: whose deal stands when both propose, and what is refused.

Each group is a client after READY 0; what the other sends and what this client's
player decides come in turn. Genesis bytes that are wrong by themselves have vectors
of their own (``genesis``); here are those that do not fit the login, the roles or
the match.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import (
    Genesis,
    Match,
    encode_genesis,
    game_id_of,
    genesis_message,
)
from crapette_p2p.session.lobby import score_after
from crapette_p2p.session.messages import (
    Accept,
    Chat,
    EventMessage,
    Message,
    ProposeMessage,
    Start,
    decode_message,
    encode_message,
)
from tests.helpers.fakegame import FakeGame, identity, make_genesis
from tests.vectors.making.closed import TARGET, closed_deal, drawn_deal
from tests.vectors.making.received import K, secret_of
from tests.vectors.making.resumes import NONE
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_lobby import RUNNERS
from tests.vectors.values import Refused

SPEC: Final = "spec/60-session.md#5"
NAMES: Final = ("Ala", "Olek")
GN1: Final = hashlib.sha256(b"gn1").digest()
Step = tuple[str, bytes]


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    makers = (_first, _next, _crossing_dialler, _crossing_listener, _anew)
    groups = [group for make in makers for group in make()]
    yield VectorFile("proposals", "proposals", SPEC, groups)


@dataclass(frozen=True, slots=True)
class Side:
    """The client that is tried: its role in the match, and whether it dialled."""

    role: int
    dialler: bool

    @property
    def name(self) -> str:
        """Its nick."""
        return NAMES[self.role]

    @property
    def other(self) -> str:
        """The nick of the other."""
        return NAMES[1 - self.role]

    def group(self, name: str, *logs: bytes, at_hand: bool = True) -> Group:
        """A group of tests of this client."""
        common: Json = {
            "logs": [log.hex() for log in logs],
            "secret": secret_of(self.name).hex(),
            "peer_secret": secret_of(self.other).hex(),
            "dialler": self.dialler,
            "nick": self.name,
            "peer_nick": self.other,
            "at_hand": at_hand,
        }
        return Group(name, common=common)


def first(names: tuple[str, str], **changes: object) -> Genesis:
    """A first deal that the first of these two proposes."""
    made = Genesis(
        preset="garibaldka",
        rules=PRESETS["garibaldka"],
        k=K,
        keys=(identity(names[0]).public, identity(names[1]).public),
        nicks=names,
        nonces=(hashlib.sha256(b"gn0").digest(), None),
        unix_time=1_796_000_060,
    )
    return replace(made, **changes)  # type: ignore[arg-type] # fields by name


def following(game: FakeGame, **changes: object) -> Genesis:
    """The next deal of the match."""
    former, state = game.genesis, game.state
    match = Match(2, former.match.target, score_after(state), game.game_id)
    made = first(
        NAMES,
        preset=former.preset,
        rules=former.rules,
        match=match,
    )
    return replace(made, **changes)  # type: ignore[arg-type] # fields by name


def got(message: Message | bytes) -> Step:
    """The other sends this."""
    data = message if isinstance(message, bytes) else encode_message(message)
    return "receive", data


def message_of(step: Step) -> Message:
    """What the other sends in a step."""
    return decode_message(step[1])


def offered(genesis: Genesis) -> Step:
    """The other proposes this."""
    return got(ProposeMessage(encode_genesis(genesis)))


def proposes(genesis: Genesis) -> Step:
    """The client's player proposes this."""
    return "propose", encode_genesis(genesis)


ACCEPTS: Final[Step] = ("accept", GN1)
NOTHING_OPEN: Final[Step] = got(NONE)


def signed(genesis: Genesis, name: str) -> bytes:
    """A player's signature of a proposal that was accepted."""
    data = encode_genesis(genesis.with_nonce(GN1))
    return identity(name).sign(genesis_message(game_id_of(data)))


def accepted(genesis: Genesis, by: str) -> Step:
    """The other accepts this."""
    return got(Accept(GN1, signed(genesis, by)))


def started(genesis: Genesis, by: str) -> Step:
    """The other starts this."""
    return got(Start(signed(genesis, by)))


def add(group: Group, comment: str, *steps: Step) -> None:
    """Add what the client does in these steps, after both have named no game."""
    listed = [[name, data.hex()] for name, data in (NOTHING_OPEN, *steps)]
    given: Json = {"steps": listed}
    try:
        output = RUNNERS["proposals"](given, group.common)
    except Refused as refused:
        group.add(comment, given, code=refused.code)
    else:
        group.add(comment, given, output)


def _first() -> Iterator[Group]:
    """No match goes on: the listener proposes, and nobody else."""
    listener, dialler = Side(0, dialler=False), Side(1, dialler=True)
    deal = first(NAMES)
    group = listener.group("first-listener")
    add(group, "he proposes", proposes(deal))
    add(group, "and it is accepted", proposes(deal), accepted(deal, "Olek"))
    add(group, "chat meanwhile", proposes(deal), got(Chat("hm")))
    _bad_answers(group, deal, "Olek")
    back = first(NAMES[::-1])
    add(group, "the dialler proposes", offered(back))
    add(group, "the dialler proposes, too", proposes(deal), offered(back))
    yield group
    group = dialler.group("first-dialler")
    add(group, "he is asked", offered(deal))
    add(group, "and agrees", offered(deal), ACCEPTS)
    add(group, "and it starts", offered(deal), ACCEPTS, started(deal, "Ala"))
    wrong = started(deal, "Olek")
    add(group, "START that role 0 did not sign", offered(deal), ACCEPTS, wrong)
    add(group, "START before he agreed", offered(deal), started(deal, "Ala"))
    add(group, "START of nothing", started(deal, "Ala"))
    add(group, "proposed twice", offered(deal), offered(deal))
    again = replace(deal, unix_time=1)
    add(group, "proposed anew after he agreed", offered(deal), ACCEPTS, offered(again))
    add(group, "ACCEPT of nothing", accepted(deal, "Ala"))
    add(group, "no genesis", got(ProposeMessage(b"\xc0")))
    add(group, "no canonical genesis", got(ProposeMessage(b"\xc7")))
    _bad_terms(group, deal)
    yield group


def _bad_answers(group: Group, deal: Genesis, other: str) -> None:
    """What a proposer may be answered with, and may not."""
    mine = proposes(deal)
    another = replace(deal, unix_time=1)
    add(group, "accepted before it was proposed", accepted(deal, other))
    add(group, "the signature of another deal", mine, accepted(another, other))
    add(group, "signed by himself", mine, got(Accept(GN1, signed(deal, NAMES[0]))))
    add(group, "another gn1 than was signed", mine, got(_other_nonce(deal, other)))
    add(group, "accepted twice", mine, accepted(deal, other), accepted(deal, other))
    add(group, "START from role 1", mine, started(deal, other))


def _other_nonce(deal: Genesis, other: str) -> Accept:
    return Accept(bytes(32), signed(deal, other))


def _bad_terms(group: Group, deal: Genesis) -> None:
    """Terms that do not fit the login, or name a match that is not there."""
    ala, olek = (identity(name).public for name in NAMES)
    ela = identity("Ela").public
    for comment, changes in (
        ("the keys exchanged", {"keys": (olek, ala)}),
        ("another key of his", {"keys": (ela, olek)}),
        ("another key of ours", {"keys": (ala, ela)}),
        ("one key twice", {"keys": (olek, olek)}),
        ("a weak key", {"keys": (bytes(32), olek)}),
        ("another nick of his", {"nicks": ("Ela", "Olek")}),
        ("another nick of ours", {"nicks": ("Ala", "Ela")}),
        ("a deal before that nobody holds", {"match": Match(2, 3, (1, 0), bytes(32))}),
    ):
        add(group, comment, offered(replace(deal, **changes)))


def _next() -> Iterator[Group]:
    """A match goes on and its role 0 listens: nothing can cross."""
    game = closed_deal()
    deal = following(game)
    group = Side(1, dialler=True).group("next-dialler", game.data)
    add(group, "he is asked", offered(deal))
    add(group, "and agrees", offered(deal), ACCEPTS)
    add(group, "and it starts", offered(deal), ACCEPTS, started(deal, "Ala"))
    add(group, "a first deal instead", offered(first(NAMES)))
    _bad_matches(group, game)
    yield group
    group = Side(0, dialler=False).group("next-listener", game.data)
    add(group, "he proposes", proposes(deal), accepted(deal, "Olek"))
    other = following(game, keys=deal.keys[::-1], nicks=NAMES[::-1])
    add(group, "the dialler, role 1, proposes", offered(other))
    add(group, "the dialler proposes, too", proposes(deal), offered(other))
    result = game.log.entries[-1].signed
    repeated = got(EventMessage(result.data, result.sig))
    add(group, "an event of a game that is not at hand here", repeated)
    yield group
    drawn = drawn_deal()
    deal = following(drawn)
    group = Side(1, dialler=True).group("a-drawn-single-deal", drawn.data)
    add(group, "its next deal", offered(deal))
    add(group, "and he agrees", offered(deal), ACCEPTS)
    add(group, "another match", offered(first(NAMES)))
    scored = replace(deal.match, scores=(1, 0))
    add(group, "somebody has won it", offered(replace(deal, match=scored)))
    yield group


def _bad_matches(group: Group, game: FakeGame) -> None:
    """Next deals that do not follow from the one before."""
    good = following(game)
    match = good.match
    for comment, wrong in (
        ("another number", replace(match, deal_number=3)),
        ("another target", replace(match, target=TARGET + 1)),
        ("other scores", replace(match, scores=match.scores[::-1])),
        ("no points for the deal before", replace(match, scores=(0, 0))),
        ("another deal before", replace(match, previous=bytes(32))),
    ):
        add(group, comment, offered(replace(good, match=wrong)))
    other = {"rules": PRESETS["garibaldka"], "preset": "garibaldka"}
    add(group, "other rules", offered(replace(good, **other)))  # type: ignore[arg-type] # fields by name
    turned = replace(good, keys=good.keys[::-1], nicks=good.nicks[::-1])
    add(group, "the roles exchanged", offered(turned))


def _crossing_dialler() -> Iterator[Group]:
    """Role 0 of a running match dials: his proposal stands, the other's is void."""
    game = closed_deal()
    deal, theirs = following(game), first(NAMES[::-1])
    group = Side(0, dialler=True).group("crossing-dialler", game.data)
    mine = proposes(deal)
    add(group, "he proposes", mine)
    add(group, "so does the listener", mine, offered(theirs))
    add(group, "whose proposal is void", mine, offered(theirs), offered(theirs))
    add(group, "even if it is none", mine, got(ProposeMessage(b"\xc7")))
    done = accepted(deal, "Olek")
    add(group, "and who agrees then", mine, offered(theirs), done)
    add(group, "or before it came", mine, done, offered(theirs))
    own = accepted(theirs, "Olek")
    add(group, "he accepts his own", mine, offered(theirs), own)
    add(group, "he starts his own", mine, offered(theirs), started(theirs, "Olek"))
    add(group, "he accepts what was not proposed", done)
    add(group, "the listener was first", offered(theirs))
    add(group, "and is answered", offered(theirs), ACCEPTS)
    add(group, "the listener proposes the next deal", offered(deal))
    turned = replace(deal, keys=deal.keys[::-1], nicks=deal.nicks[::-1])
    add(group, "with the roles exchanged", offered(turned))
    yield group


def _crossing_listener() -> Iterator[Group]:
    """The listener is role 1 of the match; he may propose a first deal meanwhile."""
    game = closed_deal()
    deal, mine = following(game), first(NAMES[::-1])
    side = Side(1, dialler=False)
    group = side.group("crossing-listener", game.data)
    add(group, "he proposes a first deal", proposes(mine))
    add(group, "the dialler the next one", proposes(mine), offered(deal))
    both = (proposes(mine), offered(deal))
    add(group, "which he accepts", *both, ACCEPTS)
    add(group, "and it starts", *both, ACCEPTS, started(deal, "Ala"))
    add(group, "his own is dropped: accepted", *both, accepted(mine, "Ala"))
    add(group, "the dialler accepts in time", proposes(mine), accepted(mine, "Ala"))
    late = (proposes(mine), accepted(mine, "Ala"), offered(deal))
    add(group, "and proposes afterwards", *late)
    add(group, "the dialler proposes twice", *both, offered(deal))
    add(group, "nothing else crosses", offered(deal))
    add(group, "a first deal of the dialler's", proposes(mine), offered(first(NAMES)))
    bad = got(ProposeMessage(b"\xc7"))
    add(group, "no canonical genesis", proposes(mine), bad)
    _bad_matches(group, game)
    yield group
    over = closed_deal(1)
    group = side.group("the-match-is-over", over.data)
    add(group, "the listener begins another", proposes(mine))
    add(group, "the dialler goes on", offered(following(over)))
    add(group, "the dialler begins another", offered(first(NAMES)))
    yield group


def _anew() -> Iterator[Group]:
    """The listener was started anew: the match lies in its folder only."""
    game = closed_deal()
    deal, mine = following(game), first(NAMES[::-1])
    side = Side(1, dialler=False)
    group = side.group("began-anew", game.data, at_hand=False)
    add(group, "the dialler goes on", offered(deal))
    add(group, "which he accepts", offered(deal), ACCEPTS)
    add(group, "both propose", proposes(mine), offered(deal))
    add(group, "and he accepts", proposes(mine), offered(deal), ACCEPTS)
    both = (proposes(mine), offered(deal))
    add(group, "his own is dropped: accepted", *both, accepted(mine, "Ala"))
    add(group, "a first deal of the dialler's", offered(first(NAMES)))
    add(group, "no canonical genesis", got(ProposeMessage(b"\xc7")))
    _bad_unknown(group, game)
    yield group
    group = Side(0, dialler=False).group(
        "began-anew-as-role-0", game.data, at_hand=False
    )
    add(group, "the dialler, role 1, goes on", offered(deal))
    turned = replace(deal, keys=deal.keys[::-1], nicks=deal.nicks[::-1])
    add(group, "with the roles exchanged", offered(turned))
    yield group
    over = closed_deal(1)
    group = side.group("began-anew-after-the-last", over.data, at_hand=False)
    add(group, "the dialler goes on", offered(following(over)))
    yield group
    pending = _unfinished()
    group = side.group("began-anew-with-nothing", at_hand=False)
    add(group, "the dialler goes on", offered(following(game)))
    add(group, "the dialler goes on with a deal that is not over", offered(pending))
    yield group


def _unfinished() -> Genesis:
    game = FakeGame(replace(make_genesis("russian-bank", k=K), match=Match(1, TARGET)))
    return first(NAMES, match=Match(2, TARGET, (0, 0), game.game_id))


def _bad_unknown(group: Group, game: FakeGame) -> None:
    """The deal that is named is there, but the proposal does not follow from it."""
    good = following(game)
    match = good.match
    for comment, wrong in (
        ("a deal before that nobody holds", replace(match, previous=bytes(32))),
        ("another number", replace(match, deal_number=3)),
        ("other scores", replace(match, scores=match.scores[::-1])),
    ):
        add(group, comment, offered(replace(good, match=wrong)))
