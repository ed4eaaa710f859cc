"""Why a place could not be dialled or listened at, from what the system raised.

Apart from ``failures.py``, which every command loads: only what dials or listens needs
sockets and TLS.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
from typing import Final

from crapette_p2p.net.addresses import is_near
from crapette_p2p.net.failures import Exit, Failure

# EINVAL: what Linux says of a blackhole route. The numbers above 10000 are Windows'.
_NOT_LISTENING: Final = frozenset({errno.ECONNREFUSED, 10061})
_SILENT: Final = frozenset({errno.ETIMEDOUT, 10060})
_FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, 10013})
_UNREACHABLE: Final = frozenset(
    {
        *(errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTDOWN),
        *(errno.EADDRNOTAVAIL, errno.EINVAL, 10050, 10051, 10064, 10065),
    }
)
_SEVERAL: Final = r"\[(?:Errno|WinError) (\d+)\]"


def dial_failure(
    error: BaseException, *, host: str, port: int, connected: bool = False
) -> Failure:
    """Why ``host`` could not be reached, from what asyncio raised.

    ``connected``: something had taken the call there, whatever came of it.
    """
    name, status = _dial_name(error, connected=connected)
    numbers = _numbers(error)
    reason = os.strerror(numbers[0]) if numbers else str(error)
    if name == "not-crapette":
        return no_table(host, port, reason=reason)
    return Failure(name, status, {"host": host, "port": str(port), "reason": reason})


def no_table(host: str, port: int, **facts: str) -> Failure:
    """Something that is no table of ours answers; from afar a table may seem so."""
    code = "not-crapette" if _is_close(host) else "not-crapette-far"
    facts = {"host": host, "port": str(port), **facts}
    return Failure(code, Exit.PROTOCOL, facts)


def _is_close(host: str) -> bool:
    """Whether no table would turn us away for being on the internet."""
    is_local_name = not {".", ":"} & {*host.removesuffix(".local")}
    return is_local_name or is_near(host)


def _dial_name(error: BaseException, *, connected: bool) -> tuple[str, Exit]:
    if isinstance(error, TimeoutError) and connected:
        return "silent-there", Exit.PROTOCOL
    if isinstance(error, ConnectionAbortedError) and "handshake" in str(error):
        return "silent-there", Exit.PROTOCOL  # asyncio's own limit has run out
    if isinstance(error, ssl.SSLError):
        return "not-crapette", Exit.PROTOCOL
    if isinstance(error, (socket.gaierror, UnicodeError)):
        return "unknown-host", Exit.CANNOT_REACH
    if isinstance(error, ConnectionRefusedError):
        return "no-table-there", Exit.CANNOT_REACH
    if isinstance(error, TimeoutError):
        return "no-answer", Exit.CANNOT_REACH
    if isinstance(error, ConnectionError):
        # A TLS handshake that is answered by a closed connection: not our program.
        return "not-crapette", Exit.PROTOCOL
    return _name_of_numbers(set(_numbers(error))), Exit.CANNOT_REACH


def _name_of_numbers(numbers: set[int]) -> str:
    """The failure of a host with several addresses: what says most comes first."""
    if numbers & _NOT_LISTENING:
        return "no-table-there"
    if numbers & _SILENT:
        return "no-answer"
    if numbers & _FORBIDDEN:
        return "forbidden-here"
    return "no-route" if numbers & _UNREACHABLE else "cannot-connect"


def _numbers(error: BaseException) -> list[int]:
    """The system's error numbers: asyncio puts several failures into one text."""
    if isinstance(error, OSError) and error.errno is not None:
        return [error.errno]
    return [int(number) for number in re.findall(_SEVERAL, str(error))]


def listen_failure(error: OSError, *, host: str, port: int) -> Failure:
    """Why no table can be opened at ``host`` and ``port``."""
    facts = {"host": host, "port": str(port), "reason": error.strerror or str(error)}
    if error.errno == errno.EADDRINUSE:
        return Failure("port-in-use", Exit.CANNOT_LISTEN, facts)
    if error.errno == errno.EACCES:
        return Failure("port-forbidden", Exit.CANNOT_LISTEN, facts)
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return Failure("address-not-ours", Exit.CANNOT_LISTEN, facts)
    return Failure("cannot-listen", Exit.CANNOT_LISTEN, facts)
