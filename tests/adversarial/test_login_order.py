"""A: versions, messages before and after their time, tokens that open nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crapette_p2p.session import messages as wire
from crapette_p2p.session.states import State
from tests.adversarial.hostile import SPLITS
from tests.adversarial.logins import hostile_host, listener, meets, refused
from tests.adversarial.stages import at_state
from tests.helpers.pair import make_player
from tests.helpers.stranger import TOKEN, Dialler


@pytest.mark.parametrize(
    ("vmin", "vmax", "version"),
    [
        (1, 1, 1),
        (0, 65_535, 1),
        (1, 65_535, 1),
        (0, 1, 1),
        (2, 3, None),
        (0, 0, None),
        (2, 1, None),
        (65_535, 0, None),
        (65_535, 65_535, None),
    ],
)
def test_a09_ranges_of_versions(vmin: int, vmax: int, version: int | None) -> None:
    """A9: overlapping and huge ranges meet at 1; disjoint and inverted are 200."""
    dialler = Dialler(listener())
    hello = replace(dialler.hello, vmin=vmin, vmax=vmax, caps=2**32 - 1)
    if version is not None:
        assert (dialler.greet(hello).version, dialler.host.caps) == (version, 0)
        dialler.say(dialler.auth())
        assert dialler.listener.closed is None
    else:
        dialler.say(hello)
        refused(dialler, 200)


@pytest.mark.parametrize("version", [0, 2, 65_535])
def test_a09_a_host_of_a_version_not_offered(version: int) -> None:
    """A9: the listener cannot pull the dialler to another version."""
    meets(*hostile_host(version=version), 200)


SAMPLES: dict[State, wire.Message] = {
    State.HELLO: wire.Hello("crapette", 1, 1, bytes(32), 0),
    State.AUTH: wire.Auth(bytes(32), bytes(32), "Olek", bytes(64), None),
    State.HOST: wire.Host("crapette", 1, 0, bytes(32), bytes(32), bytes(64)),
    State.READY: wire.Ready("Ala", 0),
}
"""What each state of a login waits for."""
LATER: list[wire.Message] = [
    wire.Chat("hi"),
    wire.ProposeMessage(b"x"),
    wire.Accept(bytes(32), bytes(64)),
    wire.Start(bytes(64)),
    wire.Resume(None, 0, None, 0),
    wire.Sync(0, 1),
    wire.Records(0, (b"x",)),
    wire.EventMessage(b"\x90", bytes(64)),
    wire.Ack(0, bytes(32), bytes(32), bytes(64)),
]
PINGS: list[wire.Message] = [wire.Ping(1), wire.Pong(1)]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("state", [*SAMPLES, State.WAIT_HUMAN])
def test_a10_what_comes_before_its_time(state: State, split: str) -> None:
    """A10: AUTH before HOST, a second HELLO, EVENT before READY: 104 each."""
    wrong = [m for waits, m in SAMPLES.items() if waits is not state] + LATER
    if state in (State.HELLO, State.AUTH, State.HOST):
        wrong += PINGS
    for message in wrong:
        hostile = at_state(state, split=split)
        hostile.say(message)
        hostile.require(104)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("state", [State.LOBBY, State.PLAY, State.RESUMING])
def test_a10_what_comes_after_its_time(state: State, split: str) -> None:
    """A10: login messages in the lobby, START in mid-game, RECORDS unasked: 104."""
    wrong = [*SAMPLES.values(), *LATER]
    fine: dict[State, tuple[type, ...]] = {
        State.LOBBY: (wire.Chat,),
        State.PLAY: (wire.Chat, wire.EventMessage, wire.Ack),
        State.RESUMING: (wire.Resume,),
    }
    for message in wrong:
        if not isinstance(message, fine[state]):
            hostile = at_state(state, split=split)
            hostile.say(message)
            hostile.require(104)


@pytest.mark.parametrize(
    ("options", "token"),
    [
        ({"invite": TOKEN, "invite_given": True}, b"wrong token"),
        ({"invite": None, "invite_given": True}, TOKEN),
        ({"invite": TOKEN, "invite_only": True}, None),
        ({"invite": None, "invite_only": True}, TOKEN),
    ],
)
def test_a11_a_token_that_opens_nothing(
    options: dict[str, object], token: bytes | None
) -> None:
    """A11: wrong, reused or expired (it is the current one no more), missing."""
    dialler = Dialler(listener(**options))
    dialler.greet()
    dialler.say(dialler.auth(token=token))
    refused(dialler, 207)


def test_a11_a_pass_of_another_link_is_wrong() -> None:
    """A11: the token is proven over this very transcript."""
    first = Dialler(listener(invite=TOKEN, invite_given=True))
    first.greet()
    overheard = first.auth(token=TOKEN)
    ala = make_player("Ala", seed=4)
    ala.options |= {"invite": TOKEN, "invite_given": True}
    second = Dialler(ala)
    second.greet()
    second.say(replace(second.auth(), invite_pass=overheard.invite_pass))
    refused(second, 207)
