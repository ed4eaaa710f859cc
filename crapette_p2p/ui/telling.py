"""**Pure**: an error of ours, or a reason of the system's, in the player's language.

What is wrong with a player's own input or file is worded where it is found
(``errors.py``); here it is said in any language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from crapette_p2p.errors import CrapetteError, LogError
from crapette_p2p.gamelog.verify import NEWER, WHY
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.reasons import reason_text, toml_reason

if TYPE_CHECKING:  # an error is told without it
    from crapette_p2p.gamelog.replay import Replay

_WHY: Final = {**WHY, "not-evidence": "the file is no evidence of a fault"}


def told(error: CrapetteError, words: Words) -> str:
    """What is wrong, from the error's own sentence."""
    if isinstance(error, LogError) and error.why:
        found = why_text(error.why, error.detail, words)
        if error.source:
            return break_at(error.source, error.record, found, words)
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


def break_at(source: str, record: int, why: str, words: Words) -> str:
    """Where a file breaks; ``why`` as ``why_text`` has it."""
    return words(
        "{source} breaks at record {first_bad}: {why}",
        source=source,
        first_bad=record,
        why=why,
    )


def break_text(replay: Replay, source: str, words: Words) -> str:
    """Where a log breaks, and why; empty for one that is whole."""
    verdict = replay.verdict
    if verdict is None:
        return ""
    if verdict.first_bad is not None:
        why = why_text(verdict.why or "", verdict.detail, words)
        return break_at(source, verdict.first_bad, why, words)
    if verdict.torn:
        return words(
            "{source} ends within record {n}: what came before it was shown",
            source=source,
            n=verdict.records,
        )
    if not verdict.begun:
        return words("{source} is of a game that never began", source=source)
    if replay.moment(0).position is None:
        return words("{source} ends before any card was dealt", source=source)
    return ""
