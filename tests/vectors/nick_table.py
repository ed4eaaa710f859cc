"""The characters of nicks: table ``nick-characters`` and the module made from it.

The table is the source. It holds what Unicode 14.0 calls letters, numbers and
marks, but for those that show nothing; ``scripts/tables`` writes
``gamelog/nick_ranges.py`` from it, and the tests compare it with the interpreter's
own data where that is of this version.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.vectors.spec_pages import PROTOCOL, table

MODULE: Final = PROTOCOL.parent / "crapette_p2p" / "gamelog" / "nick_ranges.py"
KINDS: Final = ("letters", "numbers", "marks")
UNSEEN: Final = "unseen"
"""What is of these kinds and left out, for it shows nothing."""


def _constants(found: dict[str, list[list[str]]]) -> Iterator[str]:
    for kind in (*KINDS, UNSEEN):
        spelled = [low if low == high else f"{low}-{high}" for low, high in found[kind]]
        lines = textwrap.wrap(" ".join(spelled), 86, break_on_hyphens=False)
        yield f'{kind.upper()}: Final = """\n' + "\n".join(lines) + '\n"""\n'


def fresh_module() -> tuple[Path, str]:
    """The module as it has to read."""
    found = table("nick-characters")
    head = (
        f'"""Letters, numbers and marks of Unicode {found["unicode"]}, for nicks.\n\n'
        "Written by ``scripts/tables`` from ``protocol/tables/nick-characters.json``:\n"
        "code points and ranges of them, hexadecimal, ascending. ``UNSEEN`` are those\n"
        "that show nothing, and so are in none of the others.\n"
        '"""\n\nfrom __future__ import annotations\n\nfrom typing import Final\n\n'
    )
    return MODULE, head + "".join(_constants(found))


if __name__ == "__main__":
    path, text = fresh_module()
    path.write_text(text, "utf-8")
