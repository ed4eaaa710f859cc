"""E: log files: bent, spliced, cut, huge, hostile, and judged by strangers."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from crapette_p2p.cli import main
from crapette_p2p.engine.actions import RESIGN, TURN
from crapette_p2p.gamelog.compare import Relation, compare_logs
from crapette_p2p.gamelog.dump import log_to_json_lines, log_to_text
from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.records import (
    MAGIC,
    MAX_FILE,
    RecordKind,
    encode_record,
    read_records,
)
from crapette_p2p.gamelog.replay import Replay, open_replay
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.failures import StorageError
from crapette_p2p.net.store import GameStore, log_name, read_log_file
from tests.adversarial.verdicts import ROOT, verified
from tests.helpers.fakegame import (
    FakeGame,
    RawRecord,
    file_of,
    make_genesis,
    play_game,
    verify,
)
from tests.net.tables import make_player

GENESIS, EVENT, ACK = RecordKind.GENESIS, RecordKind.EVENT, RecordKind.ACK
NOTE = RecordKind.NOTE


@cache
def short_game(seed: int = 7) -> FakeGame:
    """A whole game of some forty events."""
    return play_game("crapette", seed=seed, k=2, actions=12)


def why(records: list[RawRecord]) -> tuple[int, str | None, int | None]:
    """Level, reason and place of the verdict on these records."""
    verdict = verify_log(file_of(records), verify)
    return verdict.level, verdict.why, verdict.first_bad


@pytest.mark.slow
def test_e04_records_deleted_doubled_swapped_and_edited() -> None:
    """E4: each kind of damage at each record has its own verdict, at its place."""
    records = short_game().records
    doubled = {GENESIS: "second-genesis", EVENT: "repeated-event", ACK: "stray-ack"}
    for at in range(1, len(records) - 1, 3):
        kind = records[at][0]
        without = records[:at] + records[at + 1 :]
        expected = "stray-ack" if kind == EVENT else "not-acknowledged"
        assert why(without) == (0, expected, at)
        assert why(records[: at + 1] + records[at:]) == (0, doubled[kind], at + 1)
        exchanged = list(records)
        exchanged[at : at + 2] = exchanged[at + 1], exchanged[at]
        assert why(exchanged) == (0, expected, at)
        bent = bytearray(encode_record(*records[at]))
        bent[-1] ^= 1
        parts = [encode_record(*record) for record in records]
        data = MAGIC + b"".join([*parts[:at], bytes(bent), *parts[at + 1 :]])
        verdict = verify_log(data, verify)
        assert (verdict.level, verdict.first_bad) == (0, at)


def test_e04_a_signed_event_that_does_not_follow() -> None:
    """E4: good signatures of both under another link are damage all the same."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    game.set_up()
    signed = game.sign(0, EventType.RESIGN, (), prev=bytes(32))
    game.final(signed)
    verdict = verify_log(game.data, verify)
    assert (verdict.level, verdict.why, verdict.first_bad) == (0, "bad-link", 21)


@pytest.mark.slow
def test_e04_torn_last_bytes() -> None:
    """E4: they are left out and told of; what is before them keeps its level."""
    data = short_game().data
    last = len(encode_record(*short_game().records[-1]))
    for cut in range(1, last):
        verdict = verify_log(data[:-cut], verify)
        assert (verdict.level, verdict.torn, verdict.first_bad) == (4, True, None)
        assert "torn" in verdict.caveats


@pytest.mark.slow
def test_e05_two_games_spliced() -> None:
    """E5: the first record of the other game does not belong there."""
    one, two = short_game(7).records, short_game(8).records
    for at in range(1, min(len(one), len(two)) - 1, 2):
        level, reason, place = why(one[:at] + two[at:])
        assert (level, place) == (0, at)
        assert reason in ("other-game", "stray-ack")


@pytest.mark.slow
def test_e06_a_log_without_its_tail() -> None:
    """E6: a lower level, and the caveat that the tail may be missing."""
    records = short_game().records
    for size in range(1, len(records), 4):
        verdict = verify_log(file_of(records[:size]), verify)
        assert verdict.first_bad is None
        assert verdict.level <= 4
        assert "tail-may-be-missing" in verdict.caveats
        assert verdict.debtor is not None
    assert "tail-may-be-missing" not in verify_log(file_of(records), verify).caveats


def forked() -> tuple[bytes, bytes]:
    """Two logs of one game, one of whose players signed two events with one number."""
    logs = []
    for action in (TURN, RESIGN):
        game = FakeGame(make_genesis("russian-bank", k=2, seed=5), seed=5)
        game.set_up()
        assert game.state.position is not None
        game.act(int(game.state.position.active), action)
        logs.append(game.data)
    return logs[0], logs[1]


