"""The numbers and codes of ``protocol/tables`` and those in the code are the same."""

from __future__ import annotations

import hashlib
import inspect
import re
from typing import Any

import pytest

from crapette_p2p import canonical, cards, errors
from crapette_p2p.engine import layout, rules, ruleset
from crapette_p2p.engine.duties import ACTIONS_A_TURN
from crapette_p2p.engine.position import EndReason, OffenceCode
from crapette_p2p.engine.steps import SEQ_LIMIT
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog import events, genesis, nicks, records
from crapette_p2p.gamelog.events import EventType, body_to_action
from crapette_p2p.gamelog.faults import PROVABLE
from crapette_p2p.gamelog.state import SETUP_TYPES
from crapette_p2p.gamelog.verify import WHY
from crapette_p2p.net import accept, address, hosting, policy, pump, tls
from crapette_p2p.net.failures import exit_of_code
from crapette_p2p.session import framing, keys, messages, states, text, timers
from crapette_p2p.session.channel import GAME_FAULTS
from tests.vectors.spec_pages import SPEC, fresh_pages, table

CONSTANTS = {
    "PORT": address.DEFAULT_PORT,
    "TOKEN_BYTES": hosting.TOKEN_BYTES,
    "TOKEN_LIFE": hosting.INVITE_SECONDS,
    "T_TLS": tls.HANDSHAKE_SECONDS,
    "T_DRAIN": pump.DRAIN_SECONDS,
    "RECONNECT_FOR": policy.RECONNECT_SECONDS,
    "HOST_BURST": accept.HOST_BURST,
    "HOST_RATE": 1 / accept.HOST_INTERVAL,
    "PENDING_LINKS": accept.MAX_PENDING,
    "PENDING_PER_ADDRESS": accept.MAX_PER_ADDRESS,
    "VERSION": messages.VERSION,
    "FRAME_MAX_LOGIN": framing.FRAME_MAX_LOGIN,
    "FRAME_MAX": framing.FRAME_MAX,
    "DEPTH_MAX": canonical.MAX_DEPTH,
    "ARRAY_MAX": canonical.MAX_ARRAY,
    "BIN_MAX": canonical.MAX_BIN,
    "STR_MAX": canonical.MAX_STR,
    "UINT_MAX": canonical.MAX_INT,
    "K_MIN": genesis.MIN_K,
    "K_MAX": genesis.MAX_K,
    "K_DEFAULT": genesis.DEFAULT_K,
    "EVENTS_MAX": events.MAX_EVENTS,
    "EVENTS_BLOCK": SEQ_LIMIT,
    "TURN_ACTIONS": ACTIONS_A_TURN,
    "SYNC_MAX": messages.SYNC_MAX,
    "RECORDS_MAX": messages.RECORDS_MAX,
    "CHAT_MAX": messages.CHAT_MAX,
    "BYE_TEXT_MAX": messages.BYE_TEXT_MAX,
    "NICK_CHARS": nicks.MAX_CHARACTERS,
    "NICK_BYTES": nicks.MAX_NICK_BYTES,
    "FINGERPRINT_BYTES": keys.FINGERPRINT_SIZE,
    "T_LOGIN": timers.T_LOGIN,
    "T_HUMAN": timers.T_HUMAN,
    "T_STEP": timers.T_STEP,
    "T_ACK_WARN": timers.T_ACK_WARN,
    "T_ACK": timers.T_ACK,
    "T_PING": timers.T_PING,
    "T_DEAD": timers.T_DEAD,
    "RATE": timers.RATE,
    "RATE_BURST": timers.RATE_BURST,
    "CHAT_RATE": timers.CHAT_RATE,
    "CHAT_BURST": timers.CHAT_BURST,
    "LOG_BYTES_MAX": records.MAX_FILE,
    "LOG_RECORDS_MAX": records.MAX_RECORDS,
    "LOG_RECORD_MAX": records.MAX_RECORD,
    "EVIDENCE_RECORDS_MAX": canonical.MAX_LARGE_ARRAY,
}


def test_pages_repeat_the_tables() -> None:
    """What the pages show of the tables is what ``scripts/tables`` would write."""
    for path, page in fresh_pages().items():
        assert path.read_text("utf-8") == page, f"run scripts/tables: {path.name}"


def test_constants() -> None:
    """Every limit and timer in the code has the value of the table."""
    listed = {c["name"]: c["value"] for c in table("constants")["constants"]}
    assert {name: listed[name] for name in CONSTANTS} == CONSTANTS


def test_the_wish_for_a_deal() -> None:
    """Page, table and program have the same words for it."""
    words = table("constants")["wish_for_a_deal"]
    assert words == text.WISH
    assert f"`{words}`" in (SPEC / "60-session.md").read_text("utf-8")


