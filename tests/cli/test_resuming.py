"""``crapette resume`` where nothing can simply go on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.cli.errors import CommandFailed
from crapette_p2p.gamelog.genesis import Match, decode_genesis, encode_genesis
from crapette_p2p.gamelog.records import MAGIC, RecordKind, encode_record, read_records
from crapette_p2p.net.address import Address
from crapette_p2p.net.endpoint import ResumeOptions
from crapette_p2p.net.hints import Hint, Hints
from crapette_p2p.net.identity import load_identity
from crapette_p2p.net.paths import find_paths
from tests.cli.commands import Crapette
from tests.cli.finished import finished_log, finished_of


def test_nothing_was_interrupted(crapette: Crapette) -> None:
    """It says so, and what begins a game."""
    done = crapette("resume")
    assert done.code == 2
    assert "no interrupted game is kept here" in done.err
    assert "crapette join ADDRESS" in done.err


def test_a_match_that_waits_for_its_next_deal_is_listed(crapette: Crapette) -> None:
    """``resume`` goes on with it, so the list of what can go on has it."""
    keep(crapette, match=Match(target=500))
    row = crapette("resume", "--list").out.splitlines()[1]
    assert "Ala" in row
    assert row.endswith("  a deal")
    (fields,) = json.loads(crapette("resume", "--list", "--json").out)
    assert (fields["status"], fields["next"]) == ("finished", "deal")
    assert fields["result"] is not None


def test_a_result_without_the_others_signature_is_no_game_to_play(
    crapette: Crapette,
) -> None:
    """Its log is open, as ``games`` says, too: what is missing is told with it."""
    keep(crapette, match=Match(), without=1)
    (fields,) = json.loads(crapette("resume", "--list", "--json").out)
    assert (fields["status"], fields["next"]) == ("open", "signature")
    (kept,) = json.loads(crapette("games", "--json").out)
    assert fields["result"] == kept["result"]
    assert fields["result"]["winner"] == "B"
    assert crapette("resume", "--list").out.splitlines()[1].endswith("  a signature")


def test_a_game_to_be_played_on_has_no_result(crapette: Crapette) -> None:
    """What is next is a turn."""
    keep(crapette, match=Match(), without=40)
    (fields,) = json.loads(crapette("resume", "--list", "--json").out)
    assert (fields["next"], fields["result"]) == ("turn", None)
    assert crapette("resume", "--list").out.splitlines()[1].endswith("  a turn")


@pytest.mark.parametrize("flags", [("--plain",), ("--auto", "novice", "--json")])
@pytest.mark.parametrize("named", [True, False])
def test_a_damaged_log_is_named(
    crapette: Crapette, flags: tuple[str, ...], *, named: bool
) -> None:
    """Which file it is, and the command that says more of it; exit 10."""
    keep(crapette, match=Match(), without=40)
    (path,) = (crapette.home / "games").iterdir()
    path.write_bytes(spliced(path.read_bytes()))
    (fields,) = json.loads(crapette("games", "--json").out)
    assert fields["status"] == "damaged"
    done = crapette("resume", *([path.stem[-16:]] if named else []), *flags)
    assert done.code == 10
    told, hint = done.err.splitlines()
    assert str(path) in told
    assert hint.endswith(f"crapette verify {path}")


def test_a_log_that_is_whole_and_wrong_is_named(crapette: Crapette) -> None:
    """A list sees nothing in it; where it goes on the rules find what is wrong."""
    keep(crapette, match=Match(), without=40)  # played for another genesis
    (fields,) = json.loads(crapette("games", "--json").out)
    assert fields["status"] == "open"
    done = crapette("resume", "--plain")
    assert done.code == 10
    told, hint = done.err.splitlines()
    assert told.startswith(f"crapette: {fields['file']} breaks at record ")
    assert hint.endswith(f"crapette verify {fields['file']}")


def spliced(log: bytes) -> bytes:
    """Without an event in its middle."""
    records = [encode_record(r.kind, r.body) for r in read_records(log).records]
    del records[len(records) // 2]
    return MAGIC + b"".join(records)


def test_the_name_of_the_game_is_kept(
    crapette: Crapette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sat there as Olek is Olek when it goes on, unless ``--name`` is typed."""
    keep(crapette, match=Match(target=500))
    names = []

    def taken_up(_path: Path, options: ResumeOptions) -> None:
        names.append(options.player.nick)
        raise CommandFailed("far enough")

    monkeypatch.setattr("crapette_p2p.net.endpoint.resume", taken_up)
    monkeypatch.setenv("CRAPETTE_NAME", "somebody")
    crapette("resume", "--host")
    crapette("--name", "Boris", "resume", "--host")
    assert names == ["Olek", "Boris"]


