"""Measure what hostile input costs: time a frame, memory a file, a crowd's weight.

The bounds that must hold are tests (tests/adversarial/test_resources.py); these
are the figures behind them, on this machine, now.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import json
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from crapette_p2p import canonical
from crapette_p2p.errors import DecodeError
from crapette_p2p.gamelog.evidence import judge_evidence
from crapette_p2p.gamelog.verify import verify_log
from crapette_p2p.net.crypto import verify
from crapette_p2p.net.hosting import host
from crapette_p2p.net.joining import join
from crapette_p2p.net.pump import WRITE_HIGH_WATER
from crapette_p2p.session import messages as wire
from crapette_p2p.session.framing import frame
from crapette_p2p.session.notices import EventFinal
from tests.adversarial.crowds import logged_in, resident, silent_crowd
from tests.adversarial.stages import at_table
from tests.adversarial.test_wire_links import ping, stuck_pump
from tests.helpers.fakegame import play_game
from tests.helpers.keys import key_of
from tests.net.fasttime import FastLoop
from tests.net.tables import (
    host_options,
    join_options,
    make_player,
    seat_at,
    where,
)

MIB = 1 << 20


@dataclass(frozen=True)
class Figure:
    """One measurement."""

    name: str
    value: float
    unit: str


def best(work: Callable[[], object], times: int = 5) -> float:
    """The least CPU seconds that ``work`` took."""
    found = []
    for _ in range(times):
        before = time.process_time()
        work()
        found.append(time.process_time() - before)
    return min(found)


def refused(data: bytes) -> None:
    """Decode what may be refused."""
    with contextlib.suppress(DecodeError):
        canonical.decode(data)


# Bytes ----------------------------------------------------------------------------


def frames() -> Iterator[Figure]:
    """Single frames of the longest kind."""
    row = canonical.encode([0] * 100)
    legal = b"\xdc\x00\x9f" + row * 159
    ones = b"\xdc\x00\xa0" + (b"\xdc\x00\x64" + b"\x01" * 100) * 160
    worst = {
        "legal, many small numbers": legal,
        "legal, 16,000 ones": ones[: canonical.MAX_BYTES],
        "empty maps": b"\x80" * canonical.MAX_BYTES,
        "empty arrays": b"\x90" * canonical.MAX_BYTES,
        "nested arrays": b"\x91" * canonical.MAX_BYTES,
    }
    for name, data in worst.items():
        spent = best(functools.partial(refused, data))
        yield Figure(f"one frame of 16 KiB: {name}", spent * 1e3, "ms")


def floods() -> Iterator[Figure]:
    """Frames that bring nothing, just below the rate."""
    hostile = at_table()
    acks = [m for m in hostile.cheat.sent if isinstance(m, wire.Ack)]
    events = [m for m in hostile.cheat.sent if isinstance(m, wire.EventMessage)]
    kinds: dict[str, wire.Message] = {
        "PING": wire.Ping(1),
        "CHAT of 256 bytes": wire.Chat("x" * 256),
        "repeated ACK": acks[-1],
        "repeated EVENT": events[-1],
    }
    session, now = hostile.session, hostile.pair.now
    for name, message in kinds.items():
        data = frame(wire.encode_message(message)) * 50
        now += 100.0
        before = time.process_time()
        for _ in range(60):
            now += 1.0
            session.receive(now, data)
        spent = (time.process_time() - before) / 60
        yield Figure(f"50 frames a second: {name}", spent * 100, "% of one core")


def files() -> Iterator[Figure]:
    """Reading whole files."""
    game = play_game("crapette", seed=2, k=64, actions=150)
    spent = best(lambda: verify_log(game.data, verify), 3)
    yield Figure(f"verifying {game.log.length} events (K = 64)", spent * 1e3, "ms")
    head = b"\x95\xb1crapette-evidence\x01\xcd\x01\x94\xc4\x20" + bytes(32)
    rows = 64
    data = head + b"\xdc\x00\x40" + (b"\xdc\xff\xff" + b"\x90" * 0xFFFF) * rows
    tracemalloc.start()
    before = time.process_time()
    judge_evidence(data, verify)
    spent = time.process_time() - before
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield Figure("worst evidence file: memory per byte", peak / len(data), "x its size")
    yield Figure("worst evidence file: time per MiB", spent / len(data) * MIB, "s")


def lengths() -> Iterator[Figure]:
    """Frames that claim to be long, and what is kept of what follows them."""
    for name, claim in (("1 GiB", 1 << 30), ("16 KiB", 16_384)):
        hostile = at_table()
        data = bytes(MIB)
        tracemalloc.start()
        hostile.session.receive(hostile.pair.now, claim.to_bytes(4, "big"))
        for _ in range(16):
            hostile.session.receive(hostile.pair.now, data)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        figure = f"a frame of {name} claimed, 16 MiB sent: memory"
        yield Figure(figure, peak / 1024, "KiB")


async def never_reads(folder: Path) -> tuple[float, float]:
    """KiB that wait for a peer who does not read, and seconds until he is cut off."""
    pump, transport, _ = stuck_pump(folder)
    loop = asyncio.get_running_loop()
    while transport.get_write_buffer_size() <= WRITE_HIGH_WATER:
        ping(pump, 50)
        await asyncio.sleep(1)
    full = loop.time()
    held = 0
    while not transport.is_closing():
        held = transport.get_write_buffer_size()
        ping(pump, 50)
        await asyncio.sleep(0.1)
    await pump.wait_over()
    return held / 1024, loop.time() - full


def silence() -> Iterator[Figure]:
    """A peer who sends and never reads."""
    with (
        tempfile.TemporaryDirectory() as name,
        asyncio.Runner(loop_factory=FastLoop) as runner,
    ):
        held, seconds = runner.run(never_reads(Path(name)))
    yield Figure("a peer that never reads: unsent when cut off", held, "KiB")
    yield Figure("the same: cut off after our buffer is full", seconds, "s")


# Crowds ---------------------------------------------------------------------------


async def game_time(folder: Path, crowd: int) -> tuple[float, int]:
    """Seconds of 60 events over TLS beside a crowd, and how much memory grew."""
    ala, olek = make_player(folder, "Ala"), make_player(folder, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)) as guest,
    ):
        seats = seat_at(hosting.table), seat_at(guest, seed=2, resigns_at=120)
        before = resident()
        with silent_crowd(hosting.port, crowd):
            if crowd:
                await asyncio.sleep(0.5)
            games = [asyncio.ensure_future(seat.play()) for seat in seats]
            await seats[1].hears(EventFinal, 20)
            began = time.perf_counter()
            await seats[1].hears(EventFinal, 80)
            spent = time.perf_counter() - began
            grown = resident() - before
        await asyncio.gather(*games)
    return spent, grown


async def stranger_cost(folder: Path, count: int = 30) -> float:
    """CPU seconds of a stranger's whole visit, both ends counted."""
    ala, olek = make_player(folder, "Ala"), make_player(folder, "Olek")
    async with (
        host(host_options(ala)) as hosting,
        join(where(hosting), join_options(olek)),
    ):
        await hosting.seated()
        before = time.process_time()
        for number in range(count):
            key = key_of(f"stranger {number}")
            source = f"127.0.8.{number + 1}"
            async with logged_in(hosting.port, source, key) as (answer, _):
                if answer != wire.Bye(205, None, ""):
                    raise RuntimeError(f"{answer} instead of 205")
        return (time.process_time() - before) / count


def crowds() -> Iterator[Figure]:
    """Strangers at the door of a running game."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone, _ = asyncio.run(game_time(folder / "alone", 0))
        beside, grown = asyncio.run(game_time(folder / "crowd", 800))
        yield Figure("60 events over TLS, nobody else", alone * 1e3, "ms")
        yield Figure("the same beside 800 silent connections", beside * 1e3, "ms")
        yield Figure("memory of 800 silent connections", grown / MIB, "MiB")
        spent = asyncio.run(stranger_cost(folder / "strangers"))
        yield Figure("a stranger's TLS, login and 205 (both ends)", spent * 1e3, "ms")


def main() -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="scripts/resources")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    args = parser.parse_args()
    figures = []
    for part in (frames, floods, lengths, silence, files, crowds):
        for figure in part():
            figures.append(figure)
            if not args.json:
                shown = f"{figure.value:10.3f} {figure.unit}"
                print(f"{figure.name:48} {shown}", flush=True)
    if args.json:
        print(json.dumps({"v": 1, "figures": [asdict(f) for f in figures]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
