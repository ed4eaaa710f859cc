"""Frames, messages and text (spec 50, 1, 4 and 6)."""

import unicodedata
from typing import Any

from tests.interop.checker_canonical import (
    ProtocolError,
    Value,
    as_array,
    as_bin,
    as_text,
    as_uint,
    decode,
)
from tests.interop.checker_folder import table

FRAME_MAX_LOGIN = 1024
FRAME_MAX = 16_384
REMOVED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def frame(payload: bytes) -> bytes:
    """Put the length in front of a payload."""
    return len(payload).to_bytes(4, "big") + payload


class FrameReader:
    """Takes a stream in pieces and gives back whole payloads.

    Attributes:
        limit: The largest payload now.
        kept: Bytes that are no whole frame yet.
    """

    def __init__(self, limit: int = FRAME_MAX_LOGIN) -> None:
        """Start with the limit before READY."""
        self.limit = limit
        self.kept = b""

    def feed(self, piece: bytes) -> list[bytes]:
        """Take a piece.

        Args:
            piece: Bytes as they were read.

        Returns:
            The payloads that are whole now.

        Raises:
            ProtocolError: 100.
        """
        self.kept += piece
        found = []
        while len(self.kept) >= 4:
            size = int.from_bytes(self.kept[:4], "big")
            if not 1 <= size <= self.limit:
                raise ProtocolError(100, "length of a frame")
            if len(self.kept) < 4 + size:
                break
            found.append(self.kept[4 : 4 + size])
            self.kept = self.kept[4 + size :]
        return found


def check_field(value: Value, field: dict[str, Any], code: int | str = 103) -> None:
    """Check one value against an entry of the tables.

    Args:
        value: The value.
        field: Its entry in message-tags.json or event-types.json.
        code: What it is refused with.
    """
    if value is None and field.get("or_nil"):
        return
    kind = field["type"]
    low = field.get("length", field.get("min", 0))
    high = field.get("length", field.get("max", 0))
    if "value" in field:
        if value != field["value"]:
            raise ProtocolError(code, field["name"])
    elif kind == "uint":
        as_uint(value, low, high, code)
    elif kind == "bin":
        as_bin(value, low, high, code)
    elif kind == "str":
        as_text(value, field["max_bytes"], code)
    else:
        for item in as_array(value, low, high, code):
            if "of_type" in field:
                as_bin(item, 0, 1 << 30, code)
            else:
                parts = as_array(item, len(field["of"]), len(field["of"]), code)
                for part, inner in zip(parts, field["of"], strict=True):
                    check_field(part, inner, code)


def check_fields(
    values: tuple[Value, ...], fields: list[dict[str, Any]], code: int | str = 103
) -> None:
    """Check the number of values, then each of them."""
    as_array(values, len(fields), len(fields), code)
    for value, field in zip(values, fields, strict=True):
        check_field(value, field, code)


def read_message(payload: bytes) -> tuple[str, tuple[Value, ...]]:
    """Read a payload.

    Args:
        payload: The bytes of a frame without its length.

    Returns:
        The name of the message and its fields.

    Raises:
        ProtocolError: 101, 102 or 103.
    """
    parts = as_array(decode(payload), 1, 160)
    tag = as_uint(parts[0], 0, 2**63 - 1)
    for entry in table("message-tags")["messages"]:
        if entry["type"] == tag:
            check_fields(parts[1:], entry["fields"])
            if entry["name"] == "RECORDS":
                _check_records(parts[2])
            return entry["name"], parts[1:]
    raise ProtocolError(102, "no such message")


def _check_records(records: Value) -> None:
    items = as_array(records, 1, 64)
    if sum(len(as_bin(item, 0, 12_288)) for item in items) > 12_288:
        raise ProtocolError(103, "records too long")


def check_nick(nick: str) -> None:
    """Refuse a nick outside the rules (spec 50, 6.1).

    Args:
        nick: The nick.

    Raises:
        ProtocolError: 208.
    """
    short = 1 <= len(nick) <= 20 and len(nick.encode("utf-8")) <= 48
    spaced = not (nick.startswith(" ") or nick.endswith(" ") or "  " in nick)
    if not (short and spaced and unicodedata.is_normalized("NFC", nick)):
        raise ProtocolError(208, "nick")
    marks, after_letter = 0, False
    for letter in nick:
        kind = _kind_of(letter)
        if kind == "marks":
            marks += 1
            if not after_letter or marks > 2:
                raise ProtocolError(208, "marks in a nick")
            continue
        marks, after_letter = 0, kind == "letters"
        if kind is None and letter not in table("nick-characters")["others"]:
            raise ProtocolError(208, "characters of a nick")


def _kind_of(letter: str) -> str | None:
    """Which list of the table a character stands in."""
    found = table("nick-characters")
    for kind in ("letters", "numbers", "marks"):
        if any(int(a, 16) <= ord(letter) <= int(b, 16) for a, b in found[kind]):
            return kind
    return None


def shown(text: str) -> str:
    """What is left of chat (spec 50, 6.2)."""
    return "".join(c for c in text if unicodedata.category(c) not in REMOVED)
