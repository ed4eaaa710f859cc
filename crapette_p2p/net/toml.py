"""TOML of a player's, with one kind of failure.

The library's parser recurses with the nesting of a value and reads a number as
Python does, so that what nobody writes by hand makes it fail in other ways.
"""

from __future__ import annotations

import tomllib
from typing import Final

TOO_DEEP: Final = "it is nested too deeply"
TOO_LONG_A_NUMBER: Final = "a number is too long"


def parse_toml(text: str) -> dict[str, object]:
    """The table in ``text``; raises TOMLDecodeError for whatever is none."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError(TOO_DEEP) from None
    except ValueError:  # more digits than Python turns into a number
        raise tomllib.TOMLDecodeError(TOO_LONG_A_NUMBER) from None
