"""Lets a program that a test has started play the same game in every run.

Python loads this before the program where ``tests.helpers.children.PYTHONPATH`` leads.
"""

import contextlib
import hashlib
import itertools
import os
import random
import re
import sys
from collections.abc import Callable
from typing import Final

from crapette_p2p.net import sources

_STRANGE: Final = re.compile(r".*/pytest-\d+/(popen-gw\d+/)?|\b\d{4,5}$")
"""Folders and ports of tests are others in every run, as is where Python lies."""


def _same() -> Callable[[int], bytes]:
    """Its words, and how often they were said before, decide what it draws."""
    folder, _, test = os.environ["SAME_CHANCE"].partition("\n")
    words = [_STRANGE.sub("", word) for word in sys.orig_argv[1:]]
    seed = f"{test} {words}"
    told = hashlib.sha256(os.fsencode(seed)).hexdigest()
    for number in itertools.count():
        with contextlib.suppress(FileExistsError):
            os.close(os.open(f"{folder}/{told}-{number}", os.O_CREAT | os.O_EXCL))
            return random.Random(f"{seed} {number}").randbytes  # noqa: S311 - to be repeated
    raise AssertionError


if "SAME_CHANCE" in os.environ:
    sources.entropy = _same
    sources.clock = lambda: lambda: 1_796_000_000