def test_e07_two_logs_beside_each_other() -> None:
    """E7: prefix, fork with proof, different games."""
    records = short_game().records
    whole, half = file_of(records), file_of(records[:21])
    found = compare_logs(half, whole, verify)
    assert (found.relation, found.longer, found.common) == (Relation.PREFIX, 1, 10)
    other = compare_logs(whole, short_game(8).data, verify)
    assert other.relation is Relation.DIFFERENT
    found = compare_logs(*forked(), verify)
    assert found.relation is Relation.FORK
    assert found.evidence is not None
    judged = judge_evidence(found.evidence, verify)
    assert (judged.proven, judged.code, judged.seat) == (True, 402, found.guilty)


def note(text: str = "x") -> bytes:
    """A NOTE record."""
    return encode_record(NOTE, (0, text))


def test_e08_too_many_records_too_large_and_compressed() -> None:
    """E8: 65,537 records, 16 KiB + 1, 1 GiB, 64 MiB + 1, gzip: a reason each."""
    genesis = encode_record(*short_game().records[0])
    many = MAGIC + genesis + note() * 65_536
    assert (verify_log(many, verify).why, read_records(many).why) == (
        "too-many-records",
        "too-many-records",
    )
    for size in (16_385, 1 << 30, 2**32 - 1, 0, 1):
        data = MAGIC + genesis + struct.pack(">I", size) + bytes(100)
        assert verify_log(data, verify).why == "bad-record"
    assert verify_log(bytes(MAX_FILE + 1), verify).why == "too-large"
    assert verify_log(b"\x1f\x8b\x08" + bytes(40), verify).why == "not-a-log"
    bomb = b"\x95\xb1crapette-evidence" + b"\xdd\xff\xff\xff\xff" * 20
    assert judge_evidence(bomb, verify).why == "not-evidence"


@pytest.mark.slow
def test_e08_the_worst_files_cost_little() -> None:
    """E8: memory stays near the file's size, whatever is in it."""
    genesis = encode_record(*short_game().records[0])
    evidence = b"\x95\xb1crapette-evidence"
    head = b"\x01\xcd\x01\x94\xc4\x20" + bytes(32)
    arrays = b"\xdc\x00\x08" + (b"\xdc\xff\xff" + b"\x90" * 0xFFFF) * 8
    files = [
        (MAGIC + genesis + note("x" * 200) * 20_000, 4),
        (evidence + head + arrays, 1),
        (evidence + arrays + head[1:] + b"\x90", 1),
        (b"\x95" * 1_000_000, 1),
    ]
    for data, most in files:
        tracemalloc.start()
        verify_log(data, verify)
        judge_evidence(data, verify)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < most * len(data) + (1 << 18)


def test_e08_what_is_no_file_of_ours(tmp_path: Path) -> None:
    """E8: links, FIFOs and devices are not opened as logs, nor waited for."""
    store = GameStore(tmp_path / "games", tmp_path / "secrets")
    store.games.mkdir()
    good = store.games / "20261130-0123456789abcdef.crlog"
    good.write_bytes(short_game().data)
    os.mkfifo(store.games / "20261130-1123456789abcdef.crlog")
    (store.games / "20261130-2123456789abcdef.crlog").symlink_to(good)
    (store.games / "20261130-3123456789abcdef.crlog").symlink_to("/dev/zero")
    (store.games / "20261130-4123456789abcdef.crlog").mkdir()
    codes = []
    for path in store.logs():
        try:
            read_log_file(path)
            store.open(path).close()
        except StorageError as error:
            codes.append(error.failure.code)
    assert codes == ["cannot-read"] * 4
    player = make_player(tmp_path / "else", "Ala")
    kept = replace(player, store=store).kept
    assert [summary.path for summary in kept.summaries()] == [good]


HOSTILE_TEXT = "\x1b]52;c;aGk=\x07\x9b31m\u202e\x1b[2J\n\r\x00"


def with_hostile_notes() -> bytes:
    """A log with notes that would drive a terminal."""
    return short_game().data + note(HOSTILE_TEXT) + note("x" * 250)


