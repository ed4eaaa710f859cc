"""Every reason for which a record is bad has a sentence."""

from __future__ import annotations

import re
from pathlib import Path

import crapette_p2p.gamelog
from crapette_p2p.gamelog.verify import WHY


def test_every_reason_has_a_sentence() -> None:
    """All codes that the sources name, and no others."""
    named = set(WHY)
    for name in ("fold", "faults", "records", "verify"):
        path = Path(crapette_p2p.gamelog.__file__).parent / f"{name}.py"
        text = path.read_text(encoding="utf-8")
        found = set(
            re.findall(r'_refuse\(\s*"([a-z-]+)"', text)
            + re.findall(r'_find\("([a-z-]+)"', text)
            + re.findall(r'why(?:: str)? = (?:f".*", )?"([a-z-]+)"', text)
            + re.findall(r'RecordError\("([a-z-]+)"', text)
            + re.findall(r'    \d{3}: "([a-z-]+)"', text)
        )
        assert found <= named
    assert all(text[0].islower() and not text.endswith(".") for text in WHY.values())
