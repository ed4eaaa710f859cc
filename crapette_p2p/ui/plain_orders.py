"""The palette's words in line mode: typed like there, with or without the colon.

The language and the name are settings as they are on the screen, and are kept. What
only a screen has is said to be that, so that nobody waits for it to do something.
"""

from __future__ import annotations

from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.language import Words
from crapette_p2p.ui.play.about import save_copy
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.typed import LOG, SCREEN_ONLY


def order_lines(
    name: str, argument: str, *, desk: Desk, log_path: str | None
) -> list[str]:
    """Carry out one of ``typed.ORDERS``; what is to be said about it."""
    if name == LOG:
        return [_saved(argument, log_path, desk.words)]
    if name in SCREEN_ONLY:
        text = "{word} is about the screen: lines stay as they are."
        return [desk.words(text, word=name)]
    try:
        if argument:
            desk.change(name, argument)
    except ValueError as wrong:  # NotKeptError too: in force all the same
        return [f"{name}: {desk.words(str(wrong))}"]
    return [f"{name}: {getattr(desk.settings, name)}"]


def _saved(wanted: str, log_path: str | None, words: Words) -> str:
    try:
        return words("saved: {path}", path=save_copy(log_path, wanted))
    except OSError as error:
        why = why_of(error, words)
        return words("Not saved: {why}", why=f"{wanted}: {why}" if wanted else why)
