"""What other programs got wrong on Windows, as far as it can be tried elsewhere."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from prompt_toolkit import output

from crapette_p2p.cli.explaining import explain
from crapette_p2p.errors import NoScreenError
from crapette_p2p.ui.terminal import make_output


def test_pitfall_33_a_window_that_is_no_console(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """git-bash on Windows: one sentence and what to use instead, exit 3."""

    class NoConsoleScreenBufferError(Exception):
        """What the toolkit raises there."""

    def create() -> None:
        raise NoConsoleScreenBufferError

    windows = SimpleNamespace(NoConsoleScreenBufferError=NoConsoleScreenBufferError)
    monkeypatch.setitem(sys.modules, "prompt_toolkit.output.win32", windows)
    monkeypatch.setattr(output, "create_output", create)
    with monkeypatch.context() as there:
        there.setattr(sys, "platform", "win32")
        with pytest.raises(NoScreenError) as raised:
            make_output()
    sentence, hint, exit_code = explain(raised.value)
    assert exit_code == 3
    assert "no console" in sentence
    assert "Windows Terminal" in hint
    assert "--plain" in hint
