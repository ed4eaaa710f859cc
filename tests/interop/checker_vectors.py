"""What the checker says to the vectors of bytes, keys, logins and logs."""

import pickle
from collections.abc import Callable
from typing import Any, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.interop.checker_canonical import ProtocolError, Value, decode, encode
from tests.interop.checker_client import Client
from tests.interop.checker_compare import (
    DamagedError,
    TooManyError,
    compare,
    count_frames,
    read_invite,
)
from tests.interop.checker_crypto import (
    beacon,
    check_key,
    context,
    derive,
    fingerprint,
    fits,
    public_key,
    sha,
    slot_hash,
)
from tests.interop.checker_deal import split
from tests.interop.checker_events import Event, collision, read_event, state_hash
from tests.interop.checker_evidence import settle
from tests.interop.checker_farewell import farewell
from tests.interop.checker_genesis import SIG_TAG, read_genesis
from tests.interop.checker_handshake import (
    Transcript,
    commit,
    invite_pass,
    sign_dialler,
    sign_listener,
)
from tests.interop.checker_lobby import Lobby
from tests.interop.checker_log import read_records, verify
from tests.interop.checker_login import Dialler, Listener, Login
from tests.interop.checker_messages import (
    FRAME_MAX,
    FRAME_MAX_LOGIN,
    FrameReader,
    check_nick,
    read_message,
    shown,
)
from tests.interop.checker_resume import Resumer, keep
from tests.interop.checker_states import may_arrive
from tests.interop.checker_timers import AtTheDoor, GivenUpError, Seated, Watch

Json: TypeAlias = dict[str, Any]
Runner: TypeAlias = Callable[[Json, Json], Json]


class RefusedError(ProtocolError):
    """A refusal that has an output as well."""

    def __init__(self, code: int | str, output: Json) -> None:
        """Keep the output."""
        super().__init__(code)
        self.output = output


def raw(text: str) -> bytes:
    """Bytes out of hex."""
    return bytes.fromhex(text)


def from_json(value: Any) -> Value:  # noqa: ANN401
    """A canonical value as the vectors write it."""
    if isinstance(value, dict):
        return raw(value["bin"])
    if isinstance(value, list):
        return tuple(from_json(item) for item in value)
    return value if isinstance(value, int | str) else None


def to_json(value: Value) -> Any:  # noqa: ANN401
    """Write a canonical value as the vectors do."""
    if isinstance(value, bytes):
        return {"bin": value.hex()}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return value


def edited(data: bytes, edits: list[tuple[int, int, str]]) -> bytes:
    """Bytes after edits: a place, bytes taken out, bytes put in."""
    for at, size, text in edits:
        data = data[:at] + raw(text) + data[at + size :]
    return data


def canonical(given: Json, _: Json) -> Json:
    """Canonical values."""
    if "value" in given:
        return {"bytes": encode(from_json(given["value"])).hex()}
    return {"value": to_json(decode(raw(given["bytes"]) * given.get("times", 1)))}


def framing(given: Json, _: Json) -> Json:
    """Frames in pieces."""
    reader = FrameReader(FRAME_MAX_LOGIN if given["login"] else FRAME_MAX)
    found = [p for chunk in given["chunks"] for p in reader.feed(raw(chunk))]
    return {"payloads": [p.hex() for p in found], "left": len(reader.kept)}


def messages(given: Json, _: Json) -> Json:
    """Messages."""
    name, fields = read_message(raw(given["payload"]))
    return {"name": name, "fields": to_json(fields)}


def keys(given: Json, _: Json) -> Json:
    """Keys and fingerprints."""
    key = raw(given["key"])
    check_key(key)
    short = sha("crapette/1/idfp", key)[:10].hex()
    return {"fingerprint": short, "text": fingerprint(key)}


def nicks(given: Json, _: Json) -> Json:
    """Nicks."""
    check_nick(given["nick"])
    return {}


def shown_text(given: Json, _: Json) -> Json:
    """Chat as it is shown."""
    return {"shown": shown(given["text"])}


def signatures(given: Json, _: Json) -> Json:
    """Signatures made and checked."""
    message = raw(given["message"])
    if "secret" in given:
        secret = raw(given["secret"])
        sig = Ed25519PrivateKey.from_private_bytes(secret).sign(message)
        return {"public": public_key(secret).hex(), "sig": sig.hex()}
    if not fits(raw(given["public"]), raw(given["sig"]), message):
        raise ProtocolError(403)
    return {}


