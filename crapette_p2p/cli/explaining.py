"""Turn an error of this package into a message, a hint and an exit code."""

from __future__ import annotations

import shlex

from crapette_p2p.cli import errors
from crapette_p2p.cli.output import excerpt
from crapette_p2p.cli.speaking import words, words_in_force
from crapette_p2p.errors import (
    CrapetteError,
    IllegalMove,
    LogError,
    NoScreenError,
    NotationError,
)
from crapette_p2p.net.address import AddressError
from crapette_p2p.net.failures import NetError, StorageError, exit_of_code
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.refusals import refusal_sentence
from crapette_p2p.ui.telling import told
from crapette_p2p.ui.wording import explain as explain_failure


def sentence_of(error: CrapetteError) -> str:
    """What is wrong with an input or a file, in the language of this run."""
    if isinstance(error, IllegalMove):
        said = refusal_sentence(error.refusal, words_in_force())
        return f"{said} ({error.refusal})"
    return excerpt(told(error, words_in_force()), 300)


def system_reason(error: Exception) -> str:
    """What the system says about a file, in the language of this run."""
    return excerpt(why_of(error, words_in_force()))


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
    if isinstance(error, AddressError):
        code, facts = f"address-{error.problem}", {"token": error.token}
        said = explain_failure(code, facts, words_in_force())
        return said.sentence, said.hint, errors.USAGE
    if isinstance(error, NotationError):
        return sentence_of(error), "", errors.USAGE
    if isinstance(error, LogError):
        return sentence_of(error), _more_about(error.source), errors.BAD_LOG
    return excerpt(error, 300), "", int(exit_of_code(error.code))


def _more_about(source: str) -> str:
    """The command that says all there is to say of a damaged log."""
    if not source:
        return words("See your games: crapette games")
    return words(
        "More: crapette verify {source}", source=excerpt(shlex.quote(source), 200)
    )
