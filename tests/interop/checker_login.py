"""One side of a login, message by message (spec 60, 3)."""

from dataclasses import dataclass, field

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_bin,
    as_text,
    as_uint,
    encode,
)
from tests.interop.checker_crypto import check_key, public_key, sha
from tests.interop.checker_handshake import (
    Transcript,
    check_dialler,
    check_listener,
    commit,
    invite_pass,
    sign_dialler,
    sign_listener,
)
from tests.interop.checker_messages import check_nick, read_message

NO_GAME = encode((19, None, 0, None, 0))


@dataclass
class Login:
    """One side of a login.

    Attributes:
        secret: One's key.
        nonce: One's nonce.
        nick: One's nick.
        cert_digest: The digest of the listener's certificate.
        expected: The fingerprint that is expected, 10 bytes.
        token: The token of an invite one was given.
        invite: The token of an invite one gave out.
        invite_only: Whether only invited people may sit down.
        sent: The payloads one has sent.
        cards: The four cards once they are shown.
        peer: The nick of the other.
    """

    secret: bytes
    nonce: bytes
    nick: str
    cert_digest: bytes
    expected: bytes | None = None
    token: bytes | None = None
    invite: bytes | None = None
    invite_only: bool = False
    sent: list[bytes] = field(default_factory=list)
    cards: tuple[int, ...] | None = None
    peer: str = ""

    @property
    def public(self) -> bytes:
        """One's public key."""
        return public_key(self.secret)

    def send(self, *values: Value) -> bytes:
        """Send a message."""
        self.sent.append(encode(values))
        return self.sent[-1]

    def expect(self, key: bytes) -> None:
        """Refuse another key than the expected one (202)."""
        shown = sha("crapette/1/idfp", key)[:10]
        if self.expected is not None and shown != self.expected:
            raise ProtocolError(202, "another key")


def _bin(value: Value) -> bytes:
    return as_bin(value, 0, 12_288)


class Dialler:
    """The side that dials.

    Attributes:
        login: What it is and sent.
        state: What it waits for.
    """

    def __init__(self, login: Login) -> None:
        """Send HELLO."""
        self.login = login
        self.state = "HOST"
        proof = commit(login.nonce, login.public)
        self._hello = login.send(1, "crapette", 1, 1, proof, 0)
        self._cards: tuple[int, ...] = ()
        self.asked = False

    def receive(self, payload: bytes) -> None:
        """Take a message of the listener."""
        name, fields = read_message(payload)
        if name != self.state:
            raise ProtocolError(104, name)
        if name == "HOST":
            self._host(fields)
        else:
            self._ready(fields)

    def _host(self, fields: tuple[Value, ...]) -> None:
        login = self.login
        version, caps = as_uint(fields[1], 0, 65_535), as_uint(fields[2], 0, 2**32 - 1)
        nonce_l, key, sig = _bin(fields[3]), _bin(fields[4]), _bin(fields[5])
        if version != 1:
            raise ProtocolError(200, "version")
        check_key(key, login.public)
        script = Transcript(login.cert_digest, self._hello, version, caps, nonce_l, key)
        check_listener(key, sig, script.th1)
        login.expect(key)
        th2 = script.th2(sig, login.nonce, login.public, login.nick)
        proof = None if login.token is None else invite_pass(login.token, th2)
        own = sign_dialler(login.secret, th2)
        login.send(3, login.nonce, login.public, login.nick, own, proof)
        self._cards = script.cards(login.nonce, login.public)
        self.state = "READY"

    def _ready(self, fields: tuple[Value, ...]) -> None:
        login, nick = self.login, as_text(fields[0], 256)
        verdict = as_uint(fields[1], 0, 2)
        check_nick(nick)
        if self.asked and nick != login.peer:
            raise ProtocolError(103, "another nick")
        if self.asked and verdict == 1:
            raise ProtocolError(104, "asked twice")
        login.peer, self.asked = nick, True
        if login.expected is None:
            login.cards = self._cards
        if verdict != 1:
            self.state = "RESUME"
        if verdict == 0:
            login.sent.append(NO_GAME)


class Listener:
    """The side that listens.

    Attributes:
        login: What it is and sent.
        state: What it waits for.
    """

    def __init__(self, login: Login) -> None:
        """Wait for HELLO."""
        self.login = login
        self.state = "HELLO"
        self._script: Transcript | None = None
        self._sig = b""
        self._commit = b""

    def receive(self, payload: bytes) -> None:
        """Take a message of the dialler."""
        name, fields = read_message(payload)
        if name != self.state:
            raise ProtocolError(104, name)
        if name == "HELLO":
            self._hello(payload, fields)
        elif self._script is not None:
            self._auth(fields, self._script)

    def _hello(self, payload: bytes, fields: tuple[Value, ...]) -> None:
        login = self.login
        if not as_uint(fields[1], 0, 65_535) <= 1 <= as_uint(fields[2], 0, 65_535):
            raise ProtocolError(200, "no common version")
        self._commit = _bin(fields[3])
        self._script = Transcript(
            login.cert_digest, payload, 1, 0, login.nonce, login.public
        )
        self._sig = sign_listener(login.secret, self._script.th1)
        login.send(2, "crapette", 1, 0, login.nonce, login.public, self._sig)
        self.state = "AUTH"

    def seat(self) -> None:
        """A person lets the dialler in."""
        self.login.send(4, self.login.nick, 0)
        self.login.sent.append(NO_GAME)
        self.state = "RESUME"

    def _auth(self, fields: tuple[Value, ...], script: Transcript) -> None:
        login = self.login
        nonce, key = _bin(fields[0]), _bin(fields[1])
        nick, proof = as_text(fields[2], 256), fields[4]
        check_key(key, login.public)
        if commit(nonce, key) != self._commit:
            raise ProtocolError(201, "not what was committed")
        th2 = script.th2(self._sig, nonce, key, nick)
        check_dialler(key, _bin(fields[3]), th2)
        login.expect(key)
        fitted = proof is not None and login.invite is not None
        if fitted and proof != invite_pass(login.invite or b"", th2):
            raise ProtocolError(207, "another invite")
        if login.invite_only and not fitted:
            raise ProtocolError(207, "no invite")
        check_nick(nick)
        login.peer = nick
        vouched = fitted or login.expected is not None
        login.send(4, login.nick, int(not vouched))
        if vouched:
            login.sent.append(NO_GAME)
        else:
            login.cards = script.cards(nonce, key)
        self.state = "RESUME" if vouched else "WAIT_HUMAN"
