"""**Pure**: a game → a web page that steps through it with the viewer's keys.

A page holds everything it shows and loads nothing; what players wrote stands in it
as text only. Each position is a figure, of which one is shown.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from crapette_p2p.cards import UNKNOWN, rank_of, suit_of
from crapette_p2p.engine.layout import RESERVE, STOCK, Seat, other
from crapette_p2p.gamelog.times import AT_LEAST, IDLE_CUT
from crapette_p2p.ui.faces import SYMBOLS, rank_letters
from crapette_p2p.ui.input.keymap import REPLAY_KEYS
from crapette_p2p.ui.language import ENGLISH, Words
from crapette_p2p.ui.picture import (
    ALL_FACES,
    HEIGHT,
    STYLE,
    WIDTH,
    Shot,
    cards,
    pile_labels,
    sides,
    table,
)


def page(
    shots: Iterable[Shot],
    names: Sequence[str],
    *,
    title: str,
    bottom: int = 0,
    hidden: bytes | None = None,
    words: Words = ENGLISH,
) -> Iterator[str]:
    """The page in pieces; with ``hidden``, the faces of all slots, ``x`` opens them."""
    head = _HEAD.replace("@LANG@", words.lang)
    head = head.replace("@MOVE@", html.escape(words("move")))
    yield head.replace("@STYLE@", STYLE + _STYLE).replace("@TITLE@", html.escape(title))
    yield f'<svg class="defs">{cards(ALL_FACES)}</svg>\n'
    figures = _Figures(names, Seat(bottom), hidden, words)
    for number, shot in enumerate(shots):
        yield figures.figure(number, shot)
    yield f"<p>{_help(words)}</p>\n"
    said = json.dumps(
        {
            "turn": words("turn {n}", n="#"),
            "find": words("find:"),
            "closed": words(CLOSED_FOR_GOOD),
            "even": words(NO_TIMES),
            "played": words("as played {speed}×", speed="#"),
            "never": words("Not found."),
        }
    ).replace("<", "\\u003c")
    script = _SCRIPT.replace("@LEAST@", str(AT_LEAST)).replace("@MOST@", str(IDLE_CUT))
    yield f"<script>const sentences={said};{script}</script></body></html>\n"


def _help(words: Words) -> str:
    """The viewer's keys, from its own table."""
    shown = (b for b in REPLAY_KEYS if b.label and b.key not in {"?", "q"})
    return " · ".join(
        f"<kbd>{html.escape(b.cap or b.key)}</kbd> {html.escape(words(b.label))}"
        for b in shown
    )


class _Figures:
    """Draws the positions of one game."""

    def __init__(
        self, names: Sequence[str], bottom: Seat, hidden: bytes | None, words: Words
    ) -> None:
        self._names = names
        self._bottom = bottom
        self._hidden = hidden
        self._words = words
        self._labels = pile_labels(words)

    def figure(self, number: int, shot: Shot) -> str:
        """One position from both sides, with what lies face down in it."""
        ours, theirs = (
            "".join(
                sides(shot, self._names, seat, hidden=self._hidden, labels=self._labels)
            )
            for seat in (self._bottom, other(self._bottom))
        )
        call = ' data-call="1"' if shot.is_call else ""
        up = ' data-up="1"' if shot.is_up else ""
        at = "" if shot.ms is None else f' data-ms="{shot.ms}"'
        shown = ' class="on"' if number == 0 else ""
        return (
            f'<figure data-turn="{shot.turn}"{call}{up}{at}{shown}>'
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(table(shot))}'
            f'<g class="ours">{ours}</g><g class="theirs">{theirs}</g></svg>'
            f"<figcaption>{html.escape(shot.caption)}</figcaption>"
            f"{self._face_down(shot)}</figure>\n"
        )

    def _face_down(self, shot: Shot) -> str:
        """Every card that lies face down, the uppermost first, a pile a line."""
        if self._hidden is None:
            return ""
        lines = []
        for seat, name in enumerate(self._names):
            for kind, label in ((STOCK, "stock"), (RESERVE, "reserve")):
                slots = shot.position.piles[kind + seat]
                faces = [self._hidden[s] for s in slots if self._lies_down(shot, s)]
                if faces:
                    text = " ".join(map(card_text, faces[::-1]))
                    lines.append(f"{name}, {self._labels[label]}: {text}")
        return f'<p class="up">{"<br>".join(map(html.escape, lines))}</p>'

    @staticmethod
    def _lies_down(shot: Shot, slot: int) -> bool:
        return shot.position.faces[slot] == UNKNOWN


