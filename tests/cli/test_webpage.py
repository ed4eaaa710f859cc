"""The page of a game in a real browser, where there is one."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from crapette_p2p.cards import UNKNOWN
from crapette_p2p.cli.pictures import write_page
from crapette_p2p.cli.speaking import speaking
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.picture import Shot, svg
from crapette_p2p.ui.webpage import card_text, page
from tests.cli.finished import finished_log
from tests.ui.boards import MIDGAME

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
HOSTILE = '</script><img src=x onerror="document.title=1">&amp;'
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--virtual-time-budget=20000"),
)
in_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

PRESS = """
<script>
const said = [], press = (key) =>
  document.dispatchEvent(new KeyboardEvent("keydown", {key, cancelable: true}));
for (const key of KEYS) {
  press(key);
  const flip = document.body.classList.contains("flip") ? " flipped" : "";
  const up = document.querySelector("figure.on p.up");
  const open = up && getComputedStyle(up).display !== "none" ? " opened" : "";
  said.push(document.getElementById("state").textContent + flip + open);
}
const out = document.createElement("pre");
out.id = "said";
out.textContent = said.join("\\n");
document.body.append(out);
</script></body>"""


@pytest.fixture(scope="module")
def replay() -> Replay:
    """A finished game."""
    return open_replay(finished_log())


def said(path: Path, keys: Sequence[str], profile: Path) -> list[str]:
    """What the page's state line says after each key."""
    assert BROWSER is not None
    pressed = PRESS.replace("KEYS", repr(list(keys)))
    text = path.read_text(encoding="utf-8").replace("</body>", pressed)
    path.with_name("pressed.html").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [
            *(BROWSER, *FLAGS, f"--user-data-dir={profile}", "--dump-dom"),
            path.with_name("pressed.html").as_uri(),
        ],
        capture_output=True,
        check=True,
        timeout=120,
        encoding="utf-8",
    )
    found = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found is not None, done.stdout[-500:]
    return html.unescape(found[1]).splitlines()


@in_browser
@pytest.mark.slow
def test_the_viewers_keys_work_in_a_browser(replay: Replay, tmp_path: Path) -> None:
    """Moves, turns, ends, speed and sides, by the keys of the screen."""
    path = tmp_path / "game.html"
    write_page(str(path), replay, name="game", flip=False)
    last = path.read_text(encoding="utf-8").count("<figure ") - 1
    keys = ["ArrowRight", ".", "l", "h", "End", "ArrowRight", "Home", "]", "f", "f"]
    keys += ["+", "=", "1", "G", "-"]
    states = said(path, keys, tmp_path / "profile")
    places = [int(state.split("/")[0]) for state in states]
    assert places[:7] == [1, 2, 3, 2, last, last, 0]
    turn_two = next(step.number for step in replay.steps if step.turn > 1) - 1
    assert places[7] == turn_two
    assert [state.endswith("flipped") for state in states[7:10]] == [False, True, False]
    assert "1.5×" in states[10]
    assert places[13] == 0
    assert "0.67×" in states[14]


@in_browser
@pytest.mark.slow
def test_hidden_cards_open_and_close_in_a_browser(
    replay: Replay, tmp_path: Path
) -> None:
    """``x`` shows what lay face down, ``w`` says why nobody is waited for."""
    path = tmp_path / "game.html"
    write_page(str(path), replay, name="game", flip=False)
    states = said(path, ["x", "l", "x", "w", "l"], tmp_path / "profile")
    assert [state.endswith(" opened") for state in states] == (
        [True, True, False, False, False]
    )
    assert states[3].startswith("No times were kept")
    assert states[4].startswith("2/")


@in_browser
@pytest.mark.slow
def test_what_is_not_proven_stays_hidden_in_a_browser(tmp_path: Path) -> None:
    """Without both AUDITs ``x`` says so and opens nothing."""
    path = tmp_path / "game.html"
    pieces = page([Shot("a", MIDGAME)], ("A", "B"), title="t")
    path.write_text("".join(pieces), encoding="utf-8")
    told = said(path, ["x", "f"], tmp_path / "profile")
    assert told[0].startswith("The shuffles are not opened")
    assert told[1] == "0/0, turn 1, 1× flipped"


def test_every_hidden_card_is_listed_once(replay: Replay) -> None:
    """At the lay-out: 104 cards but for those in sight, none twice in a deck pair."""
    faces = replay.hidden_faces()
    position = replay.moment(0).position
    assert faces is not None
    assert position is not None
    whole = "".join(page([Shot("a", position)], ("A", "B"), title="t", hidden=faces))
    lines = re.findall(r'<p class="up">(.*?)</p>', whole)
    listed = re.findall(r"(?:10|[A-KQJ2-9])[♠♥♦♣]", lines[0])
    unseen = [slot for pile in position.piles for slot in pile]
    unseen = [slot for slot in unseen if position.faces[slot] == UNKNOWN]
    assert sorted(listed) == sorted(card_text(faces[slot]) for slot in unseen)


def test_the_page_speaks_the_language_of_the_run(
    replay: Replay, tmp_path: Path
) -> None:
    """Help, piles, captions; and the page says which language that is."""
    path = tmp_path / "game.html"
    german = words_of("de")
    with speaking(["--lang", "de"]):
        write_page(str(path), replay, name="game", flip=False)
    text = path.read_text(encoding="utf-8")
    assert '<html lang="de">' in text
    assert "die Auslage" in text
    assert german("flip") in text
    assert "Talon" in text


@in_browser
@pytest.mark.slow
def test_text_of_others_stays_text_in_a_browser(tmp_path: Path) -> None:
    """A nick full of markup is shown letter by letter, and nothing of it runs."""
    path = tmp_path / "game.html"
    pieces = page([Shot(HOSTILE, MIDGAME)], (HOSTILE, "B"), title=HOSTILE)
    path.write_text("".join(pieces), encoding="utf-8")
    assert said(path, ["f"], tmp_path / "profile") == ["0/0, turn 1, 1× flipped"]


def test_text_of_others_is_escaped() -> None:
    """In the title, beside the piles and under the picture; no tag of theirs."""
    shot = Shot(HOSTILE, MIDGAME)
    whole = "".join(page([shot], (HOSTILE, HOSTILE), title=HOSTILE))
    for text in (whole, svg(shot, (HOSTILE, HOSTILE))):
        assert "<img" not in text
        assert html.escape(HOSTILE) in text
    assert whole.count("</script>") == 1
