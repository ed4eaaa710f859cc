"""Through the tunnels that docs/hosting.md names, made by the programs themselves.

Skipped where OpenSSH's server, or WireGuard in user space, is not installed. Keys
are made for the test and gone with it; nothing listens outside of the lab.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.net.processes import Crapette
from tests.netns.conftest import Players
from tests.netns.lab import Computer, Lab, run

pytestmark = pytest.mark.slow

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
WIREGUARD = shutil.which("wireguard-go")
_PORT = "2222"
_CONFIG = """\
Port {port}
HostKey {home}/host
AuthorizedKeysFile {home}/guest.pub
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
PidFile none
"""
_IN_A_RUN_OF_ITS_OWN = (
    'mount -t tmpfs none /run && mkdir -p /run/sshd /run/wireguard && exec "$@"'
)
"""Servers keep their state below /run; this one is gone with the process."""


@contextmanager
def running(at: Computer, *command: str) -> Iterator[subprocess.Popen[str]]:
    """A program on a computer of the lab, ended afterwards."""
    with subprocess.Popen(
        [*at.prefix(), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def until(process: subprocess.Popen[str], text: str) -> None:
    """Read what a program says until it says that."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if text in line:
            return
    pytest.fail(f"{text!r} was never said: {''.join(said)}")


@contextmanager
def ssh_server(at: Computer, home: Path) -> Iterator[None]:
    """OpenSSH on a computer, which lets the key of ``home`` in."""
    for name in ("host", "guest"):
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(home / name))
    config = home / "sshd_config"
    config.write_text(_CONFIG.format(port=_PORT, home=home), encoding="utf-8")
    server = (str(SSHD), "-D", "-e", "-f", str(config))
    with running(at, "sh", "-c", _IN_A_RUN_OF_ITS_OWN, "sh", *server) as process:
        until(process, "Server listening")
        yield


@contextmanager
def ssh(at: Computer, home: Path, server: str, *forwarding: str) -> Iterator[None]:
    """``ssh -N`` with a forwarding, once it stands."""
    options = ("-v", "-N", "-F", "none", "-p", _PORT, "-i", str(home / "guest"))
    trust = ("-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={home}/known")
    fails = ("-o", "ExitOnForwardFailure=yes", "-o", "BatchMode=yes")
    command = ("ssh", *options, *trust, *fails, *forwarding, f"root@{server}")
    with running(at, *command) as process:
        until(process, "pledge: network")  # in its loop: every forwarding stands
        yield


def play(host: Crapette, guest: Crapette) -> None:
    """A whole game, to the result both have signed."""
    assert guest.until("peer")["verified"] == "invite"
    assert host.until("peer")["verified"] == "invite"
    assert guest.until("result")["winner"] == host.until("result")["winner"]


@pytest.mark.skipif(SSHD is None, reason="OpenSSH's server is not installed")
def test_through_ssh(lab: Lab, players: Players, tmp_path: Path) -> None:
    """The host lends a server its port by ``-R``, the guest borrows it by ``-L``.

    The table listens on loopback only, and the invite is used as it is.
    """
    one, two = lab.switch(), lab.switch()
    ala, server, olek = lab.computer(), lab.computer(), lab.computer()
    lab.connect(ala, one, "10.1.0.1/24")
    lab.connect(server, one, "10.1.0.9/24")
    lab.connect(server, two, "10.2.0.9/24")
    lab.connect(olek, two, "10.2.0.1/24")
    host = players.host(ala, "Ala", "--bind", "127.0.0.1", "--once")
    with ExitStack() as stack:
        forwarding = "4747:localhost:4747"
        stack.enter_context(ssh_server(server, tmp_path))
        stack.enter_context(ssh(ala, tmp_path, "10.1.0.9", "-R", forwarding))
        stack.enter_context(ssh(olek, tmp_path, "10.2.0.9", "-L", forwarding))
        play(host, players.join(olek, str(host.lines[0]["invite"])))


@contextmanager
def wireguard(
    at: Computer, home: Path, own: str, peer: str, there: str
) -> Iterator[None]:
    """WireGuard on a computer, to one peer whose outer address is ``there``."""
    keys = {name: (home / f"{name}.wg").read_text().split() for name in (own, peer)}
    secret = home / f"{own}.secret"
    secret.write_text(keys[own][0], encoding="utf-8")
    setting = ("private-key", str(secret), "listen-port", "51820")
    other = ("peer", keys[peer][1], "allowed-ips", f"{peer}/32")
    setup = (
        "LOG_LEVEL=verbose wireguard-go -f wg0 & read go && "
        f"wg set wg0 {' '.join((*setting, *other))} endpoint {there}:51820 && "
        f"ip address add {own}/24 dev wg0 && ip link set wg0 up && echo up; wait"
    )
    command = ("sh", "-c", _IN_A_RUN_OF_ITS_OWN, "sh", "sh", "-c", setup)
    with running(at, *command) as process:
        assert process.stdin is not None
        until(process, "UAPI listener started")
        process.stdin.write("go\n")
        process.stdin.flush()
        until(process, "up\n")
        yield


def wireguard_keys(path: Path) -> None:
    """A private and a public key, made by WireGuard's own command."""
    secret = run("wg", "genkey").strip()
    public = subprocess.run(
        ["wg", "pubkey"], input=secret, capture_output=True, text=True, check=True
    )
    path.write_text(f"{secret} {public.stdout}", encoding="utf-8")


@pytest.mark.skipif(
    not (WIREGUARD and shutil.which("wg")), reason="wireguard-go is not installed"
)
def test_through_wireguard(lab: Lab, players: Players, tmp_path: Path) -> None:
    """Both are in a VPN: the host's screen names its address, the guest joins it."""
    switch, ala, olek = lab.switch(), lab.computer(), lab.computer()
    lab.connect(ala, switch, "198.51.100.1/24")
    lab.connect(olek, switch, "198.51.100.2/24")
    for address in ("10.9.0.1", "10.9.0.2"):
        wireguard_keys(tmp_path / f"{address}.wg")
    with (
        wireguard(ala, tmp_path, "10.9.0.1", "10.9.0.2", "198.51.100.2"),
        wireguard(olek, tmp_path, "10.9.0.2", "10.9.0.1", "198.51.100.1"),
    ):
        host = players.host(ala, "Ala", "--once")
        invite = str(host.lines[0]["invite"])
        assert "10.9.0.1:4747" in invite
        key = invite.partition("/")[2]
        play(host, players.join(olek, f"crapette1:10.9.0.1:4747/{key}"))
