"""The page of a game in a real browser, where there is one."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from crapette_p2p.cli.pictures import write_pages
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.ui.picture import Shot, svg
from crapette_p2p.ui.webpage import page
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
  said.push(document.getElementById("state").textContent + flip);
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
    write_pages(str(path), replay, name="game", flip=False)
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