def test_a_single_finished_deal_is_not(crapette: Crapette) -> None:
    """Nothing follows it."""
    keep(crapette, match=Match())
    assert "no interrupted game" in crapette("resume", "--list").err


def keep(crapette: Crapette, match: Match, *, without: int = 0) -> None:
    """A finished deal of ours as B, of that match, less so many of its last records."""
    crapette("id")
    mine = load_identity(find_paths(str(crapette.home), {}).identity_key).public
    data = read_records(finished_log()).records[0].body[0]
    assert isinstance(data, bytes)
    first = decode_genesis(data)
    changed = replace(first, keys=(first.keys[0], mine), match=match)
    games = crapette.home / "games"
    games.mkdir(parents=True)
    log = finished_of(changed, without=without)
    (games / "20261130-0123456789abcdef.crlog").write_bytes(log)


_NOT_BEGUN = {
    "en": ("the deal with Ala was agreed on, but had not begun here", "not begun"),
    "de": ("das Spiel mit Ala war vereinbart, hatte hier", "nicht begonnen"),
    "fr": ("la donne avec Ala était convenue, mais", "pas commencée"),
    "pl": ("rozdanie z graczem Ala było umówione, ale", "nie zaczęta"),
    "ru": ("раздача с игроком Ala была согласована, но", "не начата"),
}


@pytest.mark.parametrize("lang", _NOT_BEGUN)
def test_a_deal_that_was_agreed_on_and_never_began(
    crapette: Crapette, lang: str
) -> None:
    """Killed between ACCEPT and START, and nothing says where: joining begins it."""
    keep_agreed(crapette)
    sentence, outcome = _NOT_BEGUN[lang]
    for words in (["resume"], ["resume", "last"], ["resume", "0123456789abcdef"]):
        done = crapette("--lang", lang, *words)
        assert done.code == 2
        assert sentence in done.err
        assert "crapette join " in done.err
    row = crapette("--lang", lang, "games").out.splitlines()[1]
    assert row.endswith(f"  {outcome}")


def test_a_deal_that_was_agreed_on_is_listed_and_dialled(crapette: Crapette) -> None:
    """Where the other is, by word or from before, it is gone on with like a game."""
    keep_agreed(crapette)
    fields = json.loads(crapette("resume", "--list", "--json").out)
    assert [each["status"] for each in fields] == ["accepted"]
    dial = ("resume", "--auto", "club", "--wait", "0.2")
    done = crapette(*dial, "--address", "127.0.0.1:1")
    assert done.code == 8, done.err
    place = Address("127.0.0.1", 1)
    hint = Hint(hosted=False, port=0, addresses=(str(place),))
    game_id = bytes.fromhex(str(fields[0]["game"])).ljust(32, b"\0")
    Hints(find_paths(str(crapette.home), {}).resume).save(game_id, hint)
    assert crapette(*dial).code == 8


def keep_agreed(crapette: Crapette) -> None:
    """A deal that we, as B, have agreed to, and no START."""
    crapette("id")
    mine = load_identity(find_paths(str(crapette.home), {}).identity_key).public
    data = read_records(finished_log()).records[0].body[0]
    assert isinstance(data, bytes)
    first = decode_genesis(data)
    genesis = encode_genesis(replace(first, keys=(first.keys[0], mine)))
    record = encode_record(RecordKind.GENESIS, (genesis, None, bytes(64)))
    games = crapette.home / "games"
    games.mkdir(parents=True)
    (games / "20261130-0123456789abcdef.crlog").write_bytes(MAGIC + record)
