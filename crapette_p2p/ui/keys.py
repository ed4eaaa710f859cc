"""The toolkit's keys under our names, each given on at once.

Every key has a binding of its own, so that none of the toolkit's editing
bindings acts; none begins with Escape, so that Escape itself never waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

NAMES: Final = {
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.Escape: "escape",
    Keys.ControlI: "tab",
    Keys.BackTab: "s-tab",
    Keys.ControlH: "backspace",
    Keys.Delete: "delete",
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.PageUp: "pageup",
    Keys.PageDown: "pagedown",
    Keys.Home: "home",
    Keys.End: "end",
    Keys.F1: "f1",
    **{
        getattr(Keys, f"Control{letter}"): f"c-{letter.lower()}"
        for letter in "ABCDEFKLUW"
    },
}
"""Key of the toolkit → our name; all others do nothing."""
_LEFT_TO_TOOLKIT: Final = frozenset(
    {Keys.Any, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.CPRResponse}
    | {Keys.BracketedPaste, Keys.ControlZ, Keys.SIGINT, Keys.Ignore}
    | {Keys.ScrollUp, Keys.ScrollDown}
)


def bindings(
    *,
    key: Callable[[str], None],
    paste: Callable[[str], None],
    suspend: Callable[[], None],
    told: Callable[[str], None],
) -> KeyBindings:
    """Bindings that give on every key by our name and every paste as text.

    ``told`` gets what the terminal answers about its cursor.
    """
    made = KeyBindings()

    def bind(name: str) -> Callable[[KeyPressEvent], None]:
        def handler(_event: KeyPressEvent) -> None:
            key(name)

        return handler

    def ignore(_event: KeyPressEvent) -> None:
        return None

    for toolkit_key in Keys:
        if toolkit_key not in _LEFT_TO_TOOLKIT:
            name = NAMES.get(toolkit_key)
            made.add(toolkit_key, eager=True)(bind(name) if name else ignore)

    @made.add(Keys.Any)
    def _(event: KeyPressEvent) -> None:
        for char in event.data:
            if char.isprintable():
                key(char)

    @made.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        paste(event.data)

    @made.add(Keys.CPRResponse)
    def _(event: KeyPressEvent) -> None:
        told(event.data)

    @made.add(Keys.ControlZ)
    def _(_event: KeyPressEvent) -> None:
        suspend()

    return made
