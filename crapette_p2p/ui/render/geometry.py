"""Where everything stands at every size: the ladder of interface.md 2e.

Heights choose how airy the table is, widths how long a fan may be shown whole.
The fans sit beside the foundations, so their keys never move while cards come
and go; what height is left over goes to the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIN_COLS: Final = 60
MIN_ROWS: Final = 18
PANEL_COLS: Final = 132
"""From here on the log stands on the right."""
PANEL_WIDTH: Final = 44
_BOXED_COLS: Final = 120
_BOXED_ROWS: Final = 38
_BOXED_PANEL_ROWS: Final = 30
_ROOMY_ROWS: Final = 30
_NORMAL_ROWS: Final = 24
_CENTRE: Final = 20
_BOXED_CENTRE: Final = 22


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle."""

    x: int
    """Left column."""
    y: int
    """Top row."""
    width: int
    """Columns."""
    height: int
    """Rows."""


@dataclass(frozen=True, slots=True)
class Tier:
    """How airy the table is drawn."""

    boxed_piles: bool
    """Personal piles as boxes of three rows and a label."""
    boxed_fans: bool
    """Columns and foundations as boxes of three rows."""
    pitch: int
    """Rows from fan to fan."""
    gap_above: int
    """Blank rows above the fans."""
    gap_below: int
    """Blank rows below the last fan."""

    @property
    def pile_rows(self) -> int:
        """Rows of one player's piles."""
        return 4 if self.boxed_piles else 1

    @property
    def height(self) -> int:
        """Rows of the table."""
        fans = 3 * self.pitch + (3 if self.boxed_fans else 1)
        return 2 * self.pile_rows + self.gap_above + fans + self.gap_below


COMPACT: Final = Tier(False, False, 1, 1, 1)
NORMAL: Final = Tier(True, False, 2, 1, 1)
ROOMY: Final = Tier(True, False, 3, 1, 2)
BOXED: Final = Tier(True, True, 4, 1, 1)


@dataclass(frozen=True, slots=True)
class Geometry:
    """Every place of one table screen."""

    tier: Tier
    """How airy."""
    table: Area
    """Piles and fans."""
    log: Area
    """The log."""
    side: int
    """Cells of the widest fan."""
    panel_edge: int | None
    """The column of the line before the log, where it stands on the right."""
    message: int
    """Row of the message line; the key line is below it."""

    @property
    def centre(self) -> int:
        """Where the space between the fans begins."""
        return self.table.x + self.side

    @property
    def right(self) -> int:
        """Where the fans on the right begin."""
        return self.centre + (_BOXED_CENTRE if self.tier.boxed_fans else _CENTRE)

    @property
    def fans(self) -> int:
        """Row of the first fan."""
        return self.table.y + self.tier.pile_rows + self.tier.gap_above

    @property
    def own(self) -> int:
        """First row of the own piles."""
        return self.table.y + self.tier.height - self.tier.pile_rows

    def fan_row(self, index: int) -> int:
        """Row of the fan ``index`` (0..3 from the top); its first where boxed."""
        return self.fans + index * self.tier.pitch


def is_too_small(cols: int, rows: int) -> bool:
    """Whether the table does not fit and words have to do."""
    return cols < MIN_COLS or rows < MIN_ROWS


def _tier(cols: int, rows: int) -> Tier:
    if cols >= PANEL_COLS and rows >= _BOXED_PANEL_ROWS:
        return BOXED
    if cols >= _BOXED_COLS and rows >= _BOXED_ROWS:
        return BOXED
    if rows >= _ROOMY_ROWS:
        return ROOMY
    return NORMAL if rows >= _NORMAL_ROWS else COMPACT


def geometry(cols: int, rows: int) -> Geometry:
    """The places for a terminal that is not too small."""
    tier = _tier(cols, rows)
    panel = cols >= PANEL_COLS
    width = cols - PANEL_WIDTH - 1 if panel else cols
    centre = _BOXED_CENTRE if tier.boxed_fans else _CENTRE
    side = (width - centre) // 2
    left = (width - 2 * side - centre) // 2
    if panel:
        top = 1 + (rows - 3 - tier.height) // 2
        log = Area(width + 1, 1, PANEL_WIDTH, rows - 3)
    else:
        top = 1
        below = top + tier.height
        gap = 0 if tier.boxed_piles else 1
        log = Area(0, below + gap, cols, rows - 2 - below - gap)
    table = Area(left, top, 2 * side + centre, tier.height)
    return Geometry(tier, table, log, side, width if panel else None, rows - 2)
