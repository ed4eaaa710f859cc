"""Fuzz every target for some time; keep and print what finds something.

Hypothesis bends the corpus in batches, each with a seed of its own, until the time
is over. Where atheris can be imported every target gets a second run in a process
of its own, led by coverage, with what it learns kept in a directory of the moment.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import random
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.command_line import fuzz_command_line
from tests.fuzz.mutating import inputs
from tests.fuzz.targets import CORPUS, TARGETS, corpus_of

EVERY: dict[str, Callable[[bytes], None]] = {
    **TARGETS,
    "command_line": fuzz_command_line,
}
BATCH = 100
"""Inputs between looks at the clock."""
LONGEST = 32_768


class Found(Exception):  # noqa: N818 - a find, not a fault
    """An input that a target could not stand."""

    def __init__(self, data: bytes, trace: str) -> None:
        super().__init__(trace)
        self.data = data


def keep(name: str, data: bytes) -> Path:
    """Put an input into the corpus, named after itself."""
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"found-{hashlib.sha256(data).hexdigest()[:16]}"
    path.write_bytes(data)
    return path


def with_hypothesis(name: str, seconds: float) -> int:
    """Batches of bent inputs until the time is over; how many there were."""
    target, strategy = EVERY[name], inputs(corpus_of(name))
    end, count = time.monotonic() + seconds, 0

    def once(data: bytes) -> None:
        nonlocal count
        count += 1
        try:
            target(data)
        except Exception as error:
            raise Found(data, traceback.format_exc()) from error

    while time.monotonic() < end:
        batch = settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(given(data=strategy)(once))
        seed(random.SystemRandom().getrandbits(64))(batch)()
    return count


def with_atheris(name: str, seconds: float) -> subprocess.CompletedProcess[str]:
    """A process of its own, led by coverage."""
    command = [sys.executable, __file__, "--atheris", name, "--seconds", str(seconds)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_atheris(name: str, seconds: float) -> None:
    """In that process: never returns."""
    import atheris  # only here: it is not everywhere

    folder = tempfile.mkdtemp(prefix=f"fuzz-{name}-")
    flags = [
        f"-max_total_time={max(1, round(seconds))}",
        f"-max_len={LONGEST}",
        f"-artifact_prefix={folder}/",
        "-verbosity=0",
    ]
    (Path(folder) / "learned").mkdir()
    atheris.instrument_all()
    places = [str(Path(folder) / "learned"), str(CORPUS / name)]
    atheris.Setup([sys.argv[0], *flags, *places], one_of(name))
    atheris.Fuzz()


def one_of(name: str) -> Callable[[bytes], None]:
    """A target that keeps what it could not stand before it falls over."""
    target = EVERY[name]

    def once(data: bytes) -> None:
        try:
            target(data)
        except Exception:
            keep(name, data)
            raise

    return once


def main() -> int:
    """Fuzz what was asked for; 0 if nothing was found."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N")
    parser.add_argument("--only", choices=sorted(EVERY), metavar="TARGET")
    parser.add_argument("--atheris", choices=sorted(EVERY), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.atheris:
        run_atheris(args.atheris, args.seconds)
    names = [args.only] if args.only else list(EVERY)
    guided = importlib.util.find_spec("atheris") is not None
    share = args.seconds / len(names) / (2 if guided else 1)
    failed = 0
    for name in names:
        try:
            count = with_hypothesis(name, share)
        except Found as found:
            failed += 1
            print(f"{name:14} found {keep(name, found.data)}\n{found}", flush=True)
            continue
        print(f"{name:14} {count} inputs, nothing found", flush=True)
        if guided:
            done = with_atheris(name, share)
            failed += done.returncode != 0
            said = done.stderr.splitlines()[-30:] if done.returncode else []
            print(f"{name:14} atheris: {done.returncode}", *said, sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
