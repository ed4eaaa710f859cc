"""Settings: the file, the environment, the flags, and the command over them."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import pytest

from crapette_p2p.cli.context import name_of, settings_of
from crapette_p2p.cli.running import parse
from crapette_p2p.net.files import SMALL
from crapette_p2p.ui.config_file import read_config, write_value
from crapette_p2p.ui.settings import (
    KEYS,
    Settings,
    default_of,
    parse_value,
    problem,
    settle,
)
from tests.cli.commands import Crapette


def test_order_is_flag_environment_config_default() -> None:
    """A flag beats the environment, which beats the file, which beats the default."""
    config = {"name": "File", "pace": 10, "theme": "mono"}
    environ = {"CRAPETTE_NAME": "Env", "CRAPETTE_PORT": "5000"}
    settled = settle(flags={"name": "Flag"}, environ=environ, config=config)
    got = settled.settings
    assert (got.name, got.port, got.pace, got.theme) == ("Flag", 5000, 10, "mono")
    assert got.bell is True
    assert settle(flags={}, environ=environ, config=config).settings.name == "Env"


@pytest.mark.parametrize(
    ("environ", "key", "value"),
    [
        ({"NO_COLOR": "1"}, "color", "never"),
        ({"NO_COLOR": ""}, "color", "auto"),
        ({"NO_COLOR": "1", "CRAPETTE_COLOR": "always"}, "color", "always"),
        ({"CRAPETTE_NO_ANIM": "1"}, "animation", False),
        ({"CRAPETTE_NO_ANIM": "0"}, "animation", True),
        ({"CRAPETTE_PLAIN": "yes"}, "plain", True),
        ({"CRAPETTE_ASCII": "off"}, "ascii", False),
        ({"CRAPETTE_LANG": "pl"}, "lang", "pl"),
    ],
)
def test_environment(environ: dict[str, str], key: str, value: object) -> None:
    """Each variable sets its key; an empty one sets nothing."""
    settled = settle(flags={}, environ=environ, config={})
    assert getattr(settled.settings, key) == value
    assert settled.warnings == ()


def test_speaking_is_line_mode() -> None:
    """``--speak`` alone is line mode with cards in words."""
    assert settle(flags={"speak": True}, environ={}, config={}).settings.plain


def test_values_that_do_not_fit_are_warned_about() -> None:
    """A wrong value falls back to the default and says so, wherever it stands."""
    settled = settle(
        flags={},
        environ={"CRAPETTE_PORT": "99999"},
        config={"pace": "fast", "theme": "pink", "mouse": 1},
    )
    assert settled.settings == Settings()
    assert len(settled.warnings) == 4
    assert settled.warnings[-1].startswith("CRAPETTE_PORT")


@pytest.mark.parametrize("key", KEYS)
def test_defaults_fit_their_own_rules(key: str) -> None:
    """Every default may be written into the file and read back."""
    assert problem(key, default_of(key)) is None


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("pace", "0", 0),
        ("bell", "OFF", False),
        ("name", "12", "12"),
        ("lang", "pl", "pl"),
    ],
)
def test_typed_values(key: str, text: str, value: object) -> None:
    """A typed text becomes a value of the key's own type."""
    assert parse_value(key, text) == value


@pytest.mark.parametrize(
    ("key", "text"), [("pace", "٣"), ("pace", "-1"), ("bell", "2"), ("nope", "x")]
)
def test_typed_values_that_do_not_fit(key: str, text: str) -> None:
    """What cannot stand under a key is refused with the reason."""
    with pytest.raises(ValueError, match=r".+"):
        parse_value(key, text)


def test_set_keeps_what_the_player_wrote(tmp_path: Path) -> None:
    """Setting a key leaves comments, order, tables and unknown keys alone."""
    path = tmp_path / "config.toml"
    path.write_text("# mine\npace = 3 # slow\nodd = 1\n[extra]\npace = 9\n")
    write_value(path, "pace", 700)
    write_value(path, "name", 'Ola "\\" ♥')
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# mine\npace = 700\nodd = 1\nname = ")
    table = tomllib.loads(text)
    assert table["pace"] == 700
    assert table["name"] == 'Ola "\\" ♥'
    assert table["extra"] == {"pace": 9}


def test_a_broken_file_starts_with_defaults(crapette: Crapette) -> None:
    """A file that is no TOML is named with its line; the command still runs."""
    crapette.home.mkdir()
    (crapette.home / "config.toml").write_text('name = "Ala"\npace = \n')
    done = crapette("config", "get", "name")
    assert (done.code, done.out) == (0, "\n")
    assert "line 2" in done.err
    assert "defaults" in done.err


def test_unknown_keys_warn(crapette: Crapette) -> None:
    """An unknown key is named with its line and does no harm."""
    crapette.home.mkdir()
    (crapette.home / "config.toml").write_text('name = "Ala"\ncolour = "red"\n')
    done = crapette("config", "get", "name")
    assert (done.code, done.out) == (0, "Ala\n")
    assert "line 2" in done.err
    assert "'colour'" in done.err
    assert crapette("-q", "config", "get", "name").err == ""


