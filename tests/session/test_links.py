"""Two links to one player: both sides keep the same one (P18)."""

from __future__ import annotations

from crapette_p2p.session.links import newer_stays

A, B = b"\x01" * 32, b"\x02" * 32


def test_a_newer_link_of_the_same_dialler_replaces_the_older() -> None:
    """He came back before his old link had died."""
    for key in (A, B):
        assert newer_stays(older_dialled_by=key, newer_dialled_by=key, role_1=B)


def test_in_a_game_the_link_dialled_by_role_1_stays() -> None:
    """Whichever came first, both sides choose the same."""
    assert newer_stays(older_dialled_by=A, newer_dialled_by=B, role_1=B)
    assert not newer_stays(older_dialled_by=B, newer_dialled_by=A, role_1=B)
    assert newer_stays(older_dialled_by=B, newer_dialled_by=A, role_1=A)


def test_without_a_game_the_smaller_key_decides() -> None:
    """The link dialled by the smaller key stays."""
    assert newer_stays(older_dialled_by=B, newer_dialled_by=A, role_1=None)
    assert not newer_stays(older_dialled_by=A, newer_dialled_by=B, role_1=None)
