"""The command line in five languages: help, complaints, where the choice is made."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from crapette_p2p.cli.parser import COMMANDS, build_parser, fill_all
from crapette_p2p.cli.speaking import speaking
from tests.cli.commands import Crapette

LANGUAGES = ("pl", "ru", "fr", "de")


@pytest.mark.parametrize("lang", [*LANGUAGES, "en"])
def test_help_fits_a_screen(crapette: Crapette, lang: str) -> None:
    """24 rows of 80, with every command and every flag, in each language."""
    page = crapette("--lang", lang, "--help").out
    english = crapette("--help").out
    lines = page.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert all(command in page for command in COMMANDS)
    flags = [word for word in english.split() if word.startswith("--")]
    assert all(flag in page for flag in flags)
    assert (page == english) == (lang == "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_commands_help_is_translated(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Summary, headings and the line of every flag; nothing wider than 80."""
    monkeypatch.delenv("COLUMNS", raising=False)
    parser = fill_all(build_parser())
    for action in parser._actions:
        for command in (action.choices or {}) if action.dest == "command" else {}:
            child = action.choices[command]  # type: ignore[index] # a dictionary of parsers
            english = child.format_help()
            with speaking([f"--lang={lang}"]):
                page = child.format_help()
            assert page != english
            assert max(map(len, page.splitlines())) <= 80
            assert "show this help" not in page
            assert "Options of every" not in page
            assert not {"FILE", "DIR", "ADDRESS"} & {*re.findall(r"[A-Z]+", page)}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_usage_is_in_the_language_too(lang: str, crapette: Crapette) -> None:
    """As the command prints it, without the flags of every command."""
    page = crapette("--lang", lang, "verify", "--help").out
    usage = page.split("\n\n", 1)[0]
    file = {"de": "DATEI", "fr": "FICHIER", "pl": "PLIK", "ru": "ФАЙЛ"}[lang]
    assert f"{file} [{file} ...]" in usage
    assert "--no-mouse" not in usage
    assert page.count("FILE") == 0
    assert file in crapette("--lang", lang, "verify").err


@pytest.mark.parametrize(
    ("lang", "arguments", "text"),
    [
        ("pl", ["jion"], "nie ma polecenia 'jion'; może join?"),
        ("ru", ["join"], "join: какой стол?"),
        ("fr", ["host", "--port"], "--port demande une valeur"),
        ("de", ["host", "--nonsense"], "dieses Argument gibt es nicht: --nonsense"),
        ("de", ["--nonsense", "host"], "dieses Argument gibt es nicht: --nonsense"),
        ("en", ["--nonsense", "host"], "there is no such argument: --nonsense"),
        ("en", ["host", "--nonsense"], "there is no such argument: --nonsense"),
        ("en", ["bot", "--seed", "x"], "--seed needs a whole number, not 'x'"),
        ("en", ["host", "--match", "1.5"], "--match needs a whole number, not '1.5'"),
        ("en", ["host", "--think", "x"], "--think needs a whole number, not 'x'"),
        ("en", ["lan", "--wait", "x"], "--wait needs a number, not 'x'"),
        ("de", ["verify", "--jobs", "x", "f"], "--jobs braucht eine ganze Zahl"),
        ("pl", ["games", "show"], "action: 'show' nie jest żadnym z"),
        ("de", ["join", "host:"], "kein"),
        ("ru", ["verify", "nowhere"], "нет файла или игры nowhere"),
    ],
)
def test_complaints(
    crapette: Crapette, lang: str, arguments: list[str], text: str
) -> None:
    """What is wrong is said in the language of the line."""
    done = crapette("--lang", lang, "--no-input", *arguments)
    assert done.code != 0
    assert text in done.err


@pytest.mark.parametrize(
    ("arguments", "environ", "config", "text"),
    [
        (["--lang", "fr"], {"CRAPETTE_LANG": "pl"}, "de", "Aucune partie"),
        ([], {"CRAPETTE_LANG": "pl", "LANG": "ru_RU"}, "de", "Nikt tu"),
        ([], {"LANG": "ru_RU.UTF-8"}, "de", "Hier wurde"),
        ([], {"LC_ALL": "ru_RU.UTF-8"}, "", "Здесь"),
        ([], {"LC_ALL": "xx_YY@nowhere"}, "", "No game"),
        ([], {"CRAPETTE_LANG": "xx"}, "", "No game"),
        ([], {}, "", "No game"),
        (["--json"], {"LC_ALL": "pl_PL"}, "", '"games":0'),
    ],
)
def test_where_the_language_comes_from(
    crapette: Crapette,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    environ: dict[str, str],
    config: str,
    text: str,
) -> None:
    """Flag, environment, config, locale, in that order; none that fails."""
    for name in ("CRAPETTE_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "CRAPETTE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    if config:
        crapette.home.mkdir(exist_ok=True)
        (crapette.home / "config.toml").write_text(f'lang = "{config}"\n')
    done = crapette("stats", *arguments)
    assert done.code == 0
    assert text in done.out


def test_english_help_opens_no_catalogue() -> None:
    """No file is read for a language that stands in the source."""
    code = (
        "import sys, gettext; gettext.GNUTranslations = None;"
        "from crapette_p2p.cli import main; main(['--lang', 'en', '--help'])"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, timeout=60
    )
