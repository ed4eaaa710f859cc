"""Exceptions of the world outside become stable codes and exit statuses."""

from __future__ import annotations

import errno
import os
import socket
import ssl

import pytest

from crapette_p2p.net.failures import (
    Exit,
    NetError,
    exit_of_code,
    storage_error,
    wire_failure,
)
from crapette_p2p.net.unreachable import dial_failure, listen_failure
from crapette_p2p.ui.wording import explain


def of_errno(number: int) -> OSError:
    """The OSError of an errno, as the system makes it."""
    return OSError(number, os.strerror(number))


def several(*numbers: int) -> OSError:
    """How asyncio tells that each address of a host failed in its own way."""
    texts = (f"[Errno {number}] Connect call failed ('x', 5)" for number in numbers)
    return OSError(f"Multiple exceptions: {', '.join(texts)}")


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (of_errno(errno.ECONNREFUSED), "no-table-there", 5),
        (TimeoutError(), "no-answer", 5),
        (of_errno(errno.ETIMEDOUT), "no-answer", 5),
        (socket.gaierror(-2, "Name or service not known"), "unknown-host", 5),
        (UnicodeError("label too long"), "unknown-host", 5),
        (of_errno(errno.EHOSTUNREACH), "no-route", 5),
        (of_errno(errno.ENETUNREACH), "no-route", 5),
        (of_errno(errno.EHOSTDOWN), "no-route", 5),
        (of_errno(errno.EINVAL), "no-route", 5),
        (of_errno(errno.EPERM), "forbidden-here", 5),
        (of_errno(errno.EACCES), "forbidden-here", 5),
        (of_errno(errno.ENOBUFS), "cannot-connect", 5),
        (several(errno.ENETUNREACH, errno.ECONNREFUSED), "no-table-there", 5),
        (several(errno.ENETUNREACH, errno.EHOSTUNREACH), "no-route", 5),
        (several(errno.EHOSTUNREACH, errno.ETIMEDOUT), "no-answer", 5),
        (several(), "cannot-connect", 5),
        (ssl.SSLError(1, "WRONG_VERSION_NUMBER"), "not-crapette", 6),
        (ConnectionResetError(), "not-crapette", 6),
        (ConnectionAbortedError(), "not-crapette", 6),
    ],
)
def test_dialling(error: BaseException, code: str, status: int) -> None:
    """What asyncio raises while dialling, in the table of interface.md 3f."""
    failure = dial_failure(error, host="olek-pc", port=5)
    assert (failure.code, int(failure.status)) == (code, status)
    assert failure.facts["host"] == "olek-pc"
    assert failure.facts["port"] == "5"
    assert "Errno" not in failure.facts["reason"]


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EADDRINUSE, "port-in-use"),
        (errno.EACCES, "port-forbidden"),
        (errno.EADDRNOTAVAIL, "address-not-ours"),
        (errno.ENOBUFS, "cannot-listen"),
    ],
)
def test_listening(number: int, code: str) -> None:
    """A table that cannot be opened is exit 4."""
    failure = listen_failure(of_errno(number), host="0.0.0.0", port=4747)  # noqa: S104 - a text
    assert (failure.code, int(failure.status)) == (code, 4)


@pytest.mark.parametrize(
    ("codes", "status"),
    [
        (
            [
                100,
                101,
                102,
                103,
                104,
                105,
                106,
                200,
                300,
                301,
                304,
                400,
                401,
                403,
                409,
                410,
            ],
            6,
        ),
        ([201, 202, 203, 204, 207], 7),
        ([205, 206, 208], 5),
        ([302, 402, 404, 405, 406, 407, 408], 9),
        ([501], 8),
        ([500], 1),
        ([502], 0),
    ],
)
def test_wire_codes(codes: list[int], status: int) -> None:
    """Every code of the protocol has its exit status."""
    for code in codes:
        assert int(exit_of_code(code)) == status, code
        assert wire_failure(code).facts["wire"] == str(code)


def test_errors_carry_their_failure() -> None:
    """The exceptions hold the failure and read well in a log."""
    failure = wire_failure(205, peer="Olek")
    error = NetError(failure, wire_code=205)
    assert error.failure is failure
    assert error.code == 205
    assert str(error) == "table-taken (wire=205, peer=Olek)"
    problem = storage_error("cannot-write", "/x", of_errno(errno.ENOSPC))
    assert str(problem) == "cannot-write: /x No space left on device"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("key-open-to-others", 7),
        ("peers-damaged", 7),
        ("file-exists", 2),
        ("log-empty", 10),
        ("game-in-use", 5),
        ("cannot-write", 2),
        ("cannot-make", 2),
    ],
)
def test_files_have_statuses(code: str, status: int) -> None:
    """What is wrong with a file decides how a command ends."""
    assert int(storage_error(code, "/x").failure.status) == status


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("127.0.0.1", "not-crapette"),
        ("192.168.1.20", "not-crapette"),
        ("fe80::1%eth0", "not-crapette"),
        ("localhost", "not-crapette"),
        ("olek-pc", "not-crapette"),
        ("olek-pc.local", "not-crapette"),
        ("8.8.8.8", "not-crapette-far"),
        ("2606:4700::1", "not-crapette-far"),
        ("olek.example.org", "not-crapette-far"),
    ],
)
def test_only_from_afar_a_table_may_have_turned_us_away(host: str, code: str) -> None:
    """``--public`` is advice for the internet; at home it is none."""
    failure = dial_failure(ConnectionResetError(), host=host, port=4747)
    assert (failure.code, failure.status) == (code, Exit.PROTOCOL)
    assert ("--public" in explain(code, failure.facts).hint) == (code != "not-crapette")


def test_who_took_the_call_and_says_nothing_is_there() -> None:
    """No answer is what a firewall gives; a connection that was made is one."""
    failure = dial_failure(TimeoutError(), host="olek-pc", port=5, connected=True)
    assert (failure.code, failure.status) == ("silent-there", Exit.PROTOCOL)
    assert "firewall" not in explain(failure.code, failure.facts).sentence
