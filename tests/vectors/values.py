"""What vector files and code have in common: canonical values as JSON, refusals."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
"""An object of a vector file."""


class Refused(Exception):  # noqa: N818 - it is an answer, not an error
    """The code under test refuses the input with ``code``."""

    def __init__(self, code: int | str, output: object = None) -> None:
        super().__init__(code)
        self.code = code
        self.output = output


def to_json(value: object) -> object:
    """A canonical value as a vector file writes it: bytes as ``{"bin": hex}``."""
    if isinstance(value, (bytes, bytearray)):
        return {"bin": value.hex()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return value


def from_json(value: object) -> object:
    """The canonical value that a vector file writes."""
    if isinstance(value, dict):
        return bytes.fromhex(value["bin"])
    if isinstance(value, list):
        return tuple(from_json(item) for item in value)
    return value
