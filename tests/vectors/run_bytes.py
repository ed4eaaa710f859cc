"""Runs the vectors of bytes, hashes, keys and messages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from crapette_p2p import canonical
from crapette_p2p.engine.layout import Seat
from crapette_p2p.errors import DecodeError, RemoteProtocolError
from crapette_p2p.fairdeal.dealer import lot_of
from crapette_p2p.fairdeal.layer import context, derive_layer, opens, root_of
from crapette_p2p.gamelog import events
from crapette_p2p.gamelog.genesis import (
    decode_genesis,
    encode_genesis,
    game_id_of,
    genesis_message,
)
from crapette_p2p.gamelog.nicks import is_valid_nick
from crapette_p2p.gamelog.records import read_records
from crapette_p2p.net.crypto import verify
from crapette_p2p.session import handshake, keys, messages
from crapette_p2p.session.framing import FRAME_MAX, FRAME_MAX_LOGIN, FrameReader
from crapette_p2p.session.text import displayable
from tests.helpers.keys import real_key
from tests.vectors.values import Json, Refused, from_json, to_json


def canonical_value(given: Json, _common: Json) -> object:
    """Bytes as a canonical value, or a value as bytes."""
    if "value" in given:
        try:
            return {"bytes": canonical.encode(from_json(given["value"])).hex()}
        except (TypeError, ValueError) as error:
            raise Refused(101) from error
    data = bytes.fromhex(given["bytes"]) * given.get("times", 1)
    try:
        return {"value": to_json(canonical.decode(data))}
    except DecodeError as error:
        raise Refused(error.code) from error


def framing(given: Json, _common: Json) -> object:
    """A byte stream in pieces: the payloads, and how many bytes are left over."""
    reader = FrameReader()
    limit = FRAME_MAX_LOGIN if given["login"] else FRAME_MAX
    payloads, taken, fed = [], 0, 0
    try:
        for chunk in given["chunks"]:
            reader.feed(bytes.fromhex(chunk))
            fed += len(chunk) // 2
            while (payload := reader.next_payload(limit)) is not None:
                payloads.append(payload.hex())
                taken += 4 + len(payload)
    except RemoteProtocolError as error:
        raise Refused(error.code) from error
    return {"payloads": payloads, "left": fed - taken}


def message(given: Json, _common: Json) -> object:
    """A payload as a message."""
    try:
        found = messages.decode_message(bytes.fromhex(given["payload"]))
    except DecodeError as error:
        raise Refused(error.code) from error
    assert messages.encode_message(found).hex() == given["payload"]
    fields = [to_json(getattr(found, name)) for name in type(found).__slots__]
    return {"name": messages.type_of(found).name, "fields": fields}


def event(given: Json, _common: Json) -> object:
    """Event bytes: the fields and the hash."""
    data = bytes.fromhex(given["bytes"])
    try:
        found = events.decode_event(data)
    except DecodeError as error:
        raise Refused(error.code) from error
    assert events.encode_event(found) == data
    return {
        "game_id": found.game_id.hex(),
        "seq": found.seq,
        "author": int(found.author),
        "prev": found.prev.hex(),
        "state": found.state.hex(),
        "type": found.type,
        "body": to_json(found.body),
        "hash": events.event_hash(data).hex(),
    }


def signature(given: Json, _common: Json) -> object:
    """Made from a secret key, or checked against a public one."""
    if "secret" not in given:
        parts = [bytes.fromhex(given[name]) for name in ("public", "sig", "message")]
        if not verify(parts[0], parts[1], parts[2]):
            raise Refused(403)
        return None
    who = real_key(bytes.fromhex(given["secret"]))
    return {
        "public": who.public.hex(),
        "sig": who.sign(bytes.fromhex(given["message"])).hex(),
    }


def signed_event(given: Json, _common: Json) -> object:
    """What is signed for an event and its ACK, and the signatures."""
    author = real_key(bytes.fromhex(given["author_secret"]))
    other = real_key(bytes.fromhex(given["other_secret"]))
    data = bytes.fromhex(given["event"])
    found = events.decode_event(data)
    hash_ = events.event_hash(data)
    after = bytes.fromhex(given["state_after"])
    ack = events.ack_message(found.game_id, found.seq, hash_, after)
    return {
        "hash": hash_.hex(),
        "sig": author.sign(events.event_message(hash_)).hex(),
        "ack_sig": other.sign(ack).hex(),
    }


def collision(given: Json, _common: Json) -> object:
    """Which of two events with one number wins."""
    first, second = (
        events.Event(b"", 0, Seat(one["author"]), b"", b"", one["type"], ())
        for one in given["events"]
    )
    assert events.wins(first, over=second) != events.wins(second, over=first)
    return {"wins": 0 if events.wins(first, over=second) else 1}


def genesis(given: Json, _common: Json) -> object:
    """Genesis bytes: accepted or refused, with the game id and what is signed."""
    data = bytes.fromhex(given["bytes"])
    proposal = given.get("proposal", False)
    try:
        found = decode_genesis(data, proposal=proposal)
    except DecodeError as error:
        raise Refused(error.code) from error
    assert encode_genesis(found) == data
    if proposal:
        return None
    game_id = game_id_of(data)
    return {"game_id": game_id.hex(), "signed": genesis_message(game_id).hex()}


def nick(given: Json, _common: Json) -> object:
    """Whether a nick may be signed."""
    if not is_valid_nick(given["nick"]):
        raise Refused(208)
    return None


def shown_text(given: Json, _common: Json) -> object:
    """What is left of a chat line."""
    return {"shown": displayable(given["text"])}


def key(given: Json, _common: Json) -> object:
    """Whether a key is taken, and its fingerprint."""
    data = bytes.fromhex(given["key"])
    if keys.is_weak_key(data):
        raise Refused(204)
    fingerprint = keys.fingerprint(data)
    text = keys.format_fingerprint(fingerprint)
    assert keys.parse_fingerprint(text.lower().replace("0", "o")) == fingerprint
    return {"fingerprint": fingerprint.hex(), "text": text}


def login(given: Json, _common: Json) -> object:
    """The transcript of a handshake with everything that is derived from it."""
    listener = real_key(bytes.fromhex(given["listener_secret"]))
    dialler = real_key(bytes.fromhex(given["dialler_secret"]))
    nonce = bytes.fromhex(given["nonce_d"])
    th1 = handshake.first_transcript(
        cert_digest=bytes.fromhex(given["cert_digest"]),
        hello_payload=bytes.fromhex(given["hello"]),
        version=given["version"],
        caps=given["caps"],
        nonce_l=bytes.fromhex(given["nonce_l"]),
        idpub_l=listener.public,
    )
    sig_l = listener.sign(handshake.listener_message(th1))
    th2 = handshake.second_transcript(
        th1=th1,
        sig_l=sig_l,
        nonce_d=nonce,
        idpub_d=dialler.public,
        nick=given["nick"],
    )
    token = bytes.fromhex(given["token"])
    return {
        "commit": handshake.commitment(nonce, dialler.public).hex(),
        "th1": th1.hex(),
        "sig_l": sig_l.hex(),
        "th2": th2.hex(),
        "sig_d": dialler.sign(handshake.dialler_message(th2)).hex(),
        "pass": handshake.invite_pass(token, th2).hex(),
        "cards": list(handshake.four_cards(th1, nonce, dialler.public)),
    }


def _place(given: Json) -> bytes:
    game_id = bytes.fromhex(given["game_id"])
    return context(game_id, given["player"], given["deck"], given["candidate"])


def layer(given: Json, _common: Json) -> object:
    """A layer from its seed, or the root of given slots."""
    made = derive_layer(bytes.fromhex(given["seed"]), _place(given))
    assert root_of(_place(given), made.slots) == made.root
    return {
        "perm": list(made.perm),
        "salts": [salt.hex() for salt in made.salts],
        "slots": made.slots.hex(),
        "root": made.root.hex(),
    }


def opening(given: Json, common: Json) -> object:
    """Whether a value and a salt open a slot of a committed layer."""
    slots = bytes.fromhex(common["slots"])
    salt = bytes.fromhex(given["salt"])
    if not opens(_place(given), slots, given["index"], given["value"], salt):
        raise Refused(405)
    return None


def beacon(given: Json, _common: Json) -> object:
    """The shared bit of a game."""
    parts = [bytes.fromhex(given[name]) for name in ("game_id", "event_4", "event_5")]
    made = hashlib.sha256(b"crapette/1/beacon\0" + b"".join(parts)).digest()
    assert lot_of(parts[0], parts[1], parts[2]) == made[-1] & 1
    return {"beacon": made.hex(), "lot": made[-1] & 1}


def records(given: Json, _common: Json) -> object:
    """The records of a log file, whether it is torn, and where it is to be cut."""
    found = read_records(bytes.fromhex(given["bytes"]))
    whole = [[record.kind, to_json(record.body)] for record in found.records]
    answer = {"records": whole, "torn": found.torn, "end": found.end}
    if found.damage is not None:
        raise Refused("damaged", {"first_bad": len(whole), "end": found.end})
    return answer


RUNNERS: Final[dict[str, Callable[[Json, Json], object]]] = {
    "beacons": beacon,
    "canonical": canonical_value,
    "collisions": collision,
    "events": event,
    "framing": framing,
    "genesis": genesis,
    "handshake": login,
    "keys": key,
    "layers": layer,
    "messages": message,
    "nicks": nick,
    "openings": opening,
    "records": records,
    "shown-text": shown_text,
    "signatures": signature,
    "signed-events": signed_event,
}
