"""Vectors of logins: what each side refuses in the other's HELLO, HOST and AUTH."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from crapette_p2p.session import handshake
from crapette_p2p.session.keys import fingerprint
from crapette_p2p.session.messages import (
    Auth,
    Hello,
    Host,
    Message,
    Ready,
    encode_message,
)
from tests.helpers.keys import Key, real_key
from tests.vectors.making.writing import Group, Json, VectorFile
from tests.vectors.run_login import RUNNERS
from tests.vectors.spec_pages import table
from tests.vectors.values import Refused

CERT: Final = bytes(range(100, 132))
LISTENER: Final = b"\x01" * 32
DIALLER: Final = b"\x02" * 32
NONCE_L: Final = b"\x0e" * 32
NONCE_D: Final = b"\x0c" * 32
TOKEN: Final = b"0123456789"


@dataclass(frozen=True, slots=True)
class Login:
    """Everything one handshake is made of; change a part to make a lie."""

    listener: Key
    dialler: Key
    nick: str
    cert: bytes
    hello: Hello

    def th1(self) -> bytes:
        """What the listener signs."""
        return handshake.first_transcript(
            cert_digest=self.cert,
            hello_payload=encode_message(self.hello),
            version=1,
            caps=0,
            nonce_l=NONCE_L,
            idpub_l=self.listener.public,
        )

    def host(self) -> Host:
        """The listener's answer."""
        sig = self.listener.sign(handshake.listener_message(self.th1()))
        return Host("crapette", 1, 0, NONCE_L, self.listener.public, sig)

    def th2(self) -> bytes:
        """What the dialler signs."""
        return handshake.second_transcript(
            th1=self.th1(),
            sig_l=self.host().sig,
            nonce_d=NONCE_D,
            idpub_d=self.dialler.public,
            nick=self.nick,
        )

    def auth(self, token: bytes | None = None) -> Auth:
        """The dialler's proof."""
        th2 = self.th2()
        sig = self.dialler.sign(handshake.dialler_message(th2))
        pass_ = None if token is None else handshake.invite_pass(token, th2)
        return Auth(NONCE_D, self.dialler.public, self.nick, sig, pass_)


GOOD: Final = Login(
    real_key(LISTENER),
    real_key(DIALLER),
    "Olek",
    CERT,
    Hello(
        "crapette",
        1,
        1,
        handshake.commitment(NONCE_D, real_key(DIALLER).public),
        0,
    ),
)


def files() -> Iterator[VectorFile]:
    """The file of this module."""
    groups = [_dialler(), _listener()]
    yield VectorFile("logins", "logins", "spec/60-session.md#3", groups)


def _side(name: str, secret: bytes, nonce: bytes, nick: str) -> Group:
    common: Json = {
        "secret": secret.hex(),
        "nonce": nonce.hex(),
        "nick": nick,
        "cert_digest": CERT.hex(),
        "dialler": name == "dialler",
    }
    return Group(name, common=common)


def _add(group: Group, comment: str, *messages: Message, **more: object) -> None:
    received = [encode_message(message).hex() for message in messages]
    given: Json = {"received": received, **more}
    try:
        output = RUNNERS["logins"](given, group.common)
    except Refused as refused:
        group.add(comment, given, refused.output, code=refused.code)
    else:
        group.add(comment, given, output)


