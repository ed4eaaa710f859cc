"""Bring the catalogues up to date, or say what is wrong with them (``--check``).

The template is made from the source (``sentences.py``), each ``LANG.po`` follows
the template and keeps its translations, each ``LANG.mo`` is compiled from its
``LANG.po``. All three are kept with the source: nothing is compiled to run it.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

sys.path.insert(0, str(Path(__file__).parent))
from sentences import PACKAGE, Finder, NotFollowedError

LOCALE = PACKAGE / "ui" / "locale"
TEMPLATE = LOCALE / "crapette.pot"
LANGUAGES = ("de", "fr", "pl", "ru")
NO_BREAK = "\u00a0"
ALONE = re.compile(r"(?<=\S) (?=[!?:;»]+(?:[\s).,»–]|$))|(?<=«) ")
"""A blank before a mark that ends something, or after an opening quotation mark."""
FIELD = re.compile(r"\{(\w+)(?:![rsa])?\}")
RULES = {
    "de": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && "
    "(n%100<12 || n%100>14) ? 1 : 2);",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
    "(n%100<12 || n%100>14) ? 1 : 2);",
}
HEADER = """# {language} sentences of Crapette P2P.
# Fields in braces stay as they are; commands and keys are not translated.
"""
NAMES = {"de": "German", "fr": "French", "pl": "Polish", "ru": "Russian"}


def template() -> str:
    """The template, in the order of the source."""
    lines = ["# Sentences of Crapette P2P, found by scripts/catalogues.", "", *_head()]
    for message, places in _found():
        lines += ["", *(f"#: {place}" for place in places)]
        lines.append(f"msgid {quoted(message[0])}")
        if len(message) == 2:
            lines.append(f"msgid_plural {quoted(message[1])}")
            lines += ['msgstr[0] ""', 'msgstr[1] ""']
        else:
            lines.append('msgstr ""')
    return "\n".join([*lines, ""])


def catalogue(lang: str) -> str:
    """The catalogue of a language, brought up to date with the template."""
    known = translations(lang)
    lines = [*(HEADER.format(language=NAMES[lang]) + "").splitlines(), *_head(lang)]
    forms = int(RULES[lang].split("nplurals=")[1][0])
    for message, places in _found():
        lines += ["", *(f"#: {place}" for place in places)]
        lines.append(f"msgid {quoted(message[0])}")
        said = known.get(message, ("",) * forms)
        said = tuple(typeset(lang, text) for text in said)
        if len(message) == 2:
            lines.append(f"msgid_plural {quoted(message[1])}")
            lines += [f"msgstr[{n}] {quoted(text)}" for n, text in enumerate(said)]
        else:
            lines.append(f"msgstr {quoted(said[0])}")
    return "\n".join([*lines, ""])


def typeset(lang: str, text: str) -> str:
    """The text with no-break blanks where its language wants them: French alone.

    Nothing is left alone at a line's end: ``« Crapette ! »``, ``Voir : crapette``.
    """
    if lang != "fr":
        return text
    return ALONE.sub(NO_BREAK, text)


def translations(lang: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """English (singular, or singular and plural) → what the catalogue says."""
    path = LOCALE / f"{lang}.po"
    if not path.exists():
        return {}
    return {_key(m.id): _key(m.string) for m in _read(path) if m.id}


def compiled(lang: str) -> bytes:
    """What ``LANG.mo`` has to hold: sorted, so that it depends on nothing else."""
    head = "\n".join([*_fields(lang), ""])
    table = {"\0".join(k): "\0".join(v) for k, v in translations(lang).items()}
    table = {"": head} | {key: text for key, text in table.items() if text.strip("\0")}
    pairs = sorted((key.encode(), text.encode()) for key, text in table.items())
    start = 28 + 16 * len(pairs)
    places, texts = [], b""
    for column in (0, 1):
        for pair in pairs:
            places += [len(pair[column]), start + len(texts)]
            texts += pair[column] + b"\0"
    sizes = (0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return struct.pack(f"<{7 + len(places)}I", *sizes, *places) + texts


def problems() -> Iterator[str]:
    """What is stale, missing, or does not fit its English sentence."""
    said = {message for message, _ in _found()}
    if {_key(m.id) for m in _read(TEMPLATE) if m.id} != said:
        yield "crapette.pot is stale: run scripts/catalogues"
    for lang in LANGUAGES:
        path = LOCALE / f"{lang}.po"
        if translations(lang).keys() != said:
            yield f"{lang}.po is stale: run scripts/catalogues"
        if (LOCALE / f"{lang}.mo").read_bytes() != compiled(lang):
            yield f"{lang}.mo is stale: run scripts/catalogues"
        forms = int(RULES[lang].split("nplurals=")[1][0])
        for message in _read(path):
            if message.id:
                yield from _wrong(lang, _key(message.id), _key(message.string), forms)
            texts = _key(message.string)
            if texts != tuple(typeset(lang, text) for text in texts):
                yield f"{lang}.po: blanks that may break: run scripts/catalogues"
            if message.fuzzy and message.id:
                yield f"{lang}.po: fuzzy: {message.id!r}"


def _wrong(
    lang: str, english: tuple[str, ...], said: tuple[str, ...], forms: int
) -> Iterator[str]:
    if not all(said):
        yield f"{lang}.po: missing: {english[0]!r}"
        return
    if len(english) == 2 and len(said) != forms:
        yield f"{lang}.po: {len(said)} plural forms, not {forms}: {english[0]!r}"
    fields = sorted(FIELD.findall(english[-1]))
    for text in said:
        if sorted(FIELD.findall(text)) != fields:
            yield f"{lang}.po: other fields: {english[0]!r}: {text!r}"
        if english[0][:1] in {" ", ";"} and text[:1] not in {" ", ";"}:
            yield f"{lang}.po: another edge: {english[0]!r}"


def update() -> None:
    """Write the template, the catalogues, and what they compile to."""
    LOCALE.mkdir(exist_ok=True)
    TEMPLATE.write_text(template(), "utf-8")
    for lang in LANGUAGES:
        (LOCALE / f"{lang}.po").write_text(catalogue(lang), "utf-8")
        (LOCALE / f"{lang}.mo").write_bytes(compiled(lang))


def quoted(text: str) -> str:
    """A text as a .po file writes it: a line of the text a line of the file."""
    pieces = text.splitlines(keepends=True) or [""]
    shown = [
        '"' + piece.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") + '"'
        for piece in pieces
    ]
    return shown[0] if len(shown) == 1 else "\n".join(['""', *shown])


def _found() -> list[tuple[tuple[str, ...], list[str]]]:
    found = Finder().messages()
    return [((m.one, m.many) if m.many else (m.one,), p) for m, p in found.items()]


def _fields(lang: str) -> list[str]:
    fields = [
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    if lang:
        fields = [f"Language: {lang}", *fields, f"Plural-Forms: {RULES[lang]}"]
    return fields


def _head(lang: str = "") -> list[str]:
    return ['msgid ""', 'msgstr ""', *(f'"{name}\\n"' for name in _fields(lang))]


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        lang = path.stem if path.stem in LANGUAGES else None
        return read_po(file, locale=lang, charset="utf-8")


def _key(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, (tuple, list)) else (str(text),)


def main(arguments: list[str]) -> int:
    """Write or check."""
    try:
        if "--check" not in arguments:
            update()
        found = list(problems())
    except NotFollowedError as unclear:
        found = [str(unclear)]
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
