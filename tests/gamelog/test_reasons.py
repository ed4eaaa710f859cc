"""Every reason for which a record is bad has a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import crapette_p2p.gamelog
from crapette_p2p.gamelog.verify import WHY

NAMED = re.compile(
    r"""(?: _refuse\(\s* | _find\( | RecordError\( | Finding\(0,\s | why=
        | why\ =\ f".*",\  | ^\ \ \ \ \d{3}:\  )
        "([a-z-]+)\"""",
    re.VERBOSE | re.MULTILINE,
)


def test_every_reason_has_a_sentence() -> None:
    """All codes that the sources name, and no others."""
    folder = Path(crapette_p2p.gamelog.__file__).parent
    found = {"bad-record"}  # the default of records.py
    for name in ("fold", "faults", "records", "verify"):
        found |= set(NAMED.findall((folder / f"{name}.py").read_text("utf-8")))
    assert found == set(WHY)
    assert all(text[0].islower() and not text.endswith(".") for text in WHY.values())
