"""Write the golden logs of ``tests/gamelog/golden``: once per format, then never.

``python -m tests.helpers.make_golden`` from the project's root. A file that is
there already is left alone: that an old log still reads is what they are for.
"""

from __future__ import annotations

from pathlib import Path

from crapette_p2p.engine.ruleset import PRESETS
from tests.helpers.fakegame import play_game

FOLDER = Path(__file__).resolve().parents[1] / "gamelog" / "golden"
VERSION = "1"
"""Of the file format and the state's encoding."""
SEEDS = {"crapette": 38, "russian-bank-knock": 32}
"""Games with upheld and wrong Stops, and a card that a Stop uncovered."""


def main() -> None:
    """Write what is missing."""
    FOLDER.mkdir(exist_ok=True)
    for preset in PRESETS:
        path = FOLDER / f"v{VERSION}-{preset}.crlog"
        if not path.exists():
            seed = SEEDS.get(preset, 31)
            path.write_bytes(play_game(preset, seed=seed, k=2, actions=45).data)


if __name__ == "__main__":
    main()
