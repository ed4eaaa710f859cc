"""Screens before the first card: four cards, terms, the deal, the open table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from crapette_p2p.cards import Card
from crapette_p2p.engine.layout import Seat
from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis
from crapette_p2p.net.addresses import OwnAddress
from crapette_p2p.session.notices import CardsToCompare, DealProgress, Peer
from crapette_p2p.ui.catalogues import words_of
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.render.cells import text_width
from crapette_p2p.ui.screens.hosting import HostScreen, OpenTable
from crapette_p2p.ui.screens.meeting import (
    DIFFERENT,
    ONCE,
    PLAY,
    Cards,
    Dealing,
    Terms,
)
from crapette_p2p.ui.screens.screen import Screen
from crapette_p2p.ui.screens.waiting import Waiting
from crapette_p2p.ui.settings import Settings

PEER = Peer(
    idpub=b"\1" * 32, nick="Olek", fingerprint="3F2A-91C0-77BD-0E14", verified="none"
)
GENESIS = Genesis(
    preset="crapette",
    rules=PRESETS["crapette"],
    keys=(b"\1" * 32, b"\2" * 32),
    nicks=("Ala", "Olek"),
    nonces=(b"\0" * 32, None),
)


def text(screen: Screen, now: float = 10.0) -> str:
    """The screen as text."""
    return "\n".join(screen.draw(80, 24, now).text())


def cards(opened: float = 0.0, *, namesake: bool = False) -> Cards:
    """The question of the four cards."""
    four = tuple(Card(face) for face in (46, 30, 3, 23))
    question = CardsToCompare(four, PEER, namesake)
    return Cards(Desk(), question, "192.168.1.23", opened)


@pytest.mark.parametrize(
    ("key", "answer"), [("y", PLAY), ("1", ONCE), ("n", DIFFERENT)]
)
def test_the_four_cards_have_three_answers(key: str, answer: str) -> None:
    """The same and remembered, the same once, different."""
    screen = cards()
    assert "8♥" in text(screen)
    assert "│ 10" not in text(screen)
    screen.key(key, 10.0)
    assert screen.done == answer


@pytest.mark.parametrize("make", [cards, lambda opened: Terms(Desk(), GENESIS, opened)])
def test_a_question_that_opens_by_itself_is_deaf_for_a_second(
    make: Callable[[float], Screen],
) -> None:
    """A key that was meant for something else answers nothing; Enter never does."""
    screen = make(10.0)
    screen.key("y", 10.9)
    assert screen.done is None
    screen.key("enter", 12.0)
    assert screen.done is None
    screen.key("y", 12.0)
    assert screen.done == PLAY


def test_a_namesake_is_warned_about() -> None:
    """The same name with another key."""
    assert "another Olek, with another key" in text(cards(namesake=True))


def test_the_rules_can_be_read_before_agreeing() -> None:
    """``r`` opens them, Esc comes back to the question."""
    screen = Terms(Desk(), GENESIS, 0.0)
    assert "crapette" in text(screen)
    screen.key("r", 5.0)
    assert "The aim" in text(screen)
    screen.key("escape", 6.0)
    screen.key("n", 7.0)
    assert screen.done == DIFFERENT


def test_terms_after_a_deal_are_not_refused_by_the_key_of_the_next_one() -> None:
    """``n`` was the next deal a moment ago; a Russian к opens the rules."""
    screen = Terms(Desk(), GENESIS, 0.0, again=True)
    screen.key("n", 5.0)
    assert screen.done is None
    screen.key("к", 5.0)
    assert "The aim" in text(screen)
    screen.key("escape", 6.0)
    screen.key("q", 7.0)
    assert screen.done == DIFFERENT


def rows_of(screen: Dealing, now: float = 0.0) -> list[str]:
    """The page, row by row."""
    return [row.rstrip() for row in screen.draw(80, 24, now).text()]


def test_the_deal_shows_whose_work_is_awaited() -> None:
    """Each step of the set-up moves the page, to the last one."""
    screen = Dealing(Desk(), ("Ala", "Olek"), 0, 0.0)
    seen = set()
    for done in range(11):
        screen.progress(DealProgress("commit", Seat(done & 1), done, 10), float(done))
        seen.add(text(screen))
        running = [
            row for row in rows_of(screen, done) if re.search(r"[…█░]  \d+ s$", row)
        ]
        assert len(running) == (done < 10)
    assert len(seen) >= 8
    assert text(screen).count("done") == 6


def test_the_steps_of_a_deal_stand_below_each_other() -> None:
    """How far each is, in cells: a letter of another script may take two."""
    for name in ("Olek", "王小明", "Żółć"):
        screen = Dealing(Desk(), ("Ala", name), 0, 100.0)
        screen.progress(DealProgress("challenge", Seat(1), 3, 10), 101.5)
        rows = [row for row in rows_of(screen, 104.6) if re.match(r" *\d ", row)]
        states = [re.search(r"(done|waiting|…|█|░)", row) for row in rows]
        assert len(rows) > 5
        begins = {
            text_width(row[: state.start()])
            for row, state in zip(rows, states, strict=True)
            if state is not None
        }
        assert len(begins) == 1, name


def test_a_slow_deal_says_for_how_long_somebody_is_awaited() -> None:
    """Every second anew; what is done keeps its time."""
    screen = Dealing(Desk(), ("Ala", "Olek"), 0, 100.0)
    screen.progress(DealProgress("commit", Seat(1), 1, 10), 101.5)
    assert screen.wakes_at(104.2) == pytest.approx(104.5)
    rows = rows_of(screen, 104.6)
    assert any(re.search(r"lock: you +done   1\.5 s$", row) for row in rows)
    assert any(re.search(r"lock: Olek +…  3 s$", row) for row in rows)


def open_table(**changes: object) -> OpenTable:
    """An open table with the usual adapters."""
    addresses = (
        OwnAddress("192.168.1.20", "wlan0", "wireless", shown=True),
        OwnAddress("10.8.0.3", "tun0", "vpn", shown=True),
        OwnAddress("172.17.0.1", "docker0", "virtual", shown=False),
    )
    fields: dict[str, object] = {
        "addresses": addresses,
        "port": 4747,
        "invite": "crapette1:192.168.1.20:4747/" + "3F2A91C077BD0E14/" * 6,
        "terms": "crapette · one deal",
    }
    return OpenTable(**(fields | changes))  # type: ignore[arg-type] # fields by name


def test_the_open_table_says_what_to_tell_a_friend() -> None:
    """Likely addresses first, the whole invite, the command without the port."""
    copied: list[str] = []
    table = open_table()
    screen = HostScreen(Desk(copy=copied.append), table, 0.0)
    shown = text(screen)
    assert "docker0" not in shown
    assert "VPN" in shown
    assert "crapette join 192.168.1.20  " in shown
    assert table.invite in "".join(line.strip() for line in shown.splitlines())
    screen.key("a", 1.0)
    assert "docker0" in text(screen)
    screen.key("y", 1.0)
    assert copied == [table.invite]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Nobody sits down without the invite; it works once, for half an hour."),
        ("de", "Ohne die Einladung setzt sich niemand;"),
        ("fr", "Personne ne s'assied sans l'invitation ;"),
        ("pl", "Bez zaproszenia nikt nie usiądzie;"),
        ("ru", "Без приглашения никто не сядет;"),
    ],
)
def test_a_table_for_the_invited_names_nothing_else(lang: str, sentence: str) -> None:
    """No address and no four cards: they lead nowhere there."""
    table = open_table(invited=True)
    desk = Desk(settings=Settings(lang=lang), words_of=words_of)
    shown = text(HostScreen(desk, table, 0.0))
    assert "192.168.1.20  " not in shown
    assert "wlan0" not in shown
    assert f"crapette join {words_of(lang)('INVITE')}" in shown
    assert sentence in " ".join(shown.split())
    assert table.invite in "".join(line.strip() for line in shown.splitlines())


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Only the player whose key you named sits down here."),
        ("de", "Hier setzt sich nur, wessen Schlüssel du genannt hast."),
        ("fr", "Seul le joueur dont vous avez nommé la clé s'assied ici."),
        ("pl", "Usiądzie tu tylko gracz, którego klucz podano."),
        ("ru", "Сюда сядет только игрок, чей ключ вы назвали."),
    ],
)
def test_a_table_for_one_key_compares_no_cards(lang: str, sentence: str) -> None:
    """The address is enough for that player, and for nobody else."""
    desk = Desk(settings=Settings(lang=lang), words_of=words_of)
    shown = text(HostScreen(desk, open_table(expects=True), 0.0))
    assert "192.168.1.20" in shown
    assert sentence in " ".join(shown.split())


def test_another_port_stands_in_every_text() -> None:
    """A taken port is said, and what a friend types carries the new one."""
    screen = HostScreen(Desk(), open_table(port=4748, moved_from=4747), 0.0)
    shown = text(screen)
    assert "Port 4747 is taken" in shown
    assert "crapette join 192.168.1.20:4748" in shown


def test_knocks_are_listed_then_counted() -> None:
    """The newest ones; a network that knocks without end costs no more."""
    screen = HostScreen(Desk(), open_table(), 0.0)
    for second in range(1000):
        screen.knocked("192.168.1.66 … not a Crapette player", float(second))
    assert " earlier" in text(screen)
    assert "16:39  192.168.1.66" in text(screen)
    assert 1 <= text(screen).count("192.168.1.66") <= 5


def test_the_table_can_be_hidden_from_the_network() -> None:
    """``v`` toggles, and says why where it cannot be seen at all."""
    seen: list[bool] = []
    screen = HostScreen(Desk(), open_table(show=seen.append), 0.0)
    screen.key("v", 1.0)
    assert seen == [False]
    assert ": no [v]" in text(screen)
    screen.key("v", 1.0)
    screen.unseen = "No network."
    assert "Not visible on this network: No network." in text(screen)


def test_a_step_that_comes_again_is_the_one_that_runs() -> None:
    """What is waited for stands last, though it was waited for before."""
    waiting = Waiting(Desk(), "Joining")
    for text in ("waiting for the answer", "connected", "waiting for the answer"):
        waiting.step(text)
    assert waiting.steps == [("connected", True), ("waiting for the answer", False)]


def test_the_rules_over_the_terms_count_the_lines_of_this_window() -> None:
    """What follows below is counted at the window's own width from the first look."""
    screen = Terms(Desk(), GENESIS, 0.0)
    screen.draw(60, 18, 1.0)
    screen.key("r", 1.0)
    first = screen.draw(60, 18, 1.0).text()
    screen.key("up", 1.0)
    assert screen.draw(60, 18, 1.0).text() == first


@pytest.mark.parametrize("lang", ["en", "pl", "ru", "fr", "de"])
def test_a_long_name_of_the_rules_hangs_below_itself(lang: str) -> None:
    """In a narrow window, too, nothing of it stands in the labels' column."""
    rules = PRESETS["russian-bank-knock"]
    genesis = replace(GENESIS, preset="russian-bank-knock", rules=rules)
    desk = Desk(settings=Settings(lang=lang), words_of=words_of)
    screen = Terms(desk, genesis, 0.0)
    lines = screen.draw(60, 24, 1.0).text()
    first = next(n for n, line in enumerate(lines) if "russian-bank-knock" in line)
    column = lines[first].index("russian-bank-knock")
    assert lines[first + 1][:column].strip() == ""
    assert lines[first + 1].strip() != ""
