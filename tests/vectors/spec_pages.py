"""Makes the parts of ``protocol/spec`` that repeat the tables, so none can drift.

``scripts/tables`` writes them; ``test_tables.py`` fails where a page is not what
this module would write. A part stands between ``<!-- made by scripts/tables:
NAME -->`` and ``<!-- end -->``; the page of the session states is made whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

PROTOCOL: Final = Path(__file__).parents[2] / "protocol"
SPEC: Final = PROTOCOL / "spec"
_PART: Final = re.compile(
    r"(<!-- made by scripts/tables: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL
)


def table(name: str) -> dict[str, Any]:
    """One of ``protocol/tables``, by its name without the ending."""
    text = (PROTOCOL / "tables" / f"{name}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def markdown(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *([str(c) for c in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def describe(field: dict[str, Any]) -> str:
    """A field as the pages write it: name, type, range."""
    name, kind = field["name"], field["type"]
    if "value" in field:
        text = f'"{field["value"]}"'
    elif kind == "uint":
        text = f"{name} {_range(field['min'], field['max'])}"
    elif kind == "bin":
        size = field.get("length") or _range(field["min"], field["max"])
        text = f"{name} ({size} bytes)"
    elif kind == "str":
        text = f"{name} (text, {_range(field['min_bytes'], field['max_bytes'])} bytes)"
    elif "of" in field:
        inner = ", ".join(describe(item) for item in field["of"])
        text = f"{name} ({_range(field['min'], field['max'])} of [{inner}])"
    else:
        text = f"{name} ({_range(field['min'], field['max'])} byte strings)"
    return text + (" or nil" if field.get("or_nil") else "")


def _range(low: int, high: int) -> str:
    named = {2**63 - 1: "2^63-1", 2**32 - 1: "2^32-1"}
    return f"{low}..{named.get(high, f'{high:,}')}"


def error_codes() -> str:
    """Every code with who is to blame and what follows."""
    heads = ("code", "name", "what", "blame", "provable", "after", "exit")
    return markdown(
        heads,
        (
            (
                code["code"],
                f"`{code['name']}`",
                code["meaning"],
                code["blame"],
                "yes" if code["provable"] else "no",
                code["after"],
                code["exit"],
            )
            for code in table("error-codes")["codes"]
        ),
    )


def messages() -> str:
    """The catalogue of messages."""
    return markdown(
        ("type", "name", "from", "fields"),
        (
            (m["type"], m["name"], m["from"], ", ".join(map(describe, m["fields"])))
            for m in table("message-tags")["messages"]
        ),
    )


def event_types() -> str:
    """The bodies of the events."""
    return markdown(
        ("type", "name", "priority", "body"),
        (
            (e["type"], e["name"], e["priority"], _body(e["body"]))
            for e in table("event-types")["events"]
        ),
    )


def _body(fields: list[dict[str, Any]]) -> str:
    return ", ".join(map(describe, fields)) or "nothing"


def constants() -> str:
    """Limits and timers."""
    return markdown(
        ("name", "value", "unit", "what"),
        (
            (f"`{c['name']}`", _number(c["value"]), c["unit"], c["meaning"])
            for c in table("constants")["constants"]
        ),
    )


def _number(value: int) -> str:
    return "2^63-1" if value == 2**63 - 1 else f"{value:,}"


def record_kinds() -> str:
    """The kinds of records in a log file."""
    return markdown(
        ("kind", "name", "body", "what"),
        (
            (k["kind"], k["name"], ", ".join(k["body"]), k["meaning"])
            for k in table("record-kinds")["kinds"]
        ),
    )


def presets() -> str:
    """The presets with their arrays and hashes."""
    return markdown(
        ("preset", "array", 'H("crapette/1/rules\\0" ‖ bytes)'),
        (
            (
                f"`{p['name']}`",
                " ".join(map(str, p["array"])),
                f"`{p['hash'][:32]}` `{p['hash'][32:]}`",
            )
            for p in table("switches")["presets"]
        ),
    )


def refusals() -> str:
    """Why the rules refuse an action."""
    rows = table("refusals")["refusals"]
    return markdown(("code", "when"), ((f"`{r['code']}`", r["when"]) for r in rows))


def log_faults() -> str:
    """What can be wrong with a record of a log."""
    rows = table("log-faults")["faults"]
    return markdown(("word", "when"), ((f"`{r['code']}`", r["when"]) for r in rows))


PARTS: Final[dict[str, Callable[[], str]]] = {
    "constants": constants,
    "error-codes": error_codes,
    "event-types": event_types,
    "log-faults": log_faults,
    "messages": messages,
    "presets": presets,
    "record-kinds": record_kinds,
    "refusals": refusals,
}


def _diagram(states: set[str], transitions: list[dict[str, str]]) -> str:
    lines = [
        f"    {t['from']} --> {t['to']}: {t['on'].replace(':', ' –')}\n"
        for t in transitions
        if t["from"] in states and t["to"] in states
    ]
    return "```mermaid\nstateDiagram-v2\n" + "".join(lines) + "```\n"


def session_states() -> str:
    """The whole page of the session states."""
    found = table("session-states")
    states, transitions = found["states"], found["transitions"]
    phases = {s["name"]: s["phase"] for s in states}
    login = {s for s, phase in phases.items() if phase in ("link", "login")}
    lobby = {s for s, phase in phases.items() if phase == "lobby"} | {"game"}
    game = {s for s, phase in phases.items() if phase == "game"} | {"LOBBY"}
    always = [t for t in transitions if t["from"] == "any"]
    return (
        "# 61 Session states\n\n"
        "This page is made from `../tables/session-states.json` by `scripts/tables`.\n"
        "`game` stands for whichever state of a game the log is in.\n\n"
        "## 1 Login\n\n" + _diagram(login | {"RESUMING"}, transitions) + "\n"
        "## 2 Lobby\n\n" + _diagram(lobby | {"COMMIT"}, transitions) + "\n"
        "## 3 A deal\n\n" + _diagram(game | {"PROPOSED"}, transitions) + "\n"
        "## 4 From every state\n\n"
        + markdown(("on", "to"), ((t["on"], t["to"]) for t in always))
        + "\n## 5 What may arrive\n\n"
        + f"Everything else is 104. BYE {found['bye']}.\n\n"
        + markdown(
            ("state", "what it is", "may arrive"),
            ((s["name"], s["meaning"], _arrivals(s["may_arrive"])) for s in states),
        )
        + "\n## 6 Conditions\n\n"
        + markdown(("condition", "holds"), found["conditions"].items())
    )


def _arrivals(allowed: dict[str, str]) -> str:
    named = [m if c == "always" else f"{m} ({c})" for m, c in allowed.items()]
    return ", ".join(named) or "nothing"


def fresh_pages() -> dict[Path, str]:
    """Every page that holds made parts, as it has to read."""
    pages = {SPEC / "61-session-states.md": session_states()}
    for path in sorted(SPEC.glob("*.md")):
        text = path.read_text("utf-8")
        if _PART.search(text):
            pages[path] = _PART.sub(lambda m: m[1] + PARTS[m[2]]() + m[3], text)
    return pages


def main() -> None:
    """Write the pages anew."""
    for path, text in fresh_pages().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
