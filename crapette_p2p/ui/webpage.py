"""**Pure**: a game → a web page that steps through it with the viewer's keys.

A page holds everything it shows and loads nothing; what players wrote stands in it
as text only. Each position is a figure, of which one is shown.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from crapette_p2p.engine.layout import Seat, other
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.picture import (
    ALL_FACES,
    HEIGHT,
    STYLE,
    WIDTH,
    Shot,
    cards,
    sides,
    table,
)


def page(
    shots: Iterable[Shot],
    names: Sequence[str],
    *,
    title: str,
    bottom: int = 0,
    words: Words = ENGLISH,
) -> Iterator[str]:
    """The page in pieces."""
    head = _HEAD.replace("@LANG@", words.lang).replace("@MOVE@", _said(words("move")))
    yield head.replace("@STYLE@", STYLE + _STYLE).replace("@TITLE@", html.escape(title))
    yield f'<svg class="defs">{cards(ALL_FACES)}</svg>\n'
    for number, shot in enumerate(shots):
        yield _figure(number, shot, names, Seat(bottom))
    script = _SCRIPT.replace("@TURN@", _quoted(words("turn {n}")))
    script = script.replace("@FIND@", _quoted(words("find:")))
    yield f"{_keys(words)}<script>{script}</script></body></html>\n"


def _said(text: str) -> str:
    return html.escape(text)


def _quoted(text: str) -> str:
    """A text as JavaScript writes it, which ends no script."""
    return json.dumps(text).replace("<", "\\u003c")


def _keys(words: Words) -> str:
    """What the keys do, under the table."""
    keys = (
        (words("Space"), words("play")),
        ("← →", words("move")),
        ("[ ]", words("turn")),
        ("PgUp PgDn", words("ten turns")),
        ("Home End", words("ends")),
        ("23 G", words("turn {n}", n=23)),
        ("+ - =", words("speed")),
        ("!", words("next Stop!")),
        ("f", words("flip")),
        ("/", words("find")),
        ("n N", words("next, previous")),
    )
    told = ", ".join(f"<kbd>{_said(key)}</kbd> {_said(does)}" for key, does in keys)
    return f"<p>{told}</p>\n"


def _figure(number: int, shot: Shot, names: Sequence[str], bottom: Seat) -> str:
    ours = "".join(sides(shot, names, bottom))
    theirs = "".join(sides(shot, names, other(bottom)))
    call = ' data-call="1"' if shot.is_call else ""
    shown = ' class="on"' if number == 0 else ""
    return (
        f'<figure data-turn="{shot.turn}"{call}{shown}>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(table(shot))}'
        f'<g class="ours">{ours}</g><g class="theirs">{theirs}</g></svg>'
        f"<figcaption>{html.escape(shot.caption)}</figcaption></figure>\n"
    )


_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{font-family:sans-serif;margin:.5em auto;max-width:66em;padding:0 1em}"
    "h1{font-size:1.1em;margin:.3em 0;overflow-wrap:anywhere}"
    ".defs{position:absolute;width:0;height:0}input{width:100%;margin:.2em 0}"
    "figure{display:none;margin:0}figure.on{display:block}"
    "figure svg{display:block;width:100%;max-height:78vh}"
    "figcaption{font-weight:bold;min-height:1.3em;overflow-wrap:anywhere}"
    ".theirs,.flip .ours{display:none}.flip .theirs{display:inline}"
    "kbd{font:bold 1em sans-serif}p{margin:.3em 0;font-size:.85em}#state{float:right}"
)
_HEAD: Final = """\
<!doctype html>
<html lang="@LANG@"><head><meta charset="utf-8"><title>@TITLE@</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>@STYLE@</style>
</head><body><h1><span id="state"></span>@TITLE@</h1>
<input type="range" id="at" min="0" value="0" aria-label="@MOVE@">
"""
_SCRIPT: Final = r"""
"use strict";
const shots = [...document.querySelectorAll("figure")], last = shots.length - 1;
const at = document.getElementById("at"), state = document.getElementById("state");
let place = 0, speed = 1, timer = 0, number = "", wanted = "";
const turnOf = (i) => Number(shots[Math.min(i + 1, last)].dataset.turn);
const textOf = (i) => shots[i].querySelector("figcaption").textContent;
function go(to) {
  shots[place].classList.remove("on");
  place = Math.min(Math.max(to, 0), last);
  shots[place].classList.add("on");
  at.value = place;
  const run = timer ? "► " : "";
  const turn = @TURN@.replace("{n}", turnOf(place));
  state.textContent = `${run}${place}/${last}, ${turn}, ${speed}×`;
}
function beginOf(turn) {
  const next = shots.findIndex((s, i) => i > 0 && Number(s.dataset.turn) >= turn);
  return next < 0 ? last : next - 1;
}
function back() {
  const begin = beginOf(turnOf(place));
  return begin < place ? begin : beginOf(turnOf(place) - 1);
}
function nextCall() {
  const next = shots.findIndex((s, i) => i > place && s.dataset.call);
  return next < 0 ? place : next;
}
function stand() { clearInterval(timer); timer = 0; }
function step() {
  if (place === last) stand();
  go(place + 1);
}
function run() {
  stand();
  timer = setInterval(step, 900 / speed);
}
function play() {
  if (timer) { stand(); go(place); return; }
  run();
  go(place === last ? 0 : place);
}
function pace(factor) {
  speed = Math.round(Math.min(Math.max(speed * factor, 0.25), 16) * 100) / 100;
  if (timer) run();
  go(place);
}
function find(way) {
  const signs = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"};
  const text = wanted.replace(/[♠♥♦♣]/g, (s) => signs[s]).replace("10", "t");
  for (let i = place + way; text && i > 0 && i <= last; i += way) {
    if (textOf(i).toLowerCase().includes(text.toLowerCase())) return i;
  }
  return place;
}
function ask() {
  wanted = prompt(@FIND@, wanted) || "";
  return find(1);
}
const moves = {
  ArrowRight: () => place + 1, ".": () => place + 1, l: () => place + 1,
  ArrowLeft: () => place - 1, ",": () => place - 1, h: () => place - 1,
  "]": () => beginOf(turnOf(place) + 1), "[": back,
  PageDown: () => beginOf(turnOf(place) + 10),
  PageUp: () => beginOf(Math.max(turnOf(place) - 10, 1)),
  Home: () => 0, g: () => 0, End: () => last,
  G: () => number ? beginOf(Number(number)) : last,
  "!": nextCall, n: () => find(1), N: () => find(-1), "/": ask,
};
const others = {
  " ": play, "+": () => pace(1.5), "-": () => pace(1 / 1.5),
  "=": () => pace(1 / speed), f: () => document.body.classList.toggle("flip"),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const key = event.key;
  if (/^[0-9]$/.test(key)) { number = (number + key).slice(-4); return; }
  if (Object.hasOwn(moves, key)) { stand(); go(moves[key]()); }
  else if (Object.hasOwn(others, key)) others[key]();
  else return;
  number = "";
  event.preventDefault();
});
at.max = last;
at.oninput = () => { stand(); go(Number(at.value)); };
go(0);
"""
