"""What the other player writes can be left out, for a game or for good."""

from __future__ import annotations

from crapette_p2p.engine import Seat
from crapette_p2p.engine.position import End, EndReason
from crapette_p2p.session.notices import ChatReceived
from crapette_p2p.ui.narrator import Narrator
from crapette_p2p.ui.settings import Settings
from tests.ui.seated import mine
from tests.ui.test_plain_app import typed


def test_muted_on_the_screen() -> None:
    """``:chat off`` hides what is said from then on; ``on`` brings it back."""
    table = mine()
    table.keys(":", *"chat off", "enter")
    assert "chat: off" in table.text
    table.screen.heard_chat("buy my things", table.now)
    assert "buy my things" not in table.text
    assert not table.screen.desk.settings.chat
    table.keys(":", *"chat on", "enter")
    table.screen.heard_chat("well played", table.now)
    assert "well played" in table.text


def test_a_wish_gets_through_once_for_each_deal_that_is_over() -> None:
    """Not in play, nor again and again: it would be a way to ring up who is muted."""
    table = mine()
    table.keys(":", *"chat off", "enter")
    assert not table.screen.heard_wish(table.now)
    rung = table.rung
    for deals in (1, 2):
        table.screen.deal_over(End(Seat(1), EndReason.RESIGNED), (0, 30), table.now)
        assert table.screen.heard_wish(table.now)
        assert "Olek would like another deal." in table.text
        assert not table.screen.heard_wish(table.now)
        table.screen.heard_chat("I would like another deal.", table.now)
        assert table.rung == rung + deals


def test_muted_in_line_mode() -> None:
    """Nothing is told, and ``say`` does not repeat it either."""
    narrator = Narrator()
    assert narrator.tell(ChatReceived("hello")) == ["the other player says: hello"]
    narrator.mute(muted=True)
    assert narrator.tell(ChatReceived("hello again")) == []
    assert narrator.last == ["the other player says: hello"]
    narrator.mute(muted=False)
    assert narrator.tell(ChatReceived("and again"))


def test_muting_is_typed() -> None:
    """``mute`` and ``unmute`` answer in a line and are listed by help."""
    lines = typed("mute", "unmute", "help")
    assert lines[1].startswith("you hear nothing from ")
    assert lines[3].startswith("you hear ")
    assert any("mute" in line for line in lines[5:])


def test_muted_for_good() -> None:
    """The setting holds from the first line on."""
    assert Settings().chat
    narrator = Narrator(muted=not Settings(chat=False).chat)
    assert narrator.tell(ChatReceived("hello")) == []
