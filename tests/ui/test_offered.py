"""A line that a question offers: taken, replaced or edited."""

from __future__ import annotations

import pytest

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.screens.asking import Answer, Asking


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("enter",), "login"),
        (("A", "l", "a", "enter"), "Ala"),
        (("end", "2", "enter"), "login2"),
        (("right", "a", "enter"), "laogin"),
        (("backspace", "enter"), ""),
        (("delete", "x", "enter"), "x"),
        (("c-u", "A", "enter"), "A"),
        (("escape",), None),
    ],
)
def test_what_is_typed_replaces_what_is_offered(
    keys: tuple[str, ...], answer: str | None
) -> None:
    """As in a field whose text is marked; keys that walk make it one's own."""
    asking = Asking(Desk(), "Name", (), label="name:", text="login", offered=True)
    for key in keys:
        asking.key(key, 0.0)
    assert asking.done == Answer(answer)


def test_a_pasted_line_replaces_what_is_offered() -> None:
    """The second one is put behind it, as ever."""
    asking = Asking(Desk(), "Name", (), label="name:", text="login", offered=True)
    asking.paste("Ala", 0.0)
    asking.paste("n", 0.0)
    asking.key("enter", 0.0)
    assert asking.done == Answer("Alan")


def test_a_line_of_ones_own_is_gone_on_with() -> None:
    """What stands there without being offered was typed by the player."""
    asking = Asking(Desk(), "Join", (), label="address:", text="10.0.0")
    for key in (".", "1", "enter"):
        asking.key(key, 0.0)
    assert asking.done == Answer("10.0.0.1")
