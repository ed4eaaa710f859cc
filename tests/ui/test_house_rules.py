"""House rules: edited at an open table, saved, and told to whoever sits down."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.engine.ruleset import PRESETS, SWITCHES, RuleSet, problem
from crapette_p2p.session.commands import Terms
from crapette_p2p.session.notices import TermsProposed
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.house_rules import TableRules, find_rules, house_rules_toml
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.screens.meeting import Terms as Question
from crapette_p2p.ui.screens.rules_editor import ROWS, RulesEditor
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.switches import NAMES, changed, difference_lines, nearest_preset
from tests.helpers.fullness import files_end_at
from tests.ui.test_meeting import GENESIS, text

SUNDAY = replace(
    PRESETS["crapette"],
    reserve_size=11,
    enforcement="forbid",
    space_sources=frozenset({"reserve"}),
)


def editor(preset: str = "crapette", **changes: object) -> RulesEditor:
    """The editor of a table that plays by a preset."""
    terms = Terms(preset=preset, rules=PRESETS[preset])
    return RulesEditor(Desk(), replace(terms, **changes))  # type: ignore[arg-type] # fields by name


def typed(screen: Screen, *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        screen.key(key, 0.0)


def at(screen: RulesEditor, name: str) -> RulesEditor:
    """The editor with the mark on a line."""
    screen.at = ROWS.index(name)
    return screen


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_switch_can_be_changed_and_set_back(switch: str) -> None:
    """Right walks through the values of a switch, and comes back to the first."""
    rules, seen = PRESETS["crapette"], [PRESETS["crapette"]]
    while (rules := changed(rules, switch, 1)) != seen[0]:
        seen.append(rules)
    assert len({str(getattr(entry, switch)) for entry in seen}) == len(seen) >= 2
    assert changed(changed(rules, switch, -1), switch, 1) == rules
    screen = at(editor(), switch)
    before = text(screen)
    typed(screen, "right")
    assert text(screen) != before
    assert NAMES[switch] in before


@pytest.mark.parametrize("preset", PRESETS)
def test_no_lawless_rules_can_be_made(preset: str) -> None:
    """Whatever is pressed, what is proposed is a lawful rule set."""
    screen = editor(preset)
    for _ in range(3):
        for name in ROWS:
            for key in ("right", "left", "right"):
                typed(at(screen, name), key)
                assert problem(screen.terms.rules) is None


def test_a_refused_combination_is_explained() -> None:
    """Both switches are named, and nothing has changed."""
    screen = at(editor(), "foundation_duty")
    typed(screen, "right")
    shown = text(screen)
    assert 'Refused: "the reserve\'s card goes up first" needs' in shown
    assert "foundations have to be served" in shown
    assert screen.terms.rules == PRESETS["crapette"]
    typed(screen, "down")
    assert "Refused" not in text(screen)


def test_the_preset_is_chosen_in_the_first_line() -> None:
    """From house rules it first goes back to the nearest preset."""
    screen = at(editor(rules=SUNDAY), "preset")
    assert "crapette, changed" in text(screen)
    assert "3 switches differ from crapette" in text(screen)
    typed(screen, "right")
    assert screen.terms.rules == PRESETS["crapette"]
    typed(screen, "right")
    assert (screen.terms.preset, screen.terms.rules) == (
        ("garibaldka", PRESETS["garibaldka"])
    )


def test_switches_out_of_sight_are_counted() -> None:
    """Nothing else would tell a newcomer that there is more above or below."""
    screen = editor()
    rows = screen.draw(80, 24, 0.0).text()
    shown = sum("‹" in row for row in rows)
    assert shown < len(ROWS)
    assert rows[-3].rstrip().endswith(f"↓ {len(ROWS) - shown}")
    assert "↑" not in "".join(rows[:3])
    typed(screen, "end")
    rows = screen.draw(80, 24, 0.0).text()
    shown = sum("‹" in row for row in rows)
    assert rows[1].rstrip().endswith(f"↑ {len(ROWS) - shown}")
    assert "↓ " not in rows[-3]
    whole = "".join(screen.draw(80, 40, 0.0).text()[:-1])
    assert "↓" not in whole
    assert "↑" not in whole


def test_a_match_is_counted_as_its_rules_count() -> None:
    """Points become deals where the scoring is changed."""
    screen = at(editor(target=300), "target")
    assert "match to 300 points" in text(screen)
    typed(screen, "right")
    assert screen.terms.target == 500
    typed(at(screen, "scoring"), "right")
    assert screen.terms.target == 1
    typed(at(screen, "target"), "right")
    assert "match to 2 won deals" in text(screen)
    typed(screen, "escape")
    assert screen.done == screen.terms


def test_rules_are_saved_as_a_file_that_is_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``s`` asks for a name; an existing file is left alone."""
    monkeypatch.chdir(tmp_path)
    screen = at(editor(rules=SUNDAY), "starter")
    typed(screen, "right", "s", "enter")
    assert "Saved: house-rules.toml" in text(screen)
    found = find_rules("house-rules.toml")
    assert (found.rules, found.label) == (screen.terms.rules, "crapette, house rules")
    typed(screen, "s", "enter")
    assert "There is such a file already" in text(screen)
    typed(screen, "escape")
    assert "Rules of this table" in text(screen)


