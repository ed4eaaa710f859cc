"""The rules of a table in words, as a page."""

from __future__ import annotations

from crapette_p2p.engine.ruleset import RuleSet
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.rulebook import heading_of, sections
from crapette_p2p.ui.screens.reading import Reading
from crapette_p2p.ui.switches import difference_lines, nearest_preset
from crapette_p2p.ui.view import Row


def rules_page(desk: Desk, rules: RuleSet) -> Reading:
    """Every switch of the rule set, in sentences."""
    words = desk.words

    def rows(_: str) -> list[Row]:
        page: list[Row] = []
        changes = difference_lines(rules, words)
        if changes:
            preset = nearest_preset(rules)
            heading = words("These are house rules. Unlike {preset}:", preset=preset)
            page = [Row((heading,), "heading", indent=2)]
            page += [*(Row((text,)) for text in changes), Row(())]
        for section in sections(rules, words):
            page += [Row((section.heading,), "heading", indent=2)]
            page += [Row((text,)) for text in section.sentences]
            page.append(Row(()))
        return page

    return Reading(desk, heading_of(rules, words), rows)