def handshake(given: Json, _: Json) -> Json:
    """All that follows from the inputs of a login."""
    host, dial = raw(given["listener_secret"]), raw(given["dialler_secret"])
    nonce, public = raw(given["nonce_d"]), public_key(dial)
    version, caps = given["version"], given["caps"]
    digest, hello = raw(given["cert_digest"]), raw(given["hello"])
    nonce_l = raw(given["nonce_l"])
    script = Transcript(digest, hello, version, caps, nonce_l, public_key(host))
    sig = sign_listener(host, script.th1)
    found: Json = {"commit": commit(nonce, public).hex(), "th1": script.th1.hex()}
    found |= {"sig_l": sig.hex(), "cards": list(script.cards(nonce, public))}
    th2 = script.th2(sig, nonce, public, given["nick"])
    proof = invite_pass(raw(given["token"]), th2)
    found |= {"th2": th2.hex(), "pass": proof.hex()}
    return found | {"sig_d": sign_dialler(dial, th2).hex()}


def logins(given: Json, common: Json) -> Json:
    """One side of a login."""
    rest = {k: v for k, v in given.items() if k != "received"}
    extra: dict[str, Any] = {
        k: raw(v) if isinstance(v, str) else v for k, v in rest.items()
    }
    own = raw(common["secret"]), raw(common["nonce"]), common["nick"]
    login = Login(*own, raw(common["cert_digest"]), **extra)
    side = Dialler(login) if common["dialler"] else Listener(login)
    for payload in given["received"]:
        side.receive(raw(payload))
    cards = None if login.cards is None else list(login.cards)
    return {"sent": [p.hex() for p in login.sent], "cards": cards}


def layers(given: Json, _: Json) -> Json:
    """Layers."""
    where = given["player"], given["deck"], given["candidate"]
    layer = derive(raw(given["seed"]), context(raw(given["game_id"]), *where))
    found: Json = {"perm": list(layer.perm), "root": layer.root.hex()}
    found["salts"] = [salt.hex() for salt in layer.salts]
    return found | {"slots": b"".join(layer.slots).hex()}


def openings(given: Json, common: Json) -> Json:
    """Openings."""
    where = given["player"], given["deck"], given["candidate"]
    ctx, index = context(raw(given["game_id"]), *where), given["index"]
    made = slot_hash(ctx, index, given["value"], raw(given["salt"]))
    if made != split(raw(common["slots"]))[index]:
        raise ProtocolError(405)
    return {}


def beacons(given: Json, _: Json) -> Json:
    """The shared bit."""
    parts = raw(given["game_id"]), raw(given["event_4"]), raw(given["event_5"])
    data, lot = beacon(*parts)
    return {"beacon": data.hex(), "lot": lot}


def genesis(given: Json, _: Json) -> Json:
    """Terms of a deal."""
    terms = read_genesis(raw(given["bytes"]), proposal=given.get("proposal", False))
    signed = SIG_TAG.encode() + b"\0" + terms.game_id
    return {"game_id": terms.game_id.hex(), "signed": signed.hex()}


def events(given: Json, _: Json) -> Json:
    """Events."""
    event = read_event(raw(given["bytes"]))
    found: Json = {"seq": event.seq, "author": event.author, "type": event.type}
    for name in ("game_id", "prev", "state"):
        found[name] = getattr(event, name).hex()
    return found | {"body": to_json(event.body), "hash": event.digest.hex()}


def signed_events(given: Json, _: Json) -> Json:
    """Events with both signatures."""
    event = read_event(raw(given["event"]))
    ack = event.ack(raw(given["other_secret"]), raw(given["state_after"]))
    sig = event.sign(raw(given["author_secret"]))
    return {"hash": event.digest.hex(), "sig": sig.hex(), "ack_sig": ack.hex()}


def state_hashes(given: Json, _: Json) -> Json:
    """Public states."""
    state = from_json(given["state"])
    return {"bytes": encode(state).hex(), "hash": state_hash(state).hex()}


def collisions(given: Json, _: Json) -> Json:
    """Collisions."""
    none = bytes(32)
    both = [
        Event(none, 0, event["author"], none, none, event["type"], ())
        for event in given["events"]
    ]
    return {"wins": both.index(collision(*both))}


def session_states(given: Json, _: Json) -> Json:
    """Messages in states."""
    name = read_message(raw(given["payload"]))[0]
    if not may_arrive(given["state"], given["holds"], name):
        raise ProtocolError(104)
    return {}


def records(given: Json, _: Json) -> Json:
    """Records of a file."""
    found = read_records(raw(given["bytes"]))
    if found.bad is not None:
        raise RefusedError("damaged", {"first_bad": found.bad, "end": found.end})
    kept = [[record.kind, to_json(record.body)] for record in found.found]
    return {"records": kept, "torn": found.torn, "end": found.end}


def logs(given: Json, common: Json) -> Json:
    """Whole logs."""
    log, found, damage = verify(edited(raw(common["log"]), given["edits"]))
    owed = None if log.owed is None else ["AB"[log.owed[0]], log.owed[1]]
    output: Json = {"torn": found.torn, "owed": owed}
    if damage is not None:
        number, word = damage
        raise RefusedError(word, output | {"level": log.level, "first_bad": number})
    return output | {"level": log.level}


def evidence(given: Json, common: Json) -> Json:
    """Evidence."""
    code, guilty = settle(edited(raw(common["evidence"]), given["edits"]))
    return {"code": code, "guilty": "AB"[guilty]}


