"""**Pure**: an error of ours, or a reason of the system's, in the player's language.

What is wrong with a player's own input or file is worded where it is found
(``errors.py``); here it is said in any language.
"""

from __future__ import annotations

from typing import Final

from crapette_p2p.errors import CrapetteError, LogError
from crapette_p2p.gamelog.verify import NEWER, WHY
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.reasons import reason_text, toml_reason

_WHY: Final = {**WHY, "not-evidence": "the file is no evidence of a fault"}


def told(error: CrapetteError, words: Words) -> str:
    """What is wrong, from the error's own sentence."""
    if isinstance(error, LogError) and error.why:
        found = why_text(error.why, error.detail, words)
        return words("record {n}: {why}", n=error.record, why=found)
    values = {name: _value(value, words) for name, value in error.values.items()}
    why = error.values.get("why")
    if isinstance(why, str):
        values["why"] = words(why, **{k: v for k, v in values.items() if k != "why"})
    return words(error.sentence, **values)


def _value(value: object, words: Words) -> object:
    if isinstance(value, CrapetteError):
        return told(value, words)
    if isinstance(value, ValueError):  # TOML's
        return toml_reason(str(value), words)
    return reason_text(value, words) if isinstance(value, str) else value


def why_text(why: str, detail: str, words: Words) -> str:
    """Why a record of a log is bad, by its stable code, which follows in brackets."""
    before, _, after = NEWER.partition("{version}")
    if detail.startswith(before) and detail.endswith(after):
        version = detail.removeprefix(before).removesuffix(after)
        return words(NEWER, version=version)
    return f"{words(_WHY.get(why, why))} ({why})"
