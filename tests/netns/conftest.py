"""The lab of these tests, and the players in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.net.processes import Crapette, Machine, machine_in
from tests.netns.lab import Computer, Lab, why_not

STRANGERS = "--accept-unverified"

_why_not = cache(why_not)


@pytest.fixture(scope="module")
def possible() -> None:
    """Skip, with the reason, where no lab can be built."""
    reason = _why_not()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture
def lab(possible: None) -> Iterator[Lab]:
    """Computers and switches of one test."""
    del possible
    with Lab() as lab:
        yield lab


class Players:
    """Starts the command on computers of the lab."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def start(self, at: Computer, name: str, *arguments: str) -> Crapette:
        """The command of the player ``name`` on a computer."""
        return self._machine.start(name, *arguments, prefix=at.prefix())

    def host(self, at: Computer, name: str = "Ala", *arguments: str) -> Crapette:
        """A bot hosts there; it listens when this returns."""
        host = self.start(
            at, name, "host", "--auto", "novice", "--json", STRANGERS, *arguments
        )
        host.until("listening")
        return host

    def join(self, at: Computer, *arguments: str, name: str = "Olek") -> Crapette:
        """A bot joins from there."""
        return self.start(
            at, name, "join", *arguments, "--auto", "novice", "--json", STRANGERS
        )


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    """The command line of players in the lab, ended afterwards."""
    with machine_in(tmp_path) as machine:
        yield Players(machine)