def resumes(given: Json, common: Json) -> Json:
    """What a client says and records after READY 0."""
    games = [keep(raw(log), raw(common["secret"])) for log in common["logs"]]
    kept = {game.genesis.game_id: game for game in games}
    side = Resumer(kept, common["dialler"])
    for payload in map(raw, given["received"]):
        try:
            side.receive(payload)
        except ProtocolError as error:
            bye, noted = farewell(side, payload, error)
            kept_of = [[kind, to_json(body)] for kind, body in noted]
            output: Json = {"bye": bye and list(bye), "records": kept_of}
            raise RefusedError(error.code, output) from error
    game = side.at_hand
    found: Json = {"sent": [p.hex() for p in side.sent], "state": side.state}
    written = [[kind, to_json(body)] for kind, body in side.records]
    return found | {"records": written, "length": game.length if game else None}


def proposals(given: Json, common: Json) -> Json:
    """Deals that are proposed."""
    side = _lobby(common)
    for name, data in given["steps"]:
        {"receive": side.receive, "propose": side.propose, "accept": side.accept}[name](
            raw(data)
        )
    found: Json = {"sent": [p.hex() for p in side.sent], "state": side.state}
    written = [[kind, to_json(body)] for kind, body in side.records]
    return found | {"records": written, "asked": side.asked}


def _lobby(common: Json) -> Lobby:
    games = [keep(raw(log), raw(common["secret"])) for log in common["logs"]]
    kept = {game.genesis.game_id: game for game in games}
    secret = raw(common["secret"])
    keys = public_key(secret), public_key(raw(common["peer_secret"]))
    nicks = common.get("nick", ""), common.get("peer_nick", "")
    before = games[-1] if games and common.get("at_hand") else None
    return Lobby(
        kept, common["dialler"], secret=secret, keys=keys, nicks=nicks, before=before
    )


def comparisons(given: Json, common: Json) -> Json:
    """Two logs."""
    pairs = given["first"], given["second"]
    first, second = (raw(common["logs"][n])[:size] for n, size in pairs)
    try:
        found = compare(first, second)
    except DamagedError as error:
        where = {"which": error.which, "first_bad": error.record}
        raise RefusedError(error.code, where) from error
    guilty = None if found.guilty is None else "AB"[found.guilty]
    told: Json = {"relation": found.relation, "common": found.common}
    return told | {"longer": found.longer, "guilty": guilty}


def invites(given: Json, _: Json) -> Json:
    """Invites."""
    found = read_invite(given["text"])
    token = None if found.token is None else found.token.hex()
    told: Json = {"addresses": [list(place) for place in found.addresses]}
    told |= {"fingerprint": found.fingerprint.hex(), "token": token}
    return told | {"text": str(found)}


def rates(given: Json, common: Json) -> Json:
    """Frames in time."""
    games = [keep(raw(log), raw(common["secret"])) for log in common["logs"]]
    side = Resumer({g.genesis.game_id: g for g in games}, common["dialler"])
    frames = [(at, raw(p)) for at, times, p in given["frames"] for _ in range(times)]
    try:
        count_frames(side, frames)
    except TooManyError as error:
        raise RefusedError(105, {"frame": error.frame}) from error
    return {}


def timers(given: Json, common: Json) -> Json:
    """Time passes."""
    watch = Watch(_at_the_door(common) if "nonce" in common else Seated(_lobby(common)))
    steps = [(at, "", payload) for at, payload in given["frames"]]
    steps += [tuple(step) for step in given.get("decided", [])]
    try:
        for at, what, data in sorted(steps, key=lambda step: step[0]):
            if what:
                watch.decide(at, what, raw(data))
            else:
                watch.take(at, raw(data))
        watch.pass_until(given["until"])
    except GivenUpError as error:
        raise RefusedError(106, {"sent": error.sent, "at": error.at}) from error
    return {"sent": watch.sent}


def _at_the_door(common: Json) -> AtTheDoor:
    own = raw(common["secret"]), raw(common["nonce"]), common["nick"]
    login = Login(*own, raw(common["cert_digest"]))
    return AtTheDoor(login, dialler=common["dialler"])


_CLIENTS: dict[tuple[str, int], bytes] = {}


def received(given: Json, common: Json) -> Json:
    """An EVENT or ACK that comes."""
    who = common["log"], common["role"]
    if who not in _CLIENTS:
        client = Client(raw(common["log"]), common["role"], raw(common["secret"]))
        _CLIENTS[who] = pickle.dumps(client)
    client = pickle.loads(_CLIENTS[who])  # noqa: S301
    outcome = client.receive(raw(given["payload"]))
    kept = [[kind, to_json(body)] for kind, body in outcome.records]
    found: Json = {"final": outcome.final, "length": len(client.entries)}
    return found | {"records": kept, "sent": [p.hex() for p in outcome.sent]}