def test_piles() -> None:
    """Kind, owner and suit of each pile follow from its number."""
    for pile in table("piles")["piles"]:
        number, kind = pile["id"], pile["kind"]
        assert layout.is_column(number) == (kind == "column")
        assert layout.is_foundation(number) == (kind == "foundation")
        assert layout.owner_of(number) == pile.get("owner")
        if kind == "foundation":
            assert layout.foundation_suit(number) == pile["suit"]
            assert cards.SUITS[pile["suit"]] == pile["suit_letter"]
        elif kind != "column":
            assert getattr(layout, kind)(pile["owner"]) == number


def test_cards() -> None:
    """Suits, ranks and the unseen face are those of the table."""
    found = table("piles")
    assert found["suits"] == cards.SUITS
    assert found["ranks"] == cards.RANKS
    assert found["unknown_card"] == cards.UNKNOWN
    assert [pile["id"] for pile in found["piles"]] == list(range(layout.PILE_COUNT))


def test_switches() -> None:
    """Order, values and bits of the switches are those of the table."""
    listed = table("switches")["switches"]
    assert tuple(s["name"] for s in listed) == ruleset.SWITCHES
    for switch in listed:
        name = switch["name"]
        if switch["type"] == "choice":
            assert tuple(switch["values"]) == ruleset.CHOICES[name]
        elif switch["type"] == "mask":
            bits = dict(zip(switch["values"], switch["bits"], strict=True))
            assert bits == ruleset.SPACE_BITS
        elif switch["type"] == "number":
            assert tuple(switch["values"]) == ruleset.RESERVE_SIZES
        else:
            assert isinstance(getattr(ruleset.RuleSet(), name), bool)


def test_presets() -> None:
    """Values, array, bytes and hash of each preset are those of the table."""
    listed = table("switches")
    assert [p["name"] for p in listed["presets"]] == list(ruleset.PRESETS)
    assert listed["default_preset"] == ruleset.DEFAULT_PRESET
    assert listed["match_targets"] == ruleset.MATCH_TARGETS
    for preset in listed["presets"]:
        rules = ruleset.parse_rules(preset["values"])
        assert rules == ruleset.PRESETS[preset["name"]]
        assert ruleset.rules_to_array(rules) == preset["array"]
        data = canonical.encode(preset["array"])
        assert data.hex() == preset["bytes"]
        made = hashlib.sha256(b"crapette/1/rules\0" + data).hexdigest()
        assert made == genesis.rules_hash(data).hex() == preset["hash"]


def test_event_types() -> None:
    """Numbers, priorities and the fixed set-up are those of the table."""
    found = table("event-types")
    listed = {e["name"]: e["type"] for e in found["events"]}
    assert listed == {kind.name: kind.value for kind in EventType}
    for event in found["events"]:
        assert events.priority(event["type"]) == event["priority"]
    assert [s["type"] for s in found["set_up"]] == list(SETUP_TYPES)
    assert found["end_reasons"] == [reason.name.lower() for reason in EndReason]
    for offence in found["offences"]:
        assert OffenceCode(offence["code"]).text == offence["name"]


@pytest.mark.parametrize(
    "event", table("event-types")["events"], ids=lambda e: e["name"]
)
def test_bodies_of_actions(event: dict[str, Any]) -> None:
    """A body of an action is taken up to the ends of its ranges and no further."""
    kind, fields = event["type"], event["body"]
    if kind not in events.PLAY_TYPES:
        assert body_to_action(kind, ()) is None
        return
    lowest = tuple(field["min"] for field in fields)
    assert body_to_action(kind, lowest) is not None
    assert body_to_action(kind, tuple(field["max"] for field in fields)) is not None
    assert body_to_action(kind, (*lowest, 0)) is None
    for place, field in enumerate(fields):
        for wrong in (field["max"] + 1, True, None, b"", "0"):
            body = [*lowest[:place], wrong, *lowest[place + 1 :]]
            assert body_to_action(kind, tuple(body)) is None


def test_message_types() -> None:
    """Numbers and names of the messages are those of the table."""
    listed = {m["name"]: m["type"] for m in table("message-tags")["messages"]}
    assert listed == {kind.name: kind.value for kind in messages.MessageType}


@pytest.mark.parametrize(
    "message", table("message-tags")["messages"], ids=lambda m: m["name"]
)
def test_fields_of_messages(message: dict[str, Any]) -> None:
    """Each field is taken at the ends of its range and refused one beyond."""
    kind, fields = message["type"], message["fields"]
    good = [_lawful(field)[0] for field in fields]
    assert _code([kind, *good]) is None
    assert _code([kind, *good, 0]) == 103
    assert _code([kind, *good][:-1]) == 103
    for place, field in enumerate(fields):
        for value in _lawful(field):
            row = [kind, *good[:place], value, *good[place + 1 :]]
            assert _code(row) is None, field
        for value in _unlawful(field):
            row = [kind, *good[:place], value, *good[place + 1 :]]
            assert _code(row) == 103, field


def _code(row: list[object]) -> int | None:
    try:
        messages.decode_message(canonical.encode(row))
    except DecodeError as error:
        return error.code
    return None


