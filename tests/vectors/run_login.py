"""Runs the vectors of logins: one side of a handshake, fed with the other's bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crapette_p2p.session.config import SessionConfig
from crapette_p2p.session.effects import Effect, Emit, Send
from crapette_p2p.session.framing import frame
from crapette_p2p.session.notices import CardsToCompare, SessionFailed
from crapette_p2p.session.session import Session
from tests.helpers.keys import real_key, verify
from tests.vectors.values import Json, Refused


def login(given: Json, common: Json) -> object:
    """What a side says and shows while the other's payloads come in."""
    me = real_key(bytes.fromhex(common["secret"]))
    nonce = bytes.fromhex(common["nonce"])
    config = SessionConfig(
        idpub=me.public,
        nick=common["nick"],
        sign=me.sign,
        verify=verify,
        rand=lambda size: nonce[:size],
        wall=int,
        expected=_bytes(given.get("expected")),
        token=_bytes(given.get("token")),
        invite=_bytes(given.get("invite")),
        invite_given="invite" in given,
        invite_only=given.get("invite_only", False),
    )
    session = Session(config)
    digest = bytes.fromhex(common["cert_digest"])
    effects = session.connected(0.0, digest, common["dialler"])
    for payload in given["received"]:
        effects += session.receive(0.0, frame(bytes.fromhex(payload)))
    return _answer(effects)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def _answer(effects: list[Effect]) -> object:
    cards: list[int] | None = None
    for notice in _notices(effects):
        if isinstance(notice, SessionFailed):
            raise Refused(notice.code)
        if isinstance(notice, CardsToCompare):
            cards = list(notice.cards)
    sent = [effect.data[4:].hex() for effect in effects if isinstance(effect, Send)]
    return {"sent": sent, "cards": cards}


def _notices(effects: list[Effect]) -> Iterator[object]:
    return (effect.notice for effect in effects if isinstance(effect, Emit))


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {"logins": login}
