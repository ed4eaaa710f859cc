"""**Pure**: reasons of the system's, JSON's and TOML's, in the player's language.

They are English sentences of theirs: those that a player can meet stand here, so
that a catalogue holds them; any other stays as it is.
"""

from __future__ import annotations

import re
from typing import Final

from crapette_p2p.ui.language import Words

REASONS: Final = (
    "it is too long",
    "it is no regular file",
    "it is not text",
    "it is not UTF-8",
    "it is nested too deeply",
    "a number is too long",
    "too long",
    "another kind of key",
    "another kind of file",
    "an empty file",
    "Permission denied",
    "Operation not permitted",
    "No such file or directory",
    "Is a directory",
    "Not a directory",
    "File exists",
    "File name too long",
    "File too large",
    "Too many levels of symbolic links",
    "Too many open files",
    "No space left on device",
    "Disk quota exceeded",
    "Read-only file system",
    "Input/output error",
    "Invalid argument",
    "Address already in use",
    "Cannot assign requested address",
    "Network is unreachable",
    "Network is down",
    "No route to host",
    "Connection refused",
    "Connection timed out",
    "Connection reset by peer",
    "Temporary failure in name resolution",
    "Name or service not known",
    "Expecting value",
    "Expecting ',' delimiter",
    "Expecting ':' delimiter",
    "Expecting property name enclosed in double quotes",
    "Extra data",
    "Unterminated string starting at",
    "Invalid control character at",
    "Invalid value",
    "Invalid statement",
    "Unterminated string",
    "Unclosed array",
    "Cannot overwrite a value",
    "Expected '=' after a key in a key/value pair",
    "Expected newline or end of document after a statement",
)
"""What the system, JSON, TOML and our own files say, as they say it."""
_PLACE: Final = re.compile(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)")
"""How TOML says what is wrong, and where."""


def why_of(error: Exception, words: Words) -> str:
    """What the system says about a file, or what is wrong with its text."""
    if isinstance(error, UnicodeDecodeError):
        return reason_text("it is not UTF-8", words)
    return reason_text(getattr(error, "strerror", None) or str(error), words)


def reason_text(reason: str, words: Words) -> str:
    """A reason of the system, JSON or TOML in this language, if it is known."""
    for known in REASONS:
        if reason == known:
            return words(known)
    return reason


def toml_reason(text: str, words: Words) -> str:
    """What TOML says, with its place in front as everywhere."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return reason_text(text, words)
    reason, line, column = found.groups()
    said = reason_text(reason, words)
    if line is None:
        return words("at its end: {reason}", reason=said)
    return words("line {n}, column {m}: {reason}", n=line, m=column, reason=said)
