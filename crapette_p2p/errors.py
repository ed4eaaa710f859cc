"""The errors of this package, one tree.

    CrapetteError
    ├─ NotationError (ValueError)   text that is no card, move or position
    ├─ DecodeError (ValueError)     bytes that are not canonical, or too many
    ├─ IllegalMove                  the engine will not make that position
    ├─ DealError                    a commitment does not open
    ├─ LogError                     a record is broken, out of turn or by the wrong hand
    ├─ ProtocolError                never raised itself
    │  ├─ LocalProtocolError        our caller asked what this state forbids
    │  └─ RemoteProtocolError       the peer broke the protocol
    └─ LinkError (net only)         the connection or its certificate failed

``code`` is a wire code of ``protocol/tables/error-codes.json``. Texts of these
exceptions are for developers; players read ``ui/wording.py``, found by code. Only
what is wrong with a player's own input or file (NotationError, LogError) is told in
its own words: ``sentence`` is what a catalogue translates, ``values`` fill it in.
"""

from __future__ import annotations


class CrapetteError(Exception):
    """Anything this package raises on purpose."""

    code: int = 500
    """Wire code (``protocol/tables/error-codes.json``)."""

    def __init__(self, sentence: str = "", **values: object) -> None:
        why = values.get("why")
        filled = (
            {**values, "why": why.format(**values)} if isinstance(why, str) else values
        )
        super().__init__(sentence.format(**filled) if values else sentence)
        self.sentence = sentence
        """What happened, in English, with ``{name}`` fields."""
        self.values = values
        """What stands in the fields; ``why`` is a sentence with the same fields."""


class NotationError(CrapetteError, ValueError):
    """Text that is no card, move, rule set or position.

    ``field`` names the part of the input, ``token`` the offending text; the sentence
    may speak of both.
    """

    code = 301

    def __init__(
        self, sentence: str, *, field: str = "", token: str = "", **values: object
    ) -> None:
        super().__init__(sentence, field=field, token=token, **values)
        self.field = field
        self.token = token


class DecodeError(CrapetteError, ValueError):
    """Bytes that are not the canonical spelling of a value, or exceed a limit."""

    code = 101

    def __init__(self, message: str, *, code: int = 101) -> None:
        super().__init__(message)
        self.code = code


class IllegalMove(CrapetteError):  # noqa: N818 - the name players of code know
    """An action the engine refuses; ``refusal`` is a stable kebab-case code."""

    code = 404

    def __init__(self, refusal: str, message: str = "") -> None:
        super().__init__(message or refusal)
        self.refusal = refusal


class DealError(CrapetteError):
    """A commitment that does not open; ``seat`` (0 or 1) is to blame."""

    def __init__(self, message: str, *, code: int, seat: int) -> None:
        super().__init__(message)
        self.code = code
        self.seat = seat


class LogError(CrapetteError):
    """A log whose record ``record`` (from 0) is broken, with the reason."""

    def __init__(
        self,
        sentence: str,
        *,
        code: int = 404,
        record: int = -1,
        why: str = "",
        detail: str = "",
        **values: object,
    ) -> None:
        reason = f"{why}: {detail}".rstrip(": ")
        super().__init__(sentence, record=record, reason=reason, **values)
        self.code = code
        self.record = record
        self.why = why
        """Stable kebab-case word, where reading a file found it."""
        self.detail = detail
        """For developers; ``reason`` in the sentence is both."""
        self.source = ""
        """Which file, where whoever reads the error cannot know it."""


class NoScreenError(CrapetteError):
    """The window this program runs in is no console that can be drawn on."""


class ProtocolError(CrapetteError):
    """Base of the two protocol errors; never raised itself."""


class LocalProtocolError(ProtocolError):
    """Our own caller asked what this state forbids; nothing changed."""

    code = 104


class RemoteProtocolError(ProtocolError):
    """The peer broke the protocol; ``code`` goes into the farewell."""

    def __init__(self, message: str, *, code: int, key: bytes | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.key = key
        """The key that was shown where another was expected."""


class LinkError(CrapetteError):
    """The connection or its certificate failed."""

    code = 106
