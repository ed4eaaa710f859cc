"""E: whoever lies at the end of a game, against real ``crapette`` processes.

The victim is the command as it is installed: what it exits with, what it writes on
its screen and into its folder, and whether a fresh ``crapette verify`` is convinced.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from crapette_p2p.gamelog.events import EventType
from crapette_p2p.gamelog.log import SignedEvent
from crapette_p2p.session.messages import Bye
from tests.adversarial.over_tls import LOOPBACK, Cheat, Trick, honest
from tests.adversarial.verdicts import verified
from tests.cli.processes import Running
from tests.net.processes import Crapette, Machine, machine_in

pytestmark = pytest.mark.slow

AUDIT, RESIGN = EventType.AUDIT, EventType.RESIGN
TALK = (
    (r"play by these\? \[y/n", "y"),
    ("dealing: done", "resign"),
    (r"resign\? \[y/n\]", "y"),
)
"""What a person who gives up in line mode is asked, and answers."""
LABEL = "\x1b[2Jrules\x07\u202e\x9b"
MOST = 1_500
"""Characters a victim may write about one fault."""


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """Real processes, ended with the test."""
    with machine_in(tmp_path) as machine:
        yield machine


def instead(kind: EventType, trick: Trick) -> Trick:
    """A trick with his events of one kind only."""

    def changed(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
        return trick(cheat, signed) if signed.event.type == kind else [signed]

    return changed


def _bent(cheat: Cheat, signed: SignedEvent, seeds: tuple[bytes, bytes]) -> SignedEvent:
    return cheat.sign(replace(signed.event, body=seeds))


def wrong_seed(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """A seed that makes another layer."""
    return [_bent(cheat, signed, (cheat.seeds()[0], bytes(32)))]


def decks_exchanged(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """Both seeds, each for the other deck."""
    one, two = cheat.seeds()
    return [_bent(cheat, signed, (two, one))]


def the_others(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """The seeds that the victim has just shown."""
    body = cheat.game.log.entries[-1].signed.event.body
    return [cheat.sign(replace(signed.event, body=body))]


def twice_the_same(_cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """His AUDIT, and the same once more."""
    return [signed, signed]


def twice_in_a_row(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """His AUDIT, and another one after it, where RESULT is due."""
    return [signed, cheat.after(signed, AUDIT, signed.event.body)]


def twice_differently(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """Two AUDITs with one number."""
    return [signed, *wrong_seed(cheat, signed)]


def before_the_winner(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """The loser's AUDIT in one breath with his resignation."""
    return [signed, cheat.after(signed, AUDIT, cheat.seeds())]


def before_the_end(cheat: Cheat, signed: SignedEvent) -> Iterable[SignedEvent]:
    """An AUDIT in the middle of the game, in place of the resignation."""
    return [cheat.sign(replace(signed.event, type=AUDIT, body=cheat.seeds()))]


def withheld(_cheat: Cheat, _signed: SignedEvent) -> Iterable[SignedEvent]:
    """Nothing at all; PINGs are answered."""
    return []


IN_A_ROW = instead(AUDIT, twice_in_a_row)
DIFFERENTLY = instead(AUDIT, twice_differently)
LIES = [
    (instead(AUDIT, wrong_seed), 408),
    (instead(AUDIT, decks_exchanged), 408),
    (instead(AUDIT, the_others), 408),
    (IN_A_ROW, 404),
    (DIFFERENTLY, 402),
    (instead(RESIGN, before_the_winner), 404),
    (instead(RESIGN, before_the_end), 404),
]
NAMES = [
    "wrong seed",
    "decks exchanged",
    "the other's seeds",
    "twice in a row",
    "twice, differently",
    "before the winner",
    "before the end",
]


def require_decent(said: str) -> None:
    """A few lines that any terminal may show, and no traceback."""
    assert 0 < len(said) < MOST, said
    assert all(char == "\n" or char.isprintable() for char in said), ascii(said)
    assert "Traceback" not in said


def require_convicted(
    home: Path, code: int, guilty: str, *, audited: bool = False
) -> None:
    """A stranger believes the evidence, and finds nothing wrong with the log.

    ``audited``: both had shown their seeds before.
    """
    games = home / "games"
    (proof,) = games.glob("*.crev")
    (log,) = games.glob("*.crlog")
    assert proof.name.endswith(f"-{code}.crev")
    judged, kept = verified([str(proof), str(log)])
    told = (judged["proven"], judged["fault"], judged["guilty"])
    assert told == (True, code, guilty)
    assert kept["first_bad"] is None
    assert kept["level"] == (4 if audited else 3)
    assert (kept["fault"], kept["guilty"]) == (code, guilty)


