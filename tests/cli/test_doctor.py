"""``crapette doctor``: what it looks at, and giving a terminal back."""

from __future__ import annotations

import json
import os
import socket

import pytest

from crapette_p2p.ui.leftover import RESET
from tests.cli.commands import Crapette


def checks(crapette: Crapette) -> dict[str, dict[str, object]]:
    """The checks by name (the last address, where there are several)."""
    answer = json.loads(crapette("doctor", "--json").out)
    assert answer["v"] == 1
    return {check["name"]: check for check in answer["checks"]}


def test_everything_is_looked_at(crapette: Crapette) -> None:
    """Terminal, encoding, config, files, key, players, addresses, port, discovery."""
    found = checks(crapette)
    names = "program terminal encoding config files key players address port discovery"
    assert set(names.split()) <= set(found)
    text = crapette("doctor").out
    assert text.startswith("ok  program    crapette ")
    assert not list(crapette.home.rglob("*"))


def test_trouble_is_named_with_what_helps(crapette: Crapette) -> None:
    """A broken config, an exposed key and a damaged list of players are found."""
    crapette.home.mkdir()
    (crapette.home / "config.toml").write_text("pace = \n")
    key = crapette.home / "identity.key"
    key.write_text("nothing")
    key.chmod(0o644)
    found = checks(crapette)
    assert found["config"]["ok"] is False
    assert "line 1" in str(found["config"]["detail"])
    assert found["key"]["ok"] is False
    assert found["players"]["ok"] is True
    (crapette.home / "peers.toml").write_text("[[peer]]\nkey = 1\n")
    found = checks(crapette)
    assert found["players"]["ok"] is False
    assert "peers.toml is damaged" in str(found["players"]["detail"])
    assert "Mend it" in str(found["players"]["hint"])
    assert crapette("doctor").code == 0


def test_a_busy_port_is_named(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the usual port is taken, the next step is offered."""
    with socket.socket() as busy:
        busy.bind(("0.0.0.0", 0))  # noqa: S104 - as a table would take it
        busy.listen()
        monkeypatch.setenv("CRAPETTE_PORT", str(busy.getsockname()[1]))
        found = checks(crapette)
    assert found["port"]["ok"] is False
    assert "--port 0" in str(found["port"]["hint"])


def test_reset_gives_the_terminal_back(crapette: Crapette) -> None:
    """The strings leave the other screen, mouse reports, and the hidden cursor."""
    assert crapette("doctor", "--reset").out == RESET
    for part in ("?1049l", "?1000l", "?1002l", "?1003l", "?1006l", "?25h"):
        assert part in RESET


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written(crapette: Crapette) -> None:
    """Where nothing can be kept, another place is offered."""
    crapette.home.mkdir(mode=0o500)
    found = checks(crapette)
    assert found["files"]["ok"] is False


@pytest.mark.parametrize("lang", ["en", "pl", "ru", "fr", "de"])
def test_nothing_is_wider_than_a_terminal(crapette: Crapette, lang: str) -> None:
    """What was found is wrapped; what is to be copied, and paths, stay whole."""
    lines = crapette("--lang", lang, "doctor").out.splitlines()
    wide = [line for line in lines if len(line) > 79]
    assert not [
        line for line in wide if str(crapette.home) not in line and line[0] != " "
    ]
