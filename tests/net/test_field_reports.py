"""What players of comparable games met, tried on this one (4a to 4c, 4e to 4g).

The rules, 4d, are ``tests/engine/test_field_reports.py``'s.

Run as a program this module prints the list: row, what holds it, or why the
situation cannot be here. Undo between people and spectators do not exist: the
rules know none, and a third key finds the table taken.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
from pathlib import Path

import pytest

from crapette_p2p.engine.actions import Stop
from crapette_p2p.fairdeal.layer import context, derive_layer
from crapette_p2p.gamelog.dump import log_to_json_lines
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.net.store import read_log_file
from crapette_p2p.session import messages as wire
from crapette_p2p.session.notices import EventFinal, LinkLost, PeerQuiet
from tests.helpers.driving import drive, position_of, state_of
from tests.helpers.keys import verify
from tests.helpers.pair import Pair, Player, play_pair
from tests.net.fasttime import fast
from tests.net.tables import make_player, play_both, seat_at, seated_pair
from tests.ui.seated import Table

NO_UNDO = "by design: between people there is no undo"
REPORTS: dict[int, tuple[str, ...]] = {
    # 4a: losing a message, dropping, coming back
    1: ("test_report_01_a_cut_in_the_moves_of_a_long_turn", "test_cut_again_and_again"),
    3: ("test_report_03_a_move_is_delivered_or_taken_back",),
    5: (
        "test_report_05_whose_turn_it_is_after_a_silent_reconnect",
        "test_report_05_the_header_counts_the_turn_that_is",
    ),
    6: (
        "test_a_cut_around_an_event_delivers_it_once",
        "test_c04_an_ack_twice_is_nothing_new",
    ),
    7: (
        "test_a_cut_during_an_opening_opens_the_card_for_both_or_none",
        "test_a_card_that_was_being_opened_at_a_cut",
    ),
    9: ("test_report_09_after_a_restart_both_see_what_they_saw",),
    11: (
        "test_c14_a_game_nobody_knows",
        "test_an_unknown_game_is_410_and_keeps_the_own_one",
    ),
    12: ("test_a_drawn_card_survives_a_kill_of_both_programs",),
    14: ("test_both_act_while_apart", "test_c05_collisions_in_every_order"),
    15: (
        "test_report_15_a_freeze_that_passes_is_no_leaving",
        "test_a_peer_that_answers_pings_is_never_lost",
        "test_a_mover_and_one_who_has_to_grant_may_think_for_ever",
    ),
    17: ("test_report_17_reading_logs_is_no_leaving",),
    19: (
        "test_pitfall_26_a_vanished_opponent_is_neither_lost_nor_waited_for_ever",
        "test_survivor_gives_up",
    ),
    # 4b: turn order, double input, agreeing on things
    22: ("test_c05_collisions_in_every_order", "test_both_sides_agree_on_the_winner"),
    24: ("test_report_24_a_held_key_acts_once", "test_c01_numbers_that_do_not_follow"),
    26: ("test_report_26_keys_during_a_run_make_no_move",),
    27: (NO_UNDO,),
    29: (NO_UNDO,),
    30: ("test_report_30_a_second_question_inherits_no_key",),
    32: (NO_UNDO,),
    33: (
        "test_r01_every_kind_of_impossible_move",
        "test_r01_the_log_refuses_what_the_rules_refuse",
        "test_e03_results_that_contradict_the_state",
        "test_an_impossible_move",
    ),
    35: ("test_report_35_nothing_freezes_on_the_others_turn",),
    # 4c: hidden cards, shuffle, seeds
    36: (
        "test_report_36_nothing_we_write_or_send_knows_a_face_down_card",
        "test_d16_seeds_leave_this_machine_with_the_audit_only",
    ),
    38: ("test_a13_a14_a_taken_table_and_a_takeover",),
    39: (NO_UNDO, "test_c07_a_stop_over_cards_seen_since"),
    41: ("test_a_face_down_card_is_never_offered",),
    43: (
        "test_d04_duplicates_in_the_kept_one_show_at_the_lay_out",
        "test_d04_duplicates_that_never_show_are_found_by_the_audit",
        "test_d12_lines_that_do_not_match",
        "test_e01_seeds_that_make_another_layer",
    ),
    44: (
        "test_killed_in_mid_game_and_resumed",
        "test_lost_seeds_end_the_link_but_not_the_game",
    ),
    46: (
        "test_r04_other_environments_compute_the_same",
        "test_r04_other_versions_compute_the_same",
        "test_d17_known_answers",
    ),
    47: ("test_a_seed_is_one_schedule", "test_an_old_log_verifies_and_replays"),
    50: (
        "test_hidden_cards_show_after_both_audits_only",
        "test_e13_every_level_is_reached",
    ),
    51: (
        "test_cards_are_conserved",
        "test_d04_duplicates_that_show_at_the_second_turn",
    ),
    # 4f: log, save, replay
    73: (
        "test_it_runs_to_the_end_at_any_speed_and_stays_there",
        "test_seeking_anywhere_equals_folding",
    ),
    74: (
        "test_an_old_log_verifies_and_replays",
        "test_there_is_a_golden_log_for_every_preset",
    ),
    76: ("test_killed_in_mid_game_and_resumed",),
    77: ("test_report_77_a_game_with_everything_in_it_is_replayed",),
    # 4e: finding each other
    67: ("test_every_adapter_speaks", "test_an_adapter_that_takes_no_multicast"),
    70: (
        "test_seen_at_once_and_gone_in_time",
        "test_a_killed_table_is_gone_within_ten_seconds",
        "test_other_versions_and_taken_seats",
    ),
    71: (
        "test_each_obstacle_has_its_words",
        "test_pitfall_20_each_failure_has_its_own_words",
        "test_ipv6_only",
    ),
    # 4g: terminal, input, people
    78: (
        "test_pitfall_08_suits_have_no_variation_selector",
        "test_pitfall_09_wide_signs_give_way_to_letters",
    ),
    81: (
        "test_report_81_words_of_others_stay_in_their_cells",
        "test_report_81_talk_reaches_no_terminal_but_as_text",
        "test_report_81_not_in_line_mode_either",
        "test_e09_hostile_text_reaches_no_terminal",
        "test_hostile_announcements_reach_no_list",
        "test_a15_a_hostile_nick",
    ),
    82: (
        "test_w01_a_frame_of_no_bytes",
        "test_w04_a_gigantic_length",
        "test_w07_values_that_do_not_exist",
        "test_w09_text_that_is_none",
        "test_w10_arrays_in_arrays",
        "test_w12_unknown_types_and_fields_one_off",
        "test_w14_random_bytes_have_an_answer",
    ),
    84: ("test_pitfall_13_everything_differs_in_text",),
}
"""The rows of the six lists, and the tests that hold them."""
ROWS = frozenset(
    {
        *(1, 3, 5, 6, 7, 9, 11, 12, 14, 15, 17, 19),
        *(22, 24, 26, 27, 29, 30, 32, 33, 35),
        *(36, 38, 39, 41, 43, 44, 46, 47, 50, 51),
        *(67, 70, 71, 73, 74, 76, 77, 78, 81, 82, 84),
    }
)
"""Every row there is, but those of the rules."""


def test_every_row_is_held_by_tests_that_exist() -> None:
    """A renamed test leaves no hole in the list."""
    root = Path(__file__).parents[1]
    texts = "\n".join(p.read_text(encoding="utf-8") for p in root.glob("*/test_*.py"))
    known = set(re.findall(r"def (test_\w+)", texts))
    assert set(REPORTS) == ROWS
    for row, held in REPORTS.items():
        for name in held:
            assert name in known or name == NO_UNDO, (row, name)


def a_game(length: int = 60) -> Pair:
    """A game in the middle."""
    pair = play_pair("russian-bank", seed=2)
    rng = random.Random(2)  # noqa: S311 - a repeatable game
    drive(pair, rng, until=lambda state: state.length >= length)
    return pair


def screens(pair: Pair) -> list[list[str]]:
    """What both players see of the table."""
    return [
        Table(position_of(player), seat=side).lines(100, 30)
        for side, player in enumerate(pair.players)
    ]


def test_report_09_after_a_restart_both_see_what_they_saw() -> None:
    """Report 9: both programs are killed; each screen is the same, line by line."""
    pair = a_game()
    before = screens(pair)
    pair.cut()
    for player in pair.players:
        player.crash()
    pair.connect()
    assert screens(pair) == before


def everything_of(player: Player) -> bytes:
    """All that a player has written to his log, sent, or could show of it."""
    (data,) = player.disk.logs.values()
    told = str([*log_to_json_lines(open_replay(data, verify))])
    sent = b"".join(wire.encode_message(message) for message in player.sent)
    return data + sent + told.encode()


def test_report_36_nothing_we_write_or_send_knows_a_face_down_card() -> None:
    """Report 36: not the salt of one slot that is not open, in log, wire or dump."""
    pair = a_game()
    everything = b"".join(everything_of(player) for player in pair.players)
    hidden = shown = 0
    for player in pair.players:
        game = player.live.open_game
        assert game is not None
        assert game.secrets is not None
        deal = state_of(player).deal
        for deck in (0, 1):
            kept = deal.kept(game.seat, deck)
            label = context(game.game_id, game.seat, deck, kept)
            layer = derive_layer(game.secrets.seed(deck, kept), label)
            for salt in layer.salts:
                open_ = salt in everything
                shown += open_
                hidden += not open_
    position = position_of(pair.players[0])
    faces_up = sum(face != 255 for face in position.faces)
    assert shown == 2 * faces_up  # each open card took one salt of either player
    assert hidden == 208 - shown


@pytest.mark.slow
@fast
async def test_report_17_reading_logs_is_no_leaving(tmp_path: Path) -> None:
    """Report 17: the log of the running game is read and replayed beside it."""
    ala, olek = make_player(tmp_path, "Ala"), make_player(tmp_path, "Olek")
    read = 0
    async with seated_pair(ala, olek) as (_, first, second):
        seats = seat_at(first), seat_at(second, seed=2, resigns_at=60)

        def look(notice: object) -> None:
            nonlocal read
            if isinstance(notice, EventFinal) and notice.seq % 20 == 0:
                (path,) = ala.store.logs()
                read += open_replay(read_log_file(path), verify).length > 0

        seats[0].on_notice = look
        await asyncio.wait_for(play_both(*seats), 600)
    assert read >= 3
    for seat in seats:
        assert not [n for n in seat.heard if isinstance(n, LinkLost | PeerQuiet)]


def test_report_77_a_game_with_everything_in_it_is_replayed() -> None:
    """Report 77: drop, resume, kill, right and wrong Stop!: to the last position."""
    pair = play_pair("crapette", seed=3)
    rng = random.Random(8)  # noqa: S311 - a repeatable game
    for length in range(20, 400, 40):
        reached = length
        drive(pair, rng, until=lambda s, n=reached: s.length >= n, talk=0.1, calls=1.0)  # type: ignore[misc] # bound now
        pair.cut()
        if length % 80:
            pair.players[0].crash()
        pair.connect(dialler=(length // 40) % 2)
    drive(pair, rng, talk=0.05, calls=1.0)
    (data,) = pair.players[0].disk.logs.values()
    replay: Replay = open_replay(data, verify)
    assert replay.verdict is not None
    assert replay.verdict.level == 5
    assert {note.text for note in replay.log.notes} == {"resumed"}
    calls = [step for step in replay.steps if isinstance(step.action, Stop)]
    assert len(calls) > 3
    assert replay.position(replay.length) == state_of(pair.players[0]).position
    kinds = {entry.signed.event.type for entry in replay.log.entries}
    assert {EventType.STOP, EventType.AUDIT, EventType.RESULT} <= kinds


if __name__ == "__main__":
    for row, held in REPORTS.items():
        sys.stdout.write(f"{row}  {', '.join(held)}\n")
