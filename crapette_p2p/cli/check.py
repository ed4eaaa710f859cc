"""One thing that ``crapette doctor`` has looked at."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    """One word."""
    ok: bool | None
    """None where it cannot be said."""
    detail: str
    """What was found."""
    hint: str = ""
    """What helps; empty where nothing has to."""

    def as_json(self) -> dict[str, object]:
        """The fields, for ``--json``."""
        return asdict(self)