def _dialler() -> Group:
    group = _side("dialler", DIALLER, NONCE_D, "Olek")
    host = GOOD.host()
    print_ = fingerprint(host.idpub).hex()
    other = real_key(b"\x03" * 32)
    _add(group, "nothing yet")
    _add(group, "as it has to be", host)
    _add(group, "accepted", host, Ready("Ala", 0))
    _add(group, "a person is asked", host, Ready("Ala", 1))
    _add(group, "asked, then accepted", host, Ready("Ala", 1), Ready("Ala", 0))
    _add(group, "the key that was expected", host, expected=print_)
    _add(group, "with an invite", host, expected=print_, token=TOKEN.hex())
    for comment, wrong in (
        ("another version", replace(host, version=2)),
        ("version 0", replace(host, version=0)),
        ("unknown caps that were not signed", replace(host, caps=1)),
        ("another nonce", replace(host, nonce=bytes(32))),
        ("another key", replace(host, idpub=other.public)),
        ("another signature", replace(host, sig=bytes(64))),
        ("the signature of a dialler", replace(host, sig=GOOD.auth().sig)),
        ("another certificate", replace(GOOD, cert=bytes(32)).host()),
        ("another HELLO", replace(GOOD, hello=replace(GOOD.hello, caps=1)).host()),
        ("one's own key", replace(GOOD, listener=real_key(DIALLER)).host()),
    ):
        _add(group, comment, wrong)
    for key in table("weak-keys")["keys"][::5]:
        _add(group, "a weak key", replace(host, idpub=bytes.fromhex(key)))
    _add(group, "not the key that was expected", host, expected="00" * 10)
    _add(group, "a nick outside the rules", host, Ready("A\u200bla", 0))
    _add(group, "another nick later", host, Ready("Ala", 1), Ready("Ola", 0))
    _add(group, "asked twice", host, Ready("Ala", 1), Ready("Ala", 1))
    _add(group, "READY before HOST", Ready("Ala", 0))
    _add(group, "HOST twice", host, host)
    return group


def _listener() -> Group:
    group = _side("listener", LISTENER, NONCE_L, "Ala")
    hello, auth, invite = GOOD.hello, GOOD.auth(), TOKEN.hex()
    other = real_key(b"\x03" * 32)
    print_ = fingerprint(other.public).hex()
    _add(group, "nothing yet")
    _add(group, "HELLO", hello)
    _add(group, "a stranger: the cards are shown", hello, auth)
    _add(group, "with the invite", hello, GOOD.auth(TOKEN), invite=invite)
    _add(group, "a pass nobody asked for", hello, GOOD.auth(TOKEN))
    _add(group, "no pass, but an invite is out", hello, auth, invite=invite)
    wide = replace(GOOD, hello=replace(hello, vmax=65535, caps=2**32 - 1))
    _add(group, "a wide range of versions", wide.hello, wide.auth())
    for low, high in ((2, 3), (0, 0), (1, 0), (65535, 65535)):
        _add(group, "no common version", replace(hello, vmin=low, vmax=high))
    for comment, wrong in (
        ("another nonce than committed", replace(auth, nonce=bytes(32))),
        ("another key than committed", replace(auth, idpub=other.public)),
        ("another signature", replace(auth, sig=bytes(64))),
        ("the signature of a listener", replace(auth, sig=GOOD.host().sig)),
        ("another nick than signed", replace(auth, nick="Olga")),
        ("another certificate", replace(GOOD, cert=bytes(32)).auth()),
        ("a nick outside the rules", replace(GOOD, nick=" Olek").auth()),
        ("a nick too long", replace(GOOD, nick="x" * 21).auth()),
        ("a nick that cannot be signed", replace(auth, nick="x" * 256)),
    ):
        _add(group, comment, hello, wrong)
    for comment, key in (("the listener's key", GOOD.listener.public), *_weak()):
        bound = replace(hello, commit=handshake.commitment(NONCE_D, key))
        _add(group, comment, bound, replace(auth, idpub=key))
    _add(group, "another invite", hello, GOOD.auth(b"9876543210"), invite=invite)
    _add(group, "invited people only", hello, auth, invite=invite, invite_only=True)
    passed = GOOD.auth(TOKEN)
    _add(
        group, "a pass, but no invite is out any more", hello, passed, invite_only=True
    )
    _add(group, "not the key that was expected", hello, auth, expected=print_)
    _add(group, "AUTH before HELLO", auth)
    _add(group, "HELLO twice", hello, hello)
    _add(group, "READY from a dialler", hello, Ready("Olek", 0))
    return group


def _weak() -> Iterator[tuple[str, bytes]]:
    for key in table("weak-keys")["keys"][::5]:
        yield "a weak key", bytes.fromhex(key)
    yield "y is 2^255 - 19 + 5", (2**255 - 19 + 5).to_bytes(32, "little")