def hosted(machine: Machine, trick: Trick, **more: object) -> tuple[Crapette, Cheat]:
    """A real host whom the cheat visits, until both are done with each other."""
    host, port = machine.host("--accept-unverified", level="novice")
    return host, Cheat(trick, **more).dial(port)  # type: ignore[arg-type] # fields by name


@pytest.mark.parametrize(("trick", "code"), LIES, ids=NAMES)
def test_e01_a_host_whose_guest_lies(machine: Machine, trick: Trick, code: int) -> None:
    """E1: exit 9, a sentence, evidence for a stranger, and a log that stays good."""
    host, cheat = hosted(machine, trick)
    assert host.wait() == 9, host.errors()
    assert cheat.byes == [code]
    require_decent(host.errors())
    audited = trick in (IN_A_ROW, DIFFERENTLY)
    require_convicted(host.home, code, "B", audited=audited)


def test_e01_the_same_audit_again_is_no_lie(machine: Machine) -> None:
    """E1: repeated bytes are answered once more, and the game is closed."""
    host, _ = hosted(machine, instead(AUDIT, twice_the_same))
    assert host.wait() == 0, host.errors()
    assert not list((host.home / "games").glob("*.crev"))
    (kept,) = verified([str(host.log())])
    assert kept["level"] == 5


def test_e02_a_host_whose_guest_does_not_audit(machine: Machine) -> None:
    """E2: 106 after T_STEP, nobody is a cheat, and the log says who owes what."""
    machine.module = ("tests.adversarial.impatient",)
    host, cheat = hosted(machine, instead(AUDIT, withheld))
    assert cheat.byes == [106]
    assert host.kill(signal.SIGTERM) in (0, 143)
    assert not list((host.home / "games").glob("*.crev"))
    (kept,) = verified([str(host.log())])
    assert (kept["level"], kept["first_bad"], kept["guilty"]) == (3, None, None)
    assert (kept["owed_by"], kept["owes"]) == ("B", "AUDIT")


@pytest.mark.parametrize(
    ("trick", "code"), [LIES[2], LIES[5]], ids=[NAMES[2], NAMES[5]]
)
def test_e01_a_guest_whose_host_lies(machine: Machine, trick: Trick, code: int) -> None:
    """E1: the same for whoever joined; the host's key is no more trusted."""
    with socket.create_server((LOOPBACK, 0)) as listening:
        listening.settimeout(60)
        port = listening.getsockname()[1]
        guest = machine.join(port, "--accept-unverified")
        cheat = Cheat(trick).host(listening.accept()[0])
    assert guest.wait() == 9, guest.errors()
    assert cheat.byes == [code]
    require_decent(guest.errors())
    require_convicted(guest.home, code, "A")


def test_e01_a_winner_who_lies_to_a_person(tmp_path: Path) -> None:
    """E1, E9: a person resigns in line mode; the winner's AUDIT is wrong: no win.

    What he calls his rules is shown without what a terminal would obey.
    """
    with socket.create_server((LOOPBACK, 0)) as listening:
        listening.settimeout(60)
        where = (LOOPBACK, str(listening.getsockname()[1]))
        home = tmp_path / "ela"
        flags = ("--plain", "--accept-unverified")
        cheat = Cheat(instead(AUDIT, wrong_seed), plays=True, label=LABEL)
        with (
            ThreadPoolExecutor() as beside,
            Running(home, "join", *where, *flags, name="Ela") as ela,
        ):
            playing = beside.submit(lambda: cheat.host(listening.accept()[0]))
            for question, answer in TALK:
                ela.wait_for(question)
                ela.type(answer)
            playing.result(60)
            assert ela.finish() == 9, ela.out + ela.err
    assert cheat.byes == [408]
    shown = ela.out + ela.err
    assert "Traceback" not in shown
    assert "2Jrules" in shown
    assert all(char == "\n" or char.isprintable() for char in shown), ascii(shown)
    require_convicted(home, 408, "A")


@pytest.mark.parametrize("code", [404, 501, 999])
def test_e09_a_farewell_with_a_hostile_text(machine: Machine, code: int) -> None:
    """E9: what a BYE says is shown without its teeth, or not at all."""
    text = "\x1b]52;c;aGk=\x07\x9b2J\u202egnp.exe [/red] " + "A" * 70
    said = Bye(code, 7, text.encode()[:118].decode("utf-8", "ignore"))
    host, _ = hosted(machine, honest, farewell=said)
    if code == 501:  # he may come back: the host waits for him
        assert host.kill(signal.SIGTERM) in (0, 143)
    else:
        assert host.wait() in (6, 8, 9), host.errors()
        require_decent(host.errors())
    assert "Traceback" not in host.errors()
    assert not list((host.home / "games").glob("*.crev"))
    (kept,) = verified([str(host.log())])
    assert (kept["first_bad"], kept["guilty"]) == (None, None)