def harmless(text: str) -> bool:
    """Whether nothing but lines of printable text is in it."""
    return all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_e09_hostile_text_reaches_no_terminal(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """E9: notes and nicks are escaped wherever a log is shown."""
    path = tmp_path / "bad\x1b[2Jname.crlog"
    path.write_bytes(with_hostile_notes())
    flags = ["--dump"] if command == "replay" else []
    main([command, *flags, str(path)])
    shown = capsys.readouterr()
    assert shown.out
    assert harmless(shown.out)
    assert harmless(shown.err)


def test_e09_hostile_text_in_exports() -> None:
    """E9: neither as text nor as JSON lines."""
    replay = open_replay(with_hostile_notes(), verify)
    assert isinstance(replay, Replay)
    assert all(line.isprintable() for line in log_to_text(replay))
    for line in log_to_json_lines(replay):
        assert all(str(value).isprintable() for value in line.values())


@pytest.mark.parametrize("nick", ["CON", "aux", "NUL", "..", "a.b"])
def test_e10_names_of_files(nick: str, tmp_path: Path) -> None:
    """E10: from date and game id alone, also for players called after devices."""
    genesis = make_genesis(seed=1, names=("Ala", nick))
    game_id = FakeGame(genesis, names=("Ala", nick)).game_id
    for moment in (0, 2**63 - 1, genesis.unix_time):
        name = log_name(game_id, moment)
        assert Path(name).name == name
        assert nick not in name.removesuffix(".crlog")
    store = GameStore(tmp_path / "games", tmp_path / "secrets")
    log = store.create(game_id, 0)
    log.append(encode_record(*FakeGame(genesis, names=("Ala", nick)).records[0]))
    log.close()
    with pytest.raises(StorageError):  # what exists is left alone
        store.create(game_id, 0)
    assert store.logs() == (tmp_path / "games" / log_name(game_id, 0),)


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "NAME"),
        ("compare", "NAME", "NAME"),
        ("replay", "--dump", "NAME"),
        ("games", "path", "NAME"),
        ("rules", "NAME"),
        ("keys", "--data-dir", "NAME"),
        ("stats", "--data-dir", "NAME"),
        ("games", "--data-dir", "NAME"),
        ("id", "--data-dir", "NAME"),
        ("config", "--config", "NAME"),
    ],
)
@pytest.mark.parametrize("name", ["x" * 300, "/dev/null/x", "/etc/hostname"])
def test_e10_names_that_no_system_takes(
    words: tuple[str, ...], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """E10: too long, below a file, no folder: said in words, never a bug report."""
    code = main(["--no-input", *(name if word == "NAME" else word for word in words)])
    assert code != 1 or "report" not in capsys.readouterr().err


def test_e11_one_key_on_both_seats() -> None:
    """E11: it verifies, and the caveat says that nobody played against anybody."""
    game = FakeGame(
        make_genesis(k=2, seed=1, names=("Ala", "Ala")), seed=1, names=("Ala", "Ala")
    )
    game.set_up()
    game.act(0, RESIGN)
    game.settle()
    verdict = verify_log(game.data, verify)
    assert (verdict.level, verdict.first_bad) == (5, None)
    assert verdict.caveats[0] == "same-key"
    assert verify_log(short_game().data, verify).caveats[0] == "keys-are-not-persons"


NO_NETWORK = """
import socket, sys
class Forbidden(socket.socket):
    def __init__(self, *args, **kwargs):
        raise AssertionError("the verifier opened a socket")
socket.socket = Forbidden
from crapette_p2p.cli import main
sys.exit(main(["verify", "--json", sys.argv[1]]))
"""


@pytest.mark.slow
def test_e12_a_verifier_that_has_nothing_but_the_file(tmp_path: Path) -> None:
    """E12: another process, an empty home, no key, no network."""
    path = tmp_path / "game.crlog"
    path.write_bytes(short_game().data)
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK, str(path)],
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
        },
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert '"level":5' in done.stdout
    assert list(home.iterdir()) == []
    (answer,) = verified([str(path)])
    assert answer["level"] == 5


def signed_but_unlawful() -> bytes:
    """Both sign a move that the rules refuse."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    game.set_up()
    assert game.state.position is not None
    signed = game.sign(game.state.position.active, EventType.MOVE, (0, 0))
    game.record(EVENT, signed.data, signed.sig)
    game.finish(signed, game.state)
    return game.data


def lawful_but_badly_opened() -> bytes:
    """Both sign an opening that is not the committed one."""
    game = FakeGame(make_genesis(k=2, seed=3), seed=3)
    while game.log.length < 9:
        made = game.owed()
        assert made is not None
        game.event(*made)
    made = game.owed()
    assert made is not None
    author, kind, (deck, lines) = made
    assert isinstance(lines, tuple)
    bent = tuple((slot, card, bytes(32)) for slot, card, _ in lines)
    game.final(game.sign(author, kind, (deck, bent)), trusting=True)
    return game.data


def test_e13_every_level_is_reached() -> None:
    """E13: damaged, signed, lawful, opened, audited, closed."""
    records = short_game().records
    levels = [
        verify_log(data, verify).level
        for data in (
            MAGIC,
            signed_but_unlawful(),
            lawful_but_badly_opened(),
            file_of(records[:40]),
            file_of(records[:-2]),
            file_of(records),
        )
    ]
    assert levels == [0, 1, 2, 3, 4, 5]
