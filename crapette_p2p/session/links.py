"""Which of two links to one player stays (protocol.md 12, P18).

Both may dial at once, or a player comes back before his old link has died. Both
sides have to choose the same link, each without asking the other.
"""

from __future__ import annotations


def newer_stays(
    *, older_dialled_by: bytes, newer_dialled_by: bytes, role_1: bytes | None
) -> bool:
    """Whether the newer of two authenticated links replaces the older.

    Keys say who dialled; ``role_1`` is role 1's key in the open game, None if
    there is none. The link that goes gets BYE 205.
    """
    if older_dialled_by == newer_dialled_by:
        return True
    preferred = role_1 or min(older_dialled_by, newer_dialled_by)
    return newer_dialled_by == preferred
