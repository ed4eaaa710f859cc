"""Strangers at the door, in lines: the first are told of, then they are counted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from crapette_p2p.cli.host import _tell_of_door
from crapette_p2p.engine.layout import Seat
from crapette_p2p.net.failures import Exit, Failure
from crapette_p2p.net.news import DoorNotice, TurnedAway
from crapette_p2p.ui.lines import Speech
from crapette_p2p.ui.plain_door import PlainDoor
from tests.ui.plain_table import ScriptedConsole

CROWD = 1234


@dataclass
class BusyDoor:
    """A door at which nobody but strangers knock."""

    left: int = CROWD
    waiting: tuple[object, ...] = ()
    addresses: tuple[object, ...] = ()
    port: int = 4747
    moved_from: int | None = None
    invite: str = "crapette1:"
    options: object = field(default_factory=lambda: SimpleNamespace(invite_only=False))
    empty: asyncio.Event = field(default_factory=asyncio.Event)

    async def next_notice(self) -> DoorNotice:
        """The next stranger; none any more once the crowd is through."""
        if not self.left:
            self.empty.set()
            await asyncio.Event().wait()
        self.left -= 1
        return TurnedAway("10.0.0.9", Failure("silent", Exit.CANNOT_REACH))

    async def seated(self) -> None:
        """Until all of them were sent away."""
        await self.empty.wait()


def told_of(lines: list[str]) -> None:
    """Five lines of strangers, then a number for each further digit."""
    assert [line for line in lines if "10.0.0.9" in line] == lines[:5]
    assert [line.rpartition(": ")[2] for line in lines[5:]] == ["10", "100", "1000"]


async def test_a_host_that_a_bot_plays_counts_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What it writes to stderr may be kept in a file for weeks."""
    door = BusyDoor()
    telling = asyncio.ensure_future(_tell_of_door(door, None, quiet=False))  # type: ignore[arg-type] # all that is used of both
    await door.empty.wait()
    telling.cancel()
    told_of(capsys.readouterr().err.splitlines())


async def test_the_line_mode_counts_them() -> None:
    """As the screen does."""
    console = ScriptedConsole(lambda: None)
    speech = Speech(seat=Seat(0), names=("Ala", "?"))
    await PlainDoor(BusyDoor(), console, speech).seated()  # type: ignore[arg-type] # all that is used of a door
    told_of([line for line in console.lines if "10.0.0.9" in line or "far" in line])
