"""A table of another version of the protocol is told from all other trouble."""

from __future__ import annotations

from pathlib import Path

import pytest

from crapette_p2p.net.failures import Exit, NetError
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.tls import make_client_context
from crapette_p2p.session.framing import frame
from crapette_p2p.session.messages import MAGIC, Bye, Hello, encode_message
from crapette_p2p.ui.wording import explain
from tests.net.fasttime import fast
from tests.net.strangers import connect, server
from tests.net.tables import host_options, join_options, make_player


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("crapette/2", "That table speaks crapette/2, you speak crapette/1"),
        ("crapette/12", "speaks crapette/12"),
        ("", "another version of the game"),
        ("crapette/9999", "another version of the game"),
        ("\x1b[2Jcrapette/2", "another version of the game"),
    ],
)
@fast
async def test_a_table_of_another_version(tmp_path: Path, text: str, said: str) -> None:
    """Both versions are named where the table says its own; exit 6, and what helps."""
    bye = frame(encode_message(Bye(200, None, text)))
    options = join_options(make_player(tmp_path, "Olek"))
    async with server(bye, tls=True) as address:
        with pytest.raises(NetError) as error:
            async with join(address, options):
                pass
    failure = error.value.failure
    assert failure.status is Exit.PROTOCOL
    told = explain(failure.code, failure.facts)
    assert said in told.sentence
    assert "pip install -U" in told.hint


@fast
async def test_a_guest_of_another_version(tmp_path: Path) -> None:
    """Whoever speaks only later versions is told which one this table speaks."""
    async with host(host_options(make_player(tmp_path, "Ala"))) as hosting:
        stranger = await connect(hosting.port, context=make_client_context())
        hello = Hello(MAGIC, 2, 9, bytes(32), 0)
        stranger.writer.write(frame(encode_message(hello)))
        answer = await stranger.read_to_end()
        stranger.close()
    assert answer == frame(encode_message(Bye(200, None, "crapette/1")))
