"""Where the programs that tests start look for modules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The project's folder."""
PYTHONPATH: Final = os.pathsep.join((f"{ROOT}/tests/helpers/same_chance", f"{ROOT}"))
"""The project, and what makes it deal the same cards in every run of a test."""