@pytest.mark.parametrize("name", ["", "no/such/place.toml", "."])
def test_what_cannot_be_saved_is_said(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question stays, with the reason."""
    monkeypatch.chdir(tmp_path)
    screen = editor()
    typed(screen, "s", *["backspace"] * 20)
    screen.paste(name, 0.0)
    typed(screen, "enter")
    assert screen.over is not None
    typed(screen, "escape")
    assert [*tmp_path.iterdir()] == []


def test_half_a_file_of_rules_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the same name does once there is room."""
    monkeypatch.chdir(tmp_path)
    screen = at(editor(rules=SUNDAY), "starter")
    with files_end_at(10):
        typed(screen, "s", "enter")
    assert "house-rules.toml cannot be written" in text(screen)
    assert [*tmp_path.iterdir()] == []
    typed(screen, "enter")
    assert "Saved: house-rules.toml" in text(screen)


@pytest.mark.parametrize("rules", [*PRESETS.values(), SUNDAY, RuleSet(scoring="deal")])
def test_a_written_file_says_the_same(rules: RuleSet, tmp_path: Path) -> None:
    """Writing and reading give the same rules, presets by their names."""
    path = tmp_path / "x.toml"
    path.write_text(house_rules_toml(TableRules("Zagroda", rules)), encoding="utf-8")
    assert find_rules(str(path)) == TableRules("Zagroda", rules)


def test_presets_differ_from_none() -> None:
    """A preset is its own nearest one, with nothing to be told."""
    for name, rules in PRESETS.items():
        assert (nearest_preset(rules), difference_lines(rules)) == (name, [])


@pytest.mark.parametrize("size", [(80, 24), (60, 18), (120, 40)])
def test_the_joiner_is_told_how_house_rules_differ(size: tuple[int, int]) -> None:
    """Before agreeing, whatever the rules are called; the answers stay in sight."""
    genesis = replace(GENESIS, preset="crapette", rules=SUNDAY)
    screen = Question(Desk(), genesis, 0.0)
    shown = "\n".join(screen.draw(*size, 10.0).text())
    assert "These are house rules. Unlike crapette:" in shown
    told = "cards in the reserve: 11 (in crapette: 13)" in shown
    assert told or "and 3 more (r)" in shown
    assert "not today" in shown
    screen.key("r", 10.0)
    assert "an offence: is refused" in "\n".join(screen.draw(100, 40, 10.0).text())


def test_many_differences_leave_room_for_the_answers() -> None:
    """Those that do not fit are counted; the page of rules has them all."""
    rules = RuleSet(
        reserve_size=12,
        starter="higher",
        ace_high_for_start=True,
        own_waste_playable=True,
        win_needs_tableau="all8",
        stop_window="action",
        wrong_call="no-more-this-turn",
    )
    screen = Question(Desk(), replace(GENESIS, rules=rules), 0.0)
    shown = "\n".join(screen.draw(60, 18, 10.0).text())
    assert "more (r)" in shown
    assert "not today" in shown


def test_the_line_mode_tells_them_too() -> None:
    """One line a switch, before the question; a preset has none."""
    narrator = Narrator()
    plain = narrator.tell(TermsProposed(GENESIS))
    told = narrator.tell(TermsProposed(replace(GENESIS, rules=SUNDAY)))
    assert len(plain) == 1
    assert told[1:] == [
        "these are house rules. unlike crapette:",
        "cards in the reserve: 11 (in crapette: 13).",
        "spaces are filled from: reserve (in crapette: drawn card, reserve, columns).",
        "an offence: is refused (in crapette: the opponent calls Stop!).",
    ]
