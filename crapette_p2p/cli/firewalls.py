"""Which firewall may stand before a table, as far as one can look without rights.

Nothing is changed, and nothing that asks for a password is run. A firewall whose
rules only the administrator may read is named with the command that opens a port.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_UFW: Final = Path("/etc/ufw/ufw.conf")
_SECONDS: Final = 3.0
_NOT_RUNNING: Final = 252
"""What ``firewall-cmd`` ends with where the service is off."""

Run = Callable[[Sequence[str]], tuple[int, str] | None]
"""Exit status and output of a command; None where it cannot be run."""


@dataclass(frozen=True, slots=True)
class Firewall:
    """A firewall that is on."""

    name: str
    """What it is called."""
    lets_in: bool | None
    """Whether it lets friends in; None where only the administrator knows."""
    opening: str
    """The command, or the place, that opens a table's port."""


def find_firewall(port: int, run: Run | None = None) -> Firewall | None:
    """The firewall of this computer if one is on, as far as it can be told."""
    run = run or run_quietly
    system = platform.system()
    if system == "Windows":
        return _windows(port, run)
    if system == "Darwin":
        return _macos(run)
    return _ufw(port) or _firewalld(port, run) or _rules(port, run)


def run_quietly(command: Sequence[str]) -> tuple[int, str] | None:
    """Run a command that only looks."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command that changes nothing
            [program, *command[1:]],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.returncode, done.stdout


def _ufw(port: int) -> Firewall | None:
    try:
        text = _UFW.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    lines = [line.replace(" ", "").lower() for line in text.splitlines()]
    if "enabled=yes" not in lines:
        return None
    return Firewall("ufw", None, f"sudo ufw allow {port}/tcp")


def _firewalld(port: int, run: Run) -> Firewall | None:
    asked = run(["firewall-cmd", f"--query-port={port}/tcp"])
    if asked is None or asked[0] == _NOT_RUNNING:
        return None
    known = {"yes": True, "no": False}.get(asked[1].strip())
    command = f"sudo firewall-cmd --add-port={port}/tcp --add-service=mdns"
    return Firewall("firewalld", known, command)


def _rules(port: int, run: Run) -> Firewall | None:
    """Nftables or iptables themselves; only the administrator may read them."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    listed = run(["nft", "list", "ruleset"])
    if listed is not None and _nft_drops(listed[1]):
        opened = f"dport {port}" in listed[1] or None
        command = f"nft add rule inet filter input tcp dport {port} accept"
        return Firewall("nftables", opened, command)
    listed = run(["iptables", "-S", "INPUT"])
    if listed is not None and "-P INPUT DROP" in listed[1]:
        opened = f"--dport {port} " in listed[1] or None
        command = f"iptables -I INPUT -p tcp --dport {port} -j ACCEPT"
        return Firewall("iptables", opened, command)
    return None


def _nft_drops(ruleset: str) -> bool:
    return any(
        "hook input" in line and "policy drop" in line for line in ruleset.splitlines()
    )


def _windows(port: int, run: Run) -> Firewall | None:
    asked = run(["netsh", "advfirewall", "show", "currentprofile", "state"])
    if asked is not None and "OFF" in asked[1].upper().split():
        return None
    command = (
        "netsh advfirewall firewall add rule name=Crapette dir=in action=allow "
        f"protocol=TCP localport={port}"
    )
    return Firewall("Windows", None, command)


def _macos(run: Run) -> Firewall | None:
    tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
    asked = run([tool, "--getglobalstate"])
    if asked is None or "enabled" not in asked[1]:
        return None
    return Firewall("macOS", None, "System Settings > Network > Firewall > Options")