def test_not_text_is_no_config(tmp_path: Path) -> None:
    """Binary noise counts as an empty file with a warning."""
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe\x00")
    config = read_config(path)
    assert config.values == {}
    assert "UTF-8" in config.warnings[0]
    assert read_config(tmp_path).values == {}


def test_get_set_unset(crapette: Crapette) -> None:
    """A setting can be written, read, listed and taken back."""
    assert crapette("config", "set", "four_color", "on").code == 0
    assert crapette("config", "get", "four_color").out == "true\n"
    assert "four_color = true" in crapette("config").out.splitlines()
    assert crapette("config", "unset", "four_color").code == 0
    assert crapette("config", "get", "four_color").out == "false\n"
    assert crapette("config", "path").out == f"{crapette.home / 'config.toml'}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["set", "pace", "soon"], "whole number"),
        (["set", "port", "70000"], "65535"),
        (["set", "nmae", "Ala"], "name"),
        (["set", "name"], "number of arguments"),
        (["get", "name", "x"], "number of arguments"),
        (["set", "theme", "pink"], "high-contrast"),
    ],
)
def test_wrong_use(crapette: Crapette, arguments: list[str], said: str) -> None:
    """Wrong use ends with 2 and says what would be right."""
    done = crapette("config", *arguments)
    assert done.code == 2
    assert said in done.err


def test_edit_starts_the_editor(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``config edit`` runs the player's editor on the file."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "sh -c 'echo pace = 5 > \"$0\"'")
    assert crapette("config", "edit").code == 0
    assert crapette("config", "get", "pace").out == "5\n"
    monkeypatch.setenv("EDITOR", "no-such-editor-here")
    assert crapette("config", "edit").code == 2
    done = crapette("--config", "/dev/null/of/ours", "config", "edit")
    assert (done.code, "Not a directory" in done.err) == (2, True)


def test_the_name_falls_back_to_the_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player without a name in the settings has the login name."""
    monkeypatch.setenv("LOGNAME", "olek")
    args = parse(["--data-dir", str(tmp_path), "rules"])
    assert name_of(settings_of(args)) == "olek"
    args = parse(["--data-dir", str(tmp_path), "rules", "--name", "Ala"])
    assert name_of(settings_of(args)) == "Ala"


@pytest.mark.parametrize("login", ["a\x1bb", "x" * 40, ""])
def test_a_login_that_cannot_be_shown_is_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, login: str
) -> None:
    """A login name no peer would accept is replaced, not refused."""
    monkeypatch.setattr("getpass.getuser", lambda: login)
    args = parse(["--data-dir", str(tmp_path), "rules"])
    assert name_of(settings_of(args)) == "player"


def test_a_value_that_does_not_fit_is_named_with_its_line(crapette: Crapette) -> None:
    """Each is left out alone; the others count."""
    crapette.home.mkdir()
    lines = ("# mine", 'lang = "xx"', "pace = 20000", "port = 4750", "nope = 1")
    (crapette.home / "config.toml").write_text("\n".join(lines), encoding="utf-8")
    done = crapette("config", "get", "port")
    assert done.out == "4750\n"
    said = [line.partition("config.toml: ")[2] for line in done.err.splitlines()]
    assert said == [
        "line 2: lang has to be one of pl, ru, fr, de, en; ignored",
        "line 3: pace has to be between 0 and 10000; ignored",
        "line 5: no setting is called 'nope'; ignored",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_what_is_no_file_is_neither_waited_for_nor_replaced(
    tmp_path: Path, crapette: Crapette
) -> None:
    """As root a setting written to ``/dev/null`` would take it from everybody."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert crapette("--config", str(path), "config", "get", "port").out == "4747\n"
    done = crapette("--config", str(path), "config", "set", "port", "4749")
    assert (done.code, "it is no regular file" in done.err) == (2, True)
    assert stat.S_ISFIFO(path.lstat().st_mode)
    assert list(tmp_path.glob(".pipe*")) == []


def test_a_file_without_end_is_no_config(tmp_path: Path) -> None:
    """More than settings can be (``/dev/zero``) is not read to its end."""
    path = tmp_path / "large.toml"
    path.write_bytes(b"#" * (SMALL + 1))
    config = read_config(path)
    assert config.values == {}
    assert "File too large" in config.warnings[0]


@pytest.mark.parametrize("name", ["\x1b[31m", "x" * 21, "two  blanks"])
def test_a_name_for_no_table_is_not_kept(crapette: Crapette, name: str) -> None:
    """It would be refused by every table; it is refused where it is typed."""
    done = crapette("config", "set", "name", name)
    assert (done.code, done.out) == (2, "")
    assert "config: name has to be 1 to 20 letters" in done.err
    assert crapette("config", "get", "name").out == "\n"
