"""Which firewall is seen, from what the tools of several systems would say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from crapette_p2p.cli import firewalls, network_checks
from crapette_p2p.cli.firewalls import Firewall, find_firewall, run_quietly
from crapette_p2p.net.adapters import Adapter
from crapette_p2p.net.echo import hears_itself


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Linux computer of an ordinary user, without any firewall; its ufw.conf."""
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(firewalls, "_UFW", tmp_path / "ufw.conf")
    return tmp_path / "ufw.conf"


def saying(
    answers: dict[str, tuple[int, str]],
) -> firewalls.Run:
    """Stands in for running commands: by the program's name."""

    def run(command: Sequence[str]) -> tuple[int, str] | None:
        return answers.get(command[0].rpartition("/")[2])

    return run


def test_none_is_seen() -> None:
    """Without any of the tools there is nothing to say."""
    assert find_firewall(4747, saying({})) is None


def test_ufw(bare: Path) -> None:
    """Whether it is on is for everybody to read, its rules are not."""
    bare.write_text("# comment\nENABLED=no\n")
    assert find_firewall(4747, saying({})) is None
    bare.write_text("# comment\nENABLED=yes\nLOGLEVEL=low\n")
    found = find_firewall(5000, saying({}))
    assert found == Firewall("ufw", None, "sudo ufw allow 5000/tcp")


@pytest.mark.parametrize(
    ("answer", "lets_in"),
    [((0, "yes\n"), True), ((1, "no\n"), False), ((3, "not allowed"), None)],
)
def test_firewalld(answer: tuple[int, str], lets_in: bool | None) -> None:
    """It says itself whether the port is open, if it wants to."""
    found = find_firewall(4747, saying({"firewall-cmd": answer}))
    assert found is not None
    assert (found.name, found.lets_in) == ("firewalld", lets_in)
    assert "--add-service=mdns" in found.opening


def test_firewalld_that_is_off() -> None:
    """Installed and not running is no firewall."""
    assert find_firewall(4747, saying({"firewall-cmd": (252, "not running")})) is None


def test_bare_rules_are_for_the_administrator(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ordinary user is not asked for a password; root sees what drops."""
    table = "chain input {\n type filter hook input priority 0; policy drop;"
    answers = {"nft": (0, f"{table}\n tcp dport 22 accept\n")}
    assert find_firewall(4747, saying(answers)) is None
    monkeypatch.setattr("os.geteuid", lambda: 0)
    found = find_firewall(4747, saying(answers))
    assert found is not None
    assert (found.name, found.lets_in) == ("nftables", None)
    answers["nft"] = (0, f"{table}\n tcp dport 4747 accept\n")
    opened = find_firewall(4747, saying(answers))
    assert opened is not None
    assert opened.lets_in
    rules = {"nft": (0, ""), "iptables": (0, "-P INPUT DROP\n")}
    dropping = find_firewall(4747, saying(rules))
    assert dropping is not None
    assert dropping.name == "iptables"
    rules["iptables"] = (0, "-P INPUT ACCEPT\n")
    assert find_firewall(4747, saying(rules)) is None


def test_windows_and_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have one of their own, and a place where it is opened."""
    monkeypatch.setattr("platform.system", lambda: "Windows")
    found = find_firewall(4747, saying({}))
    assert found is not None
    assert "localport=4747" in found.opening
    assert find_firewall(4747, saying({"netsh": (0, "State   OFF\n")})) is None
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    tool = {"socketfilterfw": (0, "Firewall is enabled. (State = 1)")}
    found = find_firewall(4747, saying(tool))
    assert found is not None
    assert found.name == "macOS"
    assert find_firewall(4747, saying({})) is None


def test_commands_that_do_not_run() -> None:
    """A missing program, and one that fails, are no answer and an answer."""
    assert run_quietly(["no-such-program-here"]) is None
    assert run_quietly(["false"]) == (1, "")


@pytest.mark.parametrize(
    ("found", "ok", "said"),
    [
        (None, None, "none was seen"),
        (Firewall("firewalld", True, "x"), True, "lets port 4747 in"),
        (Firewall("firewalld", False, "do this"), False, "keeps friends out"),
        (Firewall("ufw", None, "do this"), None, "not for everybody to see"),
    ],
)
def test_what_the_doctor_says(
    monkeypatch: pytest.MonkeyPatch,
    found: Firewall | None,
    ok: bool | None,
    said: str,
) -> None:
    """A closed port is trouble with its remedy; what cannot be seen is no alarm."""
    monkeypatch.setattr(network_checks, "find_firewall", lambda _: found)
    check = network_checks._firewall(4747)
    assert check.ok is ok
    assert said in check.detail
    is_shut = found is not None and found.lets_in is not True
    assert ("do this" in check.hint) == is_shut


def test_deaf_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    """An adapter on which the own question does not come back is named."""
    here = [Adapter("lo", "127.0.0.1", 0, 8), Adapter("eth0", "127.0.0.2", 0, 8)]
    monkeypatch.setattr(network_checks, "is_loopback", lambda a: a == "127.0.0.1")
    assert network_checks._discovery(here).ok is True
    monkeypatch.setattr(network_checks, "hears_itself", lambda _: False)
    check = network_checks._discovery(here)
    assert check.ok is False
    assert "127.0.0.2" in check.detail
    assert "5353" in check.hint


def test_an_echo() -> None:
    """Loopback hears itself; an address that is not ours cannot be asked."""
    assert hears_itself("127.0.0.1") is True
    assert hears_itself("192.0.2.77") is None
    assert hears_itself("nonsense") is None


def test_linux_inside_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Friends cannot reach WSL's address; Windows has to pass them on."""
    release = "5.15.0-microsoft-standard-WSL2"
    monkeypatch.setattr("platform.release", lambda: release)
    found = list(network_checks.network_checks(4747))
    checks = {check.name: check for check in found}
    assert "portproxy" in checks["windows"].hint
    assert [check.detail for check in found if check.name == "friends"] == list(
        network_checks.SYMPTOMS
    )
