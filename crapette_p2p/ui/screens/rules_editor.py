"""Edit the rules of an open table: one list, changed with left and right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from crapette_p2p.engine.ruleset import MATCH_TARGETS, PRESETS, SWITCHES, RuleSet
from crapette_p2p.net.files import whole_or_gone
from crapette_p2p.session.commands import Terms
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.house_rules import TableRules, house_rules_toml
from crapette_p2p.ui.input.aliases import at_table
from crapette_p2p.ui.reasons import why_of
from crapette_p2p.ui.render.cells import pad
from crapette_p2p.ui.screens.asking import Answer, Asking
from crapette_p2p.ui.screens.rules_page import rules_page
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.switches import (
    NAMES,
    changed,
    difference_lines,
    differences,
    nearest_preset,
    refusal_of,
    value_text,
)
from crapette_p2p.ui.view import Choice, PageView, Row

PRESET: Final = "preset"
TARGET: Final = "target"
ASSIST: Final = "assist"
ROWS: Final = (PRESET, *SWITCHES, TARGET, ASSIST)
"""What can be changed, from the top."""
_LABEL_WIDTH: Final = 34
_UNNAMED: Final = ", house rules"
_DEALS: Final = (1, 2, 3, 5, 7)
_POINTS: Final = (1, 100, 200, 300, 500)
"""Lengths of a match that are offered; 1 is a single deal."""


class RulesEditor(Screen):
    """Every switch; ``done`` becomes the Terms that were chosen."""

    def __init__(self, desk: Desk, terms: Terms) -> None:
        super().__init__(desk)
        self.terms = terms
        self.at = 0
        self.over: Screen | None = None
        """A page over the list: the rules in words, or the name of a file."""
        self._said = ""
        self._wrong = False

    def view(self, now: float) -> PageView:
        """The list with the marked line in sight, or what lies over it."""
        if self.over is not None:
            self.over.size = self.size
            page = self.over.view(now)
            if isinstance(page, PageView):
                return page
        words, rules = self.desk.words, self.terms.rules
        count = len(difference_lines(rules))
        status = words.count(
            "{n} switch differs from {preset}",
            "{n} switches differ from {preset}",
            count,
            preset=nearest_preset(rules),
        )
        keys = (
            Choice("down", words("choose"), "↑↓"),
            Choice("right", words("change"), "←→"),
            Choice("r", words("read the rules")),
            Choice("s", words("save as a file")),
            Choice("escape", words("back"), "Esc"),
        )
        return PageView(
            title=words("Rules of this table"),
            status=status if count else self.terms.preset,
            rows=(Row(()), *(self._row(n) for n in range(len(ROWS)))),
            scroll=max(self.at - self.size[1] + 8, 0),
            message=(self._said,) if self._said else (),
            message_style="error" if self._wrong else "message",
            key_lines=(keys,),
        )

    def _row(self, number: int) -> Row:
        name, words = ROWS[number], self.desk.words
        labels = {
            PRESET: words("rules"),
            TARGET: words("length of the match"),
            ASSIST: words("hints and assistance"),
        }
        label = labels.get(name) or words(NAMES[name])
        sign = "►" if number == self.at else " "
        text = f"{sign} {pad(label, _LABEL_WIDTH)} ‹ {self._value(name)} ›"
        return Row((text,), "chosen" if number == self.at else "", f"row {number}")

    def _value(self, name: str) -> str:
        words, terms = self.desk.words, self.terms
        if name == PRESET:
            nearest = nearest_preset(terms.rules)
            same = PRESETS[nearest] == terms.rules
            return nearest if same else words("{preset}, changed", preset=nearest)
        if name == TARGET:
            return length_text(terms, self.desk)
        if name == ASSIST:
            return words("on") if terms.assist else words("off")
        return value_text(name, getattr(terms.rules, name), words)

    def key(self, key: str, now: float) -> None:
        """Walk, change, read, save, leave."""
        if self.over is not None:
            self.over.key(key, now)
            self._closed()
            return
        self._said, self._wrong = "", False
        key = at_table(key)
        if key in {"up", "down", "tab", "s-tab"}:
            self.at = (self.at + (1 if key in {"down", "tab"} else -1)) % len(ROWS)
        elif key in {"home", "end"}:
            self.at = 0 if key == "home" else len(ROWS) - 1
        elif key in {"left", "right", "enter", " "}:
            self._change(ROWS[self.at], -1 if key == "left" else 1)
        elif key.startswith("row "):
            self._pressed_row(int(key.removeprefix("row ")))
        elif key == "r":
            self.over = rules_page(self.desk, self.terms.rules)
        elif key == "s":
            self._ask_file()
        elif key in {"escape", "q", "c-c"}:
            self.done = self.terms

    def paste(self, text: str, now: float) -> None:
        """Into the name of a file."""
        if self.over is not None:
            self.over.paste(text, now)

    def wheel(self, step: int, now: float) -> None:
        """Scroll the rules, or walk."""
        if self.over is not None:
            self.over.wheel(step, now)
        else:
            self.key("down" if step > 0 else "up", now)

    def _pressed_row(self, number: int) -> None:
        if number == self.at:
            self._change(ROWS[number], 1)
        self.at = number

    def _change(self, name: str, step: int) -> None:
        terms = self.terms
        if name == PRESET:
            names = [*PRESETS]
            place = names.index(nearest_preset(terms.rules))
            if PRESETS[names[place]] == terms.rules:
                place = (place + step) % len(names)
            self._put_rules(PRESETS[names[place]])
        elif name == TARGET:
            self.terms = replace(terms, target=_next_target(terms, step))
        elif name == ASSIST:
            self.terms = replace(terms, assist=not terms.assist)
        else:
            self._put_rules(changed(terms.rules, name, step))

    def _put_rules(self, rules: RuleSet) -> None:
        """Play by these from now on, if they are lawful."""
        why = refusal_of(rules, self.desk.words)
        if why:
            self._said, self._wrong = why, True
            return
        terms = self.terms
        nearest = nearest_preset(rules)
        label = nearest
        if PRESETS[nearest] != rules:
            own = terms.preset not in PRESETS and not terms.preset.endswith(_UNNAMED)
            label = terms.preset if own else nearest + _UNNAMED
        one_deal = terms.target == 1 or rules.scoring == terms.rules.scoring
        target = terms.target if one_deal else MATCH_TARGETS[rules.scoring]
        self.terms = replace(terms, preset=label, rules=rules, target=target)

    # Saving ---------------------------------------------------------------------

    def _ask_file(self) -> None:
        words = self.desk.words
        self.over = Asking(
            self.desk,
            words("Save these rules"),
            [words("As a file of house rules, for: crapette host --rules FILE")],
            label=words("file:"),
            text="house-rules.toml",
            problem=self._saved,
        )

    def _saved(self, text: str) -> str | None:
        """Write the file; what went wrong, or None."""
        words, path = self.desk.words, Path(text.strip()).expanduser()
        if not text.strip():
            return words("What shall the file be called?")
        content = house_rules_toml(TableRules(self.terms.preset, self.terms.rules))
        try:
            with whole_or_gone(path), path.open("x", encoding="utf-8") as file:
                file.write(content)
        except FileExistsError:
            return words("There is such a file already: {path}", path=path)
        except (OSError, ValueError) as error:
            reason = why_of(error, words)
            return words("{path} cannot be written: {reason}", path=path, reason=reason)
        return None

    def _closed(self) -> None:
        """Back to the list once the page over it is done."""
        over = self.over
        if over is None or over.done is None:
            return
        self.over = None
        if isinstance(over.done, Answer) and over.done.text is not None:
            self._said = self.desk.words("Saved: {path}", path=over.done.text.strip())


def length_text(terms: Terms, desk: Desk) -> str:
    """How long is played, in words."""
    words = desk.words
    if terms.target <= 1:
        return words("one deal")
    if terms.rules.scoring == "hoyle":
        return words("match to {n} points", n=terms.target)
    return words("match to {n} won deals", n=terms.target)


def terms_text(terms: Terms, desk: Desk) -> str:
    """The rules in a few words; house rules say how many switches they change."""
    words = desk.words
    count = len(differences(terms.rules, nearest_preset(terms.rules)))
    parts = [terms.preset]
    if count:
        parts.append(words.count("{n} switch changed", "{n} switches changed", count))
    assist = words("on") if terms.assist else words("off")
    calls = words("calls on") if terms.rules.has_calls else words("calls off")
    parts += [length_text(terms, desk), calls, words("assist {state}", state=assist)]
    return " · ".join(parts)


def _next_target(terms: Terms, step: int) -> int:
    offered = _POINTS if terms.rules.scoring == "hoyle" else _DEALS
    if terms.target in offered:
        return offered[(offered.index(terms.target) + step) % len(offered)]
    above = [target for target in offered if target > terms.target]
    below = [target for target in offered if target < terms.target]
    return (above or offered)[0] if step > 0 else (below or offered)[-1]
