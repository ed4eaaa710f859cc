"""The replay on the screen: any move, both ways, any speed, broken logs."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from crapette_p2p.errors import LogError
from crapette_p2p.gamelog.records import (
    MAGIC,
    RecordKind,
    encode_record,
    read_records,
)
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.gamelog.times import Times
from crapette_p2p.session.commands import AcceptTerms, Act, Confirm
from crapette_p2p.ui.desk import Desk
from crapette_p2p.ui.faces import PLAIN_THEME
from crapette_p2p.ui.play.pacing import PACE
from crapette_p2p.ui.play.scribe import Scribe
from crapette_p2p.ui.render import SeekHit
from crapette_p2p.ui.replay_app import ReplayScreen, place_of
from crapette_p2p.ui.table_view import TableView
from tests.cli.finished import finished_log
from tests.helpers.policy import choose
from tests.ui.screen_table import screen_table


def played_log(seed: int = 3, moves: int = 60) -> bytes:
    """The log of a game between two robots, as far as it got."""
    table = screen_table(seed=seed)
    dice = random.Random(seed)  # noqa: S311 - a repeatable player
    table.command(Confirm(same=True))
    table.command(AcceptTerms())
    for _ in range(moves):
        game, seat = table.game, table.seat
        assert game is not None
        assert seat is not None
        action = choose(game, seat, dice)
        if action is not None:
            table.command(Act(action))
    opened = table.open_game
    assert opened is not None
    return table.pair.players[table.side].disk.logs[opened.game_id]


LOG = played_log()


def viewer() -> ReplayScreen:
    """A replay at its beginning."""
    return ReplayScreen(Desk(), open_replay(LOG), name="20261130-0123abcd")


def keys(screen: ReplayScreen, *pressed: str, now: float = 0.0) -> None:
    """Press keys."""
    for key in pressed:
        screen.key(key, now)


def picture(screen: ReplayScreen, now: float = 0.0) -> list[str]:
    """The screen as text."""
    return screen.draw(80, 24, now).text()


def test_every_place_shows_the_fold_of_its_events() -> None:
    """Wherever one comes from, place n is the position after step n."""
    screen = viewer()
    replay = open_replay(LOG)
    dice = random.Random(1)  # noqa: S311 - a repeatable walk
    for _ in range(30):
        place = dice.randrange(screen.reel.length + 1)
        screen._go(place)
        assert screen.board == replay.moment(place).position


def test_moves_and_turns_are_walked_both_ways() -> None:
    """One move and one turn forth and back lead to the same picture."""
    screen = viewer()
    keys(screen, "right", "right", "right")
    at_three = picture(screen)
    keys(screen, "right", "left")
    assert picture(screen) == at_three
    keys(screen, "home")
    keys(screen, "]")
    turn_two = screen.place
    assert screen.reel.turn(turn_two) == 2
    keys(screen, "]", "[", "[")
    assert screen.place <= turn_two
    keys(screen, "2", "G")
    assert screen.place == turn_two
    keys(screen, "²", "G")  # a key of its own in France, and no number
    assert screen.place == screen.reel.length
    keys(screen, ":", *"goto ²", "enter", "escape")
    assert screen.place == screen.reel.length
    keys(screen, "end", "right")
    assert screen.place == screen.reel.length
    keys(screen, "g", "left")
    assert screen.place == 0


def test_flipping_twice_changes_nothing() -> None:
    """The other side sees the same table from across."""
    screen = viewer()
    keys(screen, "]", "right")
    before = picture(screen)
    keys(screen, "f")
    assert picture(screen) != before
    keys(screen, "f")
    assert picture(screen) == before


@pytest.mark.parametrize("speed", [0.25, 1.0, 16.0])
def test_it_runs_to_the_end_at_any_speed_and_stays_there(speed: float) -> None:
    """No step is skipped, and the last position does not close the screen."""
    screen = viewer()
    screen.pace.speed = speed
    keys(screen, " ")
    now, places = 0.0, []
    while screen.playing:
        at = screen.wakes_at(now)
        assert at is not None
        now = max(at, now)
        screen.wake(now)
        places.append(screen.place)
    assert places == list(range(1, screen.reel.length + 1))
    assert screen.done is None
    assert screen.wakes_at(now) is None


def test_the_speed_has_limits_and_a_name() -> None:
    """Half as fast again, slower, and back to one."""
    screen = viewer()
    keys(screen, *"+" * 20)
    assert screen.pace.speed == 16.0
    keys(screen, *"-" * 30)
    assert screen.pace.speed == 0.25
    keys(screen, "=")
    assert screen.pace.speed == 1.0
    for typed, speed in (("speed 2", 2.0), ("speed nan", 2.0), ("speed 99", 2.0)):
        keys(screen, ":", *typed, "enter")
        assert screen.pace.speed == speed


def test_the_line_is_pressed_to_seek_and_the_wheel_steps() -> None:
    """A press on the end of the line shows the end."""
    screen = viewer()
    picture(screen)
    assert screen.frame is not None
    row = screen.frame.hits[22]
    last = max(x for x, hit in enumerate(row) if isinstance(hit, SeekHit))
    screen.press(last, 22, "left", 0.0)
    assert screen.place == screen.reel.length
    screen.wheel(-1, 0.0)
    assert screen.place == screen.reel.length - 1


def test_a_card_a_word_and_a_foundation_are_found() -> None:
    """``/`` goes to the next move that fits, ``n`` on, ``N`` back."""
    screen = viewer()
    keys(screen, "/", *"foundation", "enter")
    first = screen.place
    step = screen.reel.step(first)
    assert step is not None
    assert step.text.split()[0].endswith("-F")
    keys(screen, "n")
    assert screen.place > first
    keys(screen, "N")
    assert screen.place == first
    assert step.card is not None
    keys(screen, "g", "/", *PLAIN_THEME.card(step.card), "enter")
    found = screen.reel.step(screen.place)
    assert found is not None
    assert found.card == step.card
    keys(screen, "/", *"no such thing", "enter")
    assert "Not found" in "\n".join(picture(screen))


def test_opened_piles_are_looked_at_card_by_card() -> None:
    """``x`` opens the stock, ``v`` then lists all of it; closed it is a number."""
    replay = open_replay(finished_log())
    screen = ReplayScreen(Desk(), replay, name="x")
    keys(screen, "v", " ")
    assert "face down" in "\n".join(picture(screen))
    keys(screen, "escape", "x", "v", " ")
    looked = "\n".join(picture(screen))
    assert "face down" not in looked
    faces = replay.hidden_faces()
    assert faces is not None
    top = faces[screen.board.piles[18][-1]]
    assert PLAIN_THEME.card(top) in looked


def test_hidden_cards_stay_hidden_without_both_audits() -> None:
    """A game that is not over proves no hidden card."""
    screen = viewer()
    keys(screen, "x")
    assert "stay hidden" in "\n".join(picture(screen))
    assert not screen.shows_hidden


def test_the_log_is_the_one_of_the_game() -> None:
    """Watched to the end, the log reads as it was written at the table."""
    screen = viewer()
    keys(screen, "end")
    replay = open_replay(LOG)
    scribe = Scribe(replay.log.genesis.nicks)
    for step in replay.steps:
        before, after = replay.position(step.seq), replay.position(step.length)
        assert before is not None
        assert after is not None
        scribe.record(step.author, step.action, before, after)
    assert screen.reel.log(screen.place) == scribe.entries()


def test_where_somebody_left_and_came_back_is_marked() -> None:
    """Remarks of the log stand on the line, at their place."""
    replay = open_replay(LOG)
    middle = replay.steps[9].length
    records = read_records(LOG).records
    events = [n for n, record in enumerate(records) if record.kind == RecordKind.ACK]
    cut = events[middle - 1] + 1
    parts = [encode_record(record.kind, record.body) for record in records]
    note = encode_record(RecordKind.NOTE, (0, "returned"))
    data = MAGIC + b"".join([*parts[:cut], note, *parts[cut:]])
    screen = ReplayScreen(Desk(), open_replay(data))
    view = screen.view(0.0)
    assert isinstance(view, TableView)
    assert view.scrubber is not None
    assert (10, "~") in view.scrubber.marks
    assert "~" in "".join(picture(screen))


# The players' own pace ------------------------------------------------------------


def timed(*, every: int = 700, without: int = 0) -> ReplayScreen:
    """A replay whose events were recorded so many milliseconds from each other."""
    replay = open_replay(LOG)
    at = {seq: every * seq for seq in range(without, replay.length)}
    return ReplayScreen(Desk(), replay, times=Times(at, 0, 0, 0))


def status(screen: ReplayScreen) -> str:
    """The line that says where one is, and how fast."""
    return next(row for row in picture(screen) if "├" in row and "┤" in row).rstrip()


def waits(screen: ReplayScreen, now: float = 0.0) -> list[float]:
    """How long each place is shown until the end."""
    found = []
    while screen.playing:
        at = screen._next_at
        found.append(round(at - now, 3))
        now = at
        screen.wake(now)
    return found


def gaps(screen: ReplayScreen, every: float = 0.7) -> list[float]:
    """How long the players took, idle times cut."""
    seqs = [screen.reel.replay.start - 1, *(step.seq for step in screen.reel.steps)]
    return [round(min(every * (b - a), 2.0), 3) for a, b in pairwise(seqs)]


def test_w_waits_like_the_players_did() -> None:
    """Each place as long as they left it there, and the line below says so."""
    screen = timed()
    keys(screen, "w")
    assert status(screen).endswith("as played 1×")
    found = waits(screen)
    assert found == gaps(screen)
    assert len({*found}) > 1
    assert screen.place == screen.reel.length


def test_idle_times_are_cut_and_what_came_at_once_is_seen() -> None:
    """Nobody waits longer than two seconds, nor for nothing at all."""
    screen = timed(every=60_000)
    keys(screen, "w")
    assert {*waits(screen)} == {2.0}
    screen = timed(every=0)
    keys(screen, "w")
    assert {*waits(screen)} == {0.1}


def test_the_speed_counts_at_the_players_pace_too() -> None:
    """Also in the middle of a wait; a pause begins the wait anew."""
    screen = timed(every=60_000)
    keys(screen, "w")
    screen.key("+", 1.0)  # half of the wait is over
    assert screen.wakes_at(1.0) == pytest.approx(1.0 + 1.0 / 1.5)
    screen.key("=", 1.0)
    assert screen._next_at == pytest.approx(2.0)
    screen.key(" ", 1.5)
    screen.wake(9.0)
    assert (screen.playing, screen.place) == (False, 0)
    screen.key(" ", 10.0)
    assert screen._next_at == 12.0
    assert screen.pace.as_played


def test_w_again_goes_on_evenly() -> None:
    """It leaves a replay that runs running, and one that stands standing."""
    screen = timed(every=60_000)
    keys(screen, "w", "w")
    assert (screen.playing, screen._next_at) == (True, PACE)
    assert status(screen).endswith("┤  1×")
    keys(screen, "w", " ", "w")
    assert (screen.playing, screen.pace.as_played) == (False, False)


def test_w_at_the_end_begins_anew() -> None:
    """As the space bar does."""
    screen = timed()
    keys(screen, "end", "w")
    assert (screen.place, screen.playing) == (0, True)


def test_moving_by_hand_keeps_the_pace_for_later() -> None:
    """A step stops the replay; it goes on as it went."""
    screen = timed()
    keys(screen, "w", "right", " ")
    assert screen.pace.as_played
    assert screen._next_at == gaps(screen)[1]


def test_where_times_are_missing_the_pace_is_even() -> None:
    """A game that was begun by a program which kept none."""
    screen = timed(without=open_replay(LOG).steps[4].seq)
    keys(screen, "w")
    found = waits(screen)
    assert found[:5] == [PACE] * 5
    assert found[5:] == gaps(screen)[5:]


def test_w_says_that_no_times_were_kept() -> None:
    """Instead of doing nothing: without a side file, and with an empty one."""
    for screen in (viewer(), timed(without=10**6)):
        keys(screen, "w")
        assert "No times were kept for this game" in "".join(picture(screen))
        assert not screen.playing


def test_the_pace_is_a_command_too() -> None:
    """As speed is, which counts at once."""
    screen = timed(every=60_000)
    keys(screen, ":", *"as-played", "enter")
    assert (screen.playing, screen.pace.as_played) == (True, True)
    keys(screen, ":", *"speed 4", "enter")
    assert screen._next_at == 0.5


def test_a_torn_log_plays_up_to_the_break() -> None:
    """Half of a log is half of a game; nothing raises."""
    for cut in range(len(LOG) // 4, len(LOG), len(LOG) // 7):
        try:
            replay = open_replay(LOG[:cut])
        except LogError:
            continue
        if replay.position(replay.start) is not None:
            screen = ReplayScreen(Desk(), replay)
            keys(screen, "end")
            picture(screen)


def test_a_place_is_named_by_turn_or_move() -> None:
    """``turn:N`` and ``move:N``; anything else is refused."""
    reel = viewer().reel
    assert place_of("move:3", reel) == 3
    assert place_of("move:999999", reel) == reel.length
    assert place_of("turn:2", reel) == reel.begin_of(2)
    for wrong in ("3", "turn:", "turn:x", "turn:²", "hour:3", ""):
        with pytest.raises(ValueError, match="turn:N"):
            place_of(wrong, reel)


def test_a_log_without_a_deal_is_refused_in_words() -> None:
    """A log that ends before the lay-out has nothing to show."""
    replay = open_replay(LOG)
    short = Replay(replay.log, playable=5)
    with pytest.raises(LogError, match="before any card"):
        ReplayScreen(Desk(), short)
