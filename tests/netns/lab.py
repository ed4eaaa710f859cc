"""Several computers on one: network namespaces, cables and switches.

A ``Lab`` makes computers (namespaces) and switches (bridges in a namespace of
their own), and cables between them. Everything has a name of this process's own,
nothing of it is in the machine's own network, and all of it is gone when the
``with`` block ends, however it ends: deleting a namespace takes its cables along,
and whatever still runs in it is killed first.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

PREFIX: Final = "crapette-test-"
_PATIENCE: Final = 20
_numbers = itertools.count()


@dataclass
class Computer:
    """One namespace."""

    name: str
    """Its namespace."""
    adapters: int = 0

    def prefix(self) -> tuple[str, ...]:
        """What a command line begins with to run here."""
        return ("ip", "netns", "exec", self.name)

    def ip(self, *arguments: str) -> None:
        """Run ``ip`` here."""
        run("ip", "-n", self.name, *arguments)

    def set(self, setting: str, value: str) -> None:
        """Write a kernel setting of this computer, ``net/ipv6/…``."""
        script = f"echo {value} > /proc/sys/{setting}"
        run(*self.prefix(), "sh", "-c", script)

    def python(self, script: str) -> subprocess.Popen[bytes]:
        """Start a Python program here; its ``with`` block ends it."""
        return subprocess.Popen(
            [*self.prefix(), sys.executable, "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )


@dataclass
class Cable:
    """What connects an adapter of a computer with a switch."""

    switch: Computer
    port: str

    def unplug(self) -> None:
        """No carrier at either end."""
        self.switch.ip("link", "set", self.port, "down")

    def plug_in(self) -> None:
        """Carrier again."""
        self.switch.ip("link", "set", self.port, "up")

    def isolate(self) -> None:
        """Let this port reach no other isolated one, as a guest Wi-Fi does."""
        self.switch.ip(
            "link", "set", "dev", self.port, "type", "bridge_slave", "isolated", "on"
        )


@dataclass
class Lab:
    """Computers, switches and cables that are gone with the ``with`` block."""

    made: list[Computer] = field(default_factory=list)

    def __enter__(self) -> Self:
        """An empty lab; what a killed test run has left is removed first."""
        _remove(name for name in _namespaces() if _is_orphan(name))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill what runs in it and take it all away."""
        del kind, error, trace
        _remove([computer.name for computer in self.made])

    def computer(self) -> Computer:
        """A computer with nothing but loopback."""
        computer = Computer(f"{PREFIX}{os.getpid()}-{next(_numbers)}")
        run("ip", "netns", "add", computer.name)
        self.made.append(computer)
        computer.ip("link", "set", "lo", "up")
        computer.set("net/ipv6/conf/default/accept_dad", "0")
        return computer

    def switch(self) -> Computer:
        """A switch with no cable in it yet."""
        switch = self.computer()
        switch.ip("link", "add", "br0", "type", "bridge")
        switch.ip("link", "set", "br0", "up")
        return switch

    def connect(
        self, computer: Computer, switch: Computer, *addresses: str, adapter: str = ""
    ) -> Cable:
        """A cable from a new adapter of ``computer`` to ``switch``."""
        adapter = adapter or f"eth{computer.adapters}"
        computer.adapters += 1
        port = f"p{switch.adapters}"
        switch.adapters += 1
        run(
            *("ip", "link", "add", port, "netns", switch.name),
            *("type", "veth", "peer", "name", adapter, "netns", computer.name),
        )
        switch.ip("link", "set", port, "master", "br0", "up")
        computer.ip("link", "set", adapter, "up")
        for address in addresses:
            computer.ip("address", "add", address, "dev", adapter)
        return Cable(switch, port)


def why_not() -> str | None:
    """Why no lab can be built here; None if one can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces are Linux's"
    if shutil.which("ip") is None:
        return "the ip command is not installed (iproute2)"
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    try:
        with Lab() as lab:
            lab.connect(lab.computer(), lab.switch())
    except LabError as error:
        return f"this machine makes no network namespaces: {error}"
    return None


class LabError(Exception):
    """A command of the lab failed."""


def run(*command: str) -> str:
    """Run a command of the lab; its output."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise LabError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def _namespaces() -> list[str]:
    return [path.name for path in Path("/run/netns").glob(f"{PREFIX}*")]


def _is_orphan(name: str) -> bool:
    """Whether the process that made a namespace is gone."""
    maker = name.removeprefix(PREFIX).partition("-")[0]
    return not (maker.isdigit() and Path(f"/proc/{maker}").exists())


def _remove(names: Iterable[str]) -> None:
    for name in names:
        with contextlib.suppress(LabError):
            for process in run("ip", "netns", "pids", name).split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
        with contextlib.suppress(LabError):
            run("ip", "netns", "delete", name)
