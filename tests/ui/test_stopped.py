"""A program behind the shell leaves the keys to it, until it is in front again."""

from __future__ import annotations

import asyncio
import os
import select
import signal

import pytest
from prompt_toolkit import Application
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from crapette_p2p.ui.stopped import taken_back

pytestmark = pytest.mark.skipif(
    not hasattr(os, "tcgetpgrp"), reason="no shells with jobs here"
)


class Heard:
    """An application that keeps what was typed, on a terminal that may be another's."""

    def __init__(self, keys: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
        self.keys: list[str] = []
        self.came = asyncio.Event()
        self.in_front = True
        monkeypatch.setattr(os, "tcgetpgrp", self._in_front)
        bound = KeyBindings()
        bound.add(Keys.Any)(self._hear)
        self.app: Application[None] = Application(
            key_bindings=bound, input=keys, output=DummyOutput()
        )

    def _in_front(self, _terminal: int) -> int:
        return os.getpgrp() if self.in_front else os.getpgrp() + 1

    def _hear(self, event: KeyPressEvent) -> None:
        self.keys.append(event.data)
        self.came.set()


async def test_keys_are_read_in_front_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them behind the shell would stop it there, and hang it in front."""
    loop = asyncio.get_running_loop()
    with create_pipe_input() as keys:
        heard = Heard(keys, monkeypatch)
        with taken_back(heard.app, loop):
            running = loop.create_task(heard.app.run_async(handle_sigint=False))
            keys.send_text("a")
            await heard.came.wait()
            heard.came.clear()
            heard.in_front = False
            keys.send_text("b")
            for _ in range(50):  # rounds of the loop that it was to be read in
                await asyncio.sleep(0)
            assert heard.keys == ["a"]
            assert select.select([keys.fileno()], [], [], 0)[0], "left where it was"
            heard.in_front = True
            os.kill(os.getpid(), signal.SIGCONT)
            await heard.came.wait()
            assert heard.keys == ["a", "b"]
            heard.app.exit()
            await running


async def test_it_may_end_behind_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens to the terminal of another any more."""
    loop = asyncio.get_running_loop()
    with create_pipe_input() as keys:
        heard = Heard(keys, monkeypatch)
        with taken_back(heard.app, loop):
            running = loop.create_task(heard.app.run_async(handle_sigint=False))
            heard.in_front = False
            keys.send_text("a")
            for _ in range(50):
                await asyncio.sleep(0)
            heard.app.exit()
            await running
        assert not loop.remove_reader(keys.fileno())
        assert heard.keys == []
