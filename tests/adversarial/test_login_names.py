"""A15: names and labels that would drive a terminal or a file system."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.engine.ruleset import PRESETS
from crapette_p2p.gamelog.genesis import Genesis, encode_genesis
from crapette_p2p.net.store import log_name
from crapette_p2p.session import messages as wire
from crapette_p2p.session.notices import ChatReceived, PeerLeft, TermsProposed
from crapette_p2p.session.states import State
from crapette_p2p.ui.narrator import Narrator
from tests.adversarial.stages import at_state, in_lobby
from tests.adversarial.verdicts import verdict_on
from tests.helpers.pair import make_player
from tests.helpers.stranger import Dialler, nobody

HOSTILE = {
    "escape": "\x1b[2J",
    "8-bit escape": "a\x9bb",
    "clipboard": "\x1b]52;c;\x07",
    "right to left": "\u202eevil",
    "isolate": "\u2066evil",
    "zero width": "zero\u200bwidth",
    "joiner": "a\u200db",
    "markup": "[/",
    "markup link": "[@click=x]",
    "marks": "a" + "\u0301" * 3,
    "path": "../..",
    "separator": "a/b",
    "backslash": "a\\b",
    "colon": "C:x",
    "empty": "",
    "21 code points": "x" * 21,
    "49 bytes": "é" * 20 + "xxxxxxxxx",
    "not composed": "e\u0301",
    "space before": " Ala",
    "space behind": "Ala ",
    "two spaces": "A  la",
    "mark first": "\u0301a",
    "NUL": "a\0b",
    "line break": "a\nb",
    "no-break space": "a\u00a0b",
    "line separator": "a\u2028b",
    "private use": "\ue000",
    "emoji": "\U0001f600",
    "unassigned": "\u0378",
}


@pytest.mark.parametrize("nick", HOSTILE.values(), ids=HOSTILE)
def test_a15_a_hostile_nick(nick: str) -> None:
    """A15: 208 on both sides, although it is signed correctly."""
    dialler = Dialler(make_player("Ala"))
    dialler.greet()
    dialler.say(dialler.auth(nick))
    verdict_on(dialler.listener, 208, proven=False)
    hostile = at_state(State.READY)
    hostile.say(wire.Ready(nick, 0))
    hostile.require(208)


def test_a15_ten_thousand_marks() -> None:
    """A15: a nick as long as that is no frame before login, no text ever."""
    nick = ("a" + "\u0301" * 10_000).encode()
    dialler = Dialler(make_player("Ala"))
    dialler.greet()
    payload = b"\x96\x03" + b"\xda" + len(nick).to_bytes(2, "big") + nick
    dialler.pair.inject(0, payload)
    dialler.pair.deliver(0)
    verdict_on(dialler.listener, 100, proven=False)


@pytest.mark.parametrize("nick", ["CON", "NUL", "aux", "com1", ".", "-rf", "..", "~"])
def test_a15_a_nick_never_names_a_file(nick: str) -> None:
    """A15: reserved names are names; what is written is called after the game id."""
    dialler = Dialler(make_player("Ala"))
    dialler.listener.person = nobody
    dialler.greet()
    dialler.say(dialler.auth(nick))
    if nick == "~":
        verdict_on(dialler.listener, 208, proven=False)
    else:
        assert dialler.listener.live.state is State.WAIT_HUMAN
    assert log_name(b"\xab" * 32, 0) == "19700101-abababababababab.crlog"


def printable(text: str) -> bool:
    """Whether nothing in a text can drive a terminal."""
    return all(character.isprintable() for character in text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a15_chat_and_farewells_are_one_harmless_line(text: str) -> None:
    """A15, S13: both are stripped on receipt, whatever is in them."""
    hostile = in_lobby()
    hostile.say(wire.Chat(text))
    hostile.say(wire.Bye(501, None, text[:30]))
    told = [n.text for n in hostile.honest.notices if isinstance(n, ChatReceived)]
    told += [n.text for n in hostile.honest.notices if isinstance(n, PeerLeft)]
    assert told
    assert all("\n" not in line and _is_stripped(line) for line in told)


def _is_stripped(line: str) -> bool:
    return all(c.isprintable() or c == "\u00a0" for c in line)


@pytest.mark.parametrize("text", ["\x1b]52;c;aGk=\x07", "\x1b[2J", "a\x9bb", "\u202ex"])
def test_a15_the_label_of_the_rules_is_harmless_too(text: str) -> None:
    """A15: a preset's name is the proposer's text; the line mode shows it."""
    hostile = in_lobby(victim=1)
    hostile.honest.person = nobody
    ala, olek = hostile.cheat, hostile.honest
    genesis = Genesis(
        preset="crapette",
        rules=PRESETS["crapette"],
        keys=(ala.key.public, olek.key.public),
        nicks=("Ala", "Olek"),
        nonces=(bytes(32), None),
    )
    hostile.say(wire.ProposeMessage(encode_genesis(replace(genesis, preset=text))))
    proposed = hostile.honest.of(TermsProposed)
    for notice in proposed:
        assert all(printable(line) for line in Narrator().tell(notice))
    assert proposed or hostile.honest.closed == 301