def card_text(face: int) -> str:
    """A card as the pictures write it."""
    return rank_letters("en")[rank_of(face) - 1] + SYMBOLS[suit_of(face)]


CLOSED_FOR_GOOD: Final = (
    "The shuffles are not opened in this log: hidden cards stay hidden."
)
"""What ``x`` says where there is nothing to open; the viewer says the same."""
NO_TIMES: Final = "No times were kept for this game: it plays evenly (+ and -)."
"""What ``w`` says where it has nothing to go by; the viewer says the same."""
_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{font-family:sans-serif;margin:.5em auto;max-width:66em;padding:0 1em}"
    "h1{font-size:1.1em;margin:.3em 0;overflow-wrap:anywhere}"
    ".defs{position:absolute;width:0;height:0}input{width:100%;margin:.2em 0}"
    "figure{display:none;margin:0}figure.on{display:block}"
    "figure svg{display:block;width:100%;max-height:78vh}"
    "figcaption{font-weight:bold;min-height:1.3em;overflow-wrap:anywhere}"
    ".theirs,.flip .ours{display:none}.flip .theirs{display:inline}"
    ".up{display:none}g.up{opacity:.75}"
    ".open .up{display:inline}.open p.up{display:block}"
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
<input type="range" id="at" min="0" value="0" aria-label="@MOVE@" list="calls">
<datalist id="calls"></datalist>
"""
_SCRIPT: Final = r"""
"use strict";
const shots = [...document.querySelectorAll("figure")], last = shots.length - 1;
const at = document.getElementById("at"), state = document.getElementById("state");
const calls = document.getElementById("calls"), body = document.body.classList;
const hasHidden = Boolean(document.querySelector(".up"));
const timed = shots.filter((s) => s.dataset.ms).length > 1;
let place = 0, speed = 1, timer = 0, number = "", wanted = "", note = "";
let played = false;
const turnOf = (i) => Number(shots[Math.min(i + 1, last)].dataset.turn);
const textOf = (i) => shots[i].querySelector("figcaption").textContent;
function go(to) {
  shots[place].classList.remove("on");
  place = Math.min(Math.max(to, 0), last);
  shots[place].classList.add("on");
  at.value = place;
  tell();
}
function tell() {
  const run = timer ? "► " : "";
  const turn = sentences.turn.replace("#", turnOf(place));
  const fast = played ? sentences.played.replace("#", speed) : `${speed}×`;
  state.textContent = note || `${run}${place}/${last}, ${turn}, ${fast}`;
  note = "";
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
function stand() { clearTimeout(timer); timer = 0; }
function wait() {
  const [from, to] = [shots[place], shots[place + 1]].map((s) => s && s.dataset.ms);
  if (!played || from === undefined || to === undefined) return 900;
  return Math.min(Math.max(to - from, @LEAST@), @MOST@);
}
function step() {
  go(place + 1);
  if (place < last) run();
  else stand();
  tell();
}
function run() {
  stand();
  timer = setTimeout(step, wait() / speed);
}
function play() {
  if (timer) stand();
  else {
    if (place === last) go(0);
    run();
  }
  tell();
}
function asPlayed() {
  if (!timed) note = sentences.even;
  else {
    played = !played;
    if (timer) run();
    else if (played) play();
  }
  tell();
}
function pace(factor) {
  speed = Math.round(Math.min(Math.max(speed * factor, 0.25), 16) * 100) / 100;
  if (timer) run();
  go(place);
}
function find(way) {
  const signs = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"};
  const text = wanted.replace(/[♠♥♦♣]/g, (s) => signs[s]).replace("10", "t");
  const up = text.trim().toLowerCase() === "foundation";
  for (let i = place + way; text && i > 0 && i <= last; i += way) {
    if (up ? shots[i].dataset.up : textOf(i).toLowerCase().includes(text.toLowerCase()))
      return i;
  }
  if (text) note = sentences.never;
  return place;
}
function ask() {
  wanted = prompt(sentences.find, wanted) || "";
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
  "=": () => pace(1 / speed), f: () => { body.toggle("flip"); go(place); },
  x: openCards, w: asPlayed,
};
function openCards() {
  if (hasHidden) body.toggle("open");
  else note = sentences.closed;
  go(place);
}
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
shots.forEach((shot, i) => {
  if (shot.dataset.call) calls.append(new Option("", i));
});
at.max = last;
at.oninput = () => { stand(); go(Number(at.value)); };
go(0);
"""
