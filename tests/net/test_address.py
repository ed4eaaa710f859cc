"""What a player types: tolerant where it is clear, exact where it is not."""

from __future__ import annotations

import pytest

from crapette_p2p.net.address import (
    Address,
    AddressError,
    Invite,
    parse_address,
    parse_port,
    parse_target,
)

FP = bytes.fromhex("3f2a91c077bd0e143f2a")
TOKEN = bytes(range(10))


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.168.1.20", "192.168.1.20", 4747),
        ("  192.168.1.20  ", "192.168.1.20", 4747),
        ("192.168.1.20:5000", "192.168.1.20", 5000),
        ("192.168.1.20 5000", "192.168.1.20", 5000),
        ("olek-pc", "olek-pc", 4747),
        ("olek-pc.local:80", "olek-pc.local", 80),
        ("olek_pc 65535", "olek_pc", 65535),
        ("zoë.example", "zoë.example", 4747),
        ("localhost:1", "localhost", 1),
        ("::1", "::1", 4747),
        ("::1 5", "::1", 5),
        ("[::1]", "::1", 4747),
        ("[::1]:5", "::1", 5),
        ("2001:DB8::7", "2001:db8::7", 4747),
        ("fe80::1%eth0", "fe80::1%eth0", 4747),
        ("[fe80::1%25eth0]:5", "fe80::1%eth0", 5),
        ("[fe80::1%3]:5", "fe80::1%3", 5),
        ("::ffff:1.2.3.4", "1.2.3.4", 4747),
        ("[::ffff:102:304]:5", "1.2.3.4", 5),
    ],
)
def test_addresses(text: str, host: str, port: int) -> None:
    """Each spelling is read, and its own printing is read the same."""
    assert parse_target(text) == Address(host, port)
    assert parse_address(str(Address(host, port))) == Address(host, port)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("host:", "bad-port"),
        (":5", "no-host"),
        ("1.2.3.4:99999", "bad-port"),
        ("1.2.3.4:65536", "bad-port"),
        ("1.2.3.4:0", "bad-port"),
        ("1.2.3.4:-1", "bad-port"),
        ("1.2.3.4:٣", "bad-port"),
        ("1.2.3.4:1e3", "bad-port"),
        ("host:5 6", "two-ports"),
        ("a b c", "too-many-words"),
        ("1.2.3", "bad-host"),
        ("999.1.1.1", "bad-host"),
        ("01.2.3.4", "bad-host"),
        ("-rf", "bad-host"),
        ("a..b", "bad-host"),
        ("http://x", "bad-port"),
        ("host/path", "bad-host"),
        ("ho\x1bst", "bad-host"),
        ("x" * 300, "bad-host"),
        ("x" * 3000, "too-long"),
        ("[::1", "bad-brackets"),
        ("[::1]5", "bad-brackets"),
        ("[1.2.3.4]:5", "bad-host"),
        ("1:2:3", "bad-host"),
        ("fe80::1%", "bad-scope"),
        ("fe80::1%a/b", "bad-scope"),
        ("crapette1:", "bad-invite"),
        ("crapette1:1.2.3.4", "bad-invite"),
        ("crapette1:1.2.3.4/3F2A", "bad-invite"),
        ("crapette1:1.2.3.4:0/3F2A91C077BD0E14", "bad-port"),
        ("crapette1:/3F2A91C077BD0E14", "empty"),
        ("crapette1:h/3F2A91C077BD0E14/", "bad-invite"),
        ("crapette1:h/3F2A91C077BD0E14/3F2A91C077BD0E14/x", "bad-invite"),
        ("crapette1:h/UUUUUUUUUUUUUUUU", "bad-invite"),
        ("crapette1:" + ",".join("abcdefghi") + "/3F2A91C077BD0E14", "bad-invite"),
    ],
)
def test_refusals(text: str, problem: str) -> None:
    """What cannot be an address says which part is wrong."""
    with pytest.raises(AddressError) as error:
        parse_target(text)
    assert error.value.problem == problem


def test_invite_there_and_back() -> None:
    """An invite prints as it is read, with and without a token."""
    places = (Address("192.168.1.20"), Address("fe80::1%eth0", 5))
    for invite in (Invite(places, FP, TOKEN), Invite(places, FP)):
        assert parse_target(str(invite)) == invite


def test_invite_survives_a_mail_program() -> None:
    """White space, line breaks, small letters and dashes do not matter."""
    text = str(Invite((Address("192.168.1.20"),), FP, TOKEN))
    broken = "\n ".join(text[i : i + 9] for i in range(0, len(text), 9))
    assert parse_target(broken) == parse_target(text)
    assert parse_target(text.lower()) == parse_target(text)


def test_misread_letters_are_forgiven() -> None:
    """O is 0, and I and L are 1, in a fingerprint."""
    good = parse_target("crapette1:h/0123-4567-89AB-CDE1")
    assert parse_target("crapette1:h/O123-4567-89AB-CDEI") == good
    assert parse_target("crapette1:h/ol23-4567-89ab-cdel") == good


def test_words_of_a_command_line() -> None:
    """HOST PORT may come as two words."""
    assert parse_target(["192.168.1.20", "5000"]) == Address("192.168.1.20", 5000)


def test_short_form_hides_the_default_port() -> None:
    """A friend types the port only when it is not the usual one."""
    assert Address("192.168.1.20").short() == "192.168.1.20"
    assert Address("192.168.1.20", 5).short() == "192.168.1.20:5"
    assert Address("::1", 5).short() == "[::1]:5"


def test_ports() -> None:
    """1 to 65535 in plain digits."""
    assert parse_port("65535") == 65535
    for text in ("0", "65536", "", " 1", "1 ", "+1", "0x1", "000000080"):
        with pytest.raises(AddressError):
            parse_port(text)