def _lawful(field: dict[str, Any]) -> list[object]:
    extra: list[object] = [None] if field.get("or_nil") else []
    if "value" in field:
        return [field["value"], *extra]
    if field["type"] == "uint":
        return [field["min"], field["max"], *extra]
    if field["type"] == "str":
        return ["x" * field["min_bytes"], "x" * field["max_bytes"], *extra]
    if field["type"] == "array":
        return [[b""] * field["min"], [b""] * field["max"], [bytes(12288)]]
    if "length" in field:
        return [bytes(field["length"]), *extra]
    return [bytes(field["min"]), bytes(field["max"]), *extra]


def _unlawful(field: dict[str, Any]) -> list[object]:
    wrong: list[object] = [[], False] + ([] if field.get("or_nil") else [None])
    if "value" in field:
        return [*wrong, "", "Crapette", b"crapette"]
    if field["type"] == "uint":
        high = field["max"] + 1
        return [*wrong, "1", b""] + ([high] if high <= canonical.MAX_INT else [])
    if field["type"] == "str":
        longer = field["max_bytes"] + 1
        return [*wrong, b"", 0] + (["x" * longer] if longer <= 256 else [])
    if field["type"] == "array":
        return [*wrong, [b""] * (field["max"] + 1), [bytes(6145), bytes(6144)], [0]]
    if "length" in field:
        return [*wrong, bytes(field["length"] - 1), bytes(field["length"] + 1), "", 0]
    return [*wrong, b"", "", 0]


def test_session_states() -> None:
    """What may arrive in which state, and on which condition, is the table's."""
    found = table("session-states")
    listed = {s["name"]: s["may_arrive"] for s in found["states"]}
    coded = {
        state.name: {m.name: c.value for m, c in states.ALLOWED[state].items()}
        for state in states.State
    }
    assert coded == listed
    assert set(found["conditions"]) == {c.value for c in states.Condition}
    phases = {s["name"]: s["phase"] for s in found["states"]}
    game = {s.name for s in states.GAME_STATES}
    assert game == {name for name, phase in phases.items() if phase == "game"}
    ended = {s.name for s in states.ENDED_STATES}
    assert ended == {name for name, phase in phases.items() if phase == "ended"}


def test_transitions_name_states() -> None:
    """Every arrow of the diagrams leads from a state to a state."""
    found = table("session-states")
    names = {s["name"] for s in found["states"]} | {"any", "game"}
    reached = {t["to"] for t in found["transitions"]}
    assert {t["from"] for t in found["transitions"]} | reached <= names
    assert names - reached == {"TLS", "any"}


def test_record_kinds() -> None:
    """Kinds and arities of log records are those of the table."""
    found = table("record-kinds")
    assert bytes.fromhex(found["magic"]) == records.MAGIC
    listed = {kind["name"]: kind["kind"] for kind in found["kinds"]}
    assert listed == {kind.name: kind.value for kind in records.RecordKind}
    for kind in found["kinds"]:
        body = [_sample(field) for field in kind["body"]]
        payload = bytes([kind["kind"]]) + canonical.encode(body)
        assert list(records.decode_record(payload).body) == body
        for wrong in ([*body, 0], body[:-1]):
            with pytest.raises(DecodeError):
                records.decode_record(payload[:1] + canonical.encode(wrong))


def _sample(field: str) -> object:
    if " str " in field:
        return "text"
    if " bin" in field:
        return bytes(64)
    return 0


def test_weak_keys() -> None:
    """The keys refused for everybody are those of the table."""
    listed = [bytes.fromhex(key) for key in table("weak-keys")["keys"]]
    assert set(listed) == keys.SMALL_ORDER
    assert len(listed) == 14


def test_exit_statuses() -> None:
    """Each code ends the command line with the status of the table."""
    for code in table("error-codes")["codes"]:
        assert int(exit_of_code(code["code"])) == code["exit"], code


def test_error_codes() -> None:
    """Codes are told apart, and what fails a game is what the table says."""
    codes = table("error-codes")["codes"]
    assert len({code["code"] for code in codes}) == len(codes)
    assert len({code["name"] for code in codes}) == len(codes)
    failing = {code["code"] for code in codes if code["after"] == "failed"}
    assert failing == GAME_FAULTS
    proven = {code["code"] for code in codes if code["provable"]}
    assert proven == PROVABLE
    raised = {kind.code for kind in _errors(errors.CrapetteError)}
    assert raised <= {code["code"] for code in codes}


def _errors(kind: type[errors.CrapetteError]) -> list[type[errors.CrapetteError]]:
    return [kind, *(found for sub in kind.__subclasses__() for found in _errors(sub))]


def test_refusals() -> None:
    """The codes the rules refuse with are those of the table."""
    listed = {refusal["code"] for refusal in table("refusals")["refusals"]}
    source = inspect.getsource(rules)
    named = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source))
    offences = {code.text for code in OffenceCode}
    assert named - {"own-waste"} <= listed
    assert listed <= named | offences


def test_log_faults() -> None:
    """The words for what is wrong with a log are those of the table."""
    listed = [fault["code"] for fault in table("log-faults")["faults"]]
    assert sorted(listed) == sorted(WHY)
