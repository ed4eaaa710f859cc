"""A made-up language whose letters are Greek: what stays Latin was never looked up."""

from __future__ import annotations

import re
from typing import Final

from crapette_p2p.ui.language import Words

_LATIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GREEK: Final = "αβψδεφγηιξκλμνοπϱρστθωςχυζΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠϘΡΣΤΘΩϹΧΥΖ"
_TO_GREEK: Final = str.maketrans(_LATIN, _GREEK)
_FIELD: Final = re.compile(r"\{[^{}]*\}")


def greek(text: str) -> str:
    """A sentence without a Latin letter outside its fields."""
    fields = iter(_FIELD.findall(text))
    parts = (part.translate(_TO_GREEK) for part in _FIELD.split(text))
    return "".join(part + next(fields, "") for part in parts)


def many_greek(one: str, many: str, number: int) -> str:
    """The same with a number."""
    return greek(one if number == 1 else many)


GREEK: Final = Words("pl", greek, many_greek)
