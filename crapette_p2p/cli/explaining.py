"""Turn an error of this package into a message, a hint and an exit code."""

from __future__ import annotations

from crapette_p2p.cli import errors
from crapette_p2p.cli.output import excerpt
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.errors import CrapetteError, LogError, NoScreenError, NotationError
from crapette_p2p.net.failures import NetError, StorageError, exit_of_code
from crapette_p2p.ui.wording import explain as explain_failure


def explain(error: CrapetteError) -> tuple[str, str, int]:
    """What happened, what to do next, and what to exit with."""
    if isinstance(error, (NetError, StorageError)):
        failure = error.failure
        told = explain_failure(failure.code, failure.facts, words_in_force())
        return told.sentence, told.hint, int(failure.status)
    if isinstance(error, NoScreenError):
        sentence = words("this window is no console that a table can be drawn on")
        hint = words("Use Windows Terminal, or lines: crapette --plain")
        return sentence, hint, errors.NO_TERMINAL
    if isinstance(error, NotationError):
        return excerpt(error, 300), "", errors.USAGE
    if isinstance(error, LogError):
        return excerpt(error, 300), "", errors.BAD_LOG
    return excerpt(error, 300), "", int(exit_of_code(error.code))
