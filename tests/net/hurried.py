"""``crapette`` with other patience: PING, QUIET and DEAD in seconds, then its flags.

    python -m tests.net.hurried 0.5 1.5 6 --data-dir …

It also writes a line for every notice about the link, which the program keeps to
itself. For tests that stop a real process and cannot wait fifteen seconds.
"""

from __future__ import annotations

import json
import sys

from crapette_p2p.cli import main
from crapette_p2p.cli.reporting import JsonReporter
from crapette_p2p.net.news import Connected, TableNotice
from crapette_p2p.net.table import Table
from crapette_p2p.session import liveness
from crapette_p2p.session.notices import GameResumed, LinkLost, PeerHeard, PeerQuiet

LINK_NEWS = (Connected, GameResumed, LinkLost, PeerHeard, PeerQuiet)


_heard = JsonReporter.heard


def heard(self: JsonReporter, table: Table, notice: TableNotice) -> None:
    """A line with the notice's name, and of LinkLost the code."""
    if isinstance(notice, LINK_NEWS):
        line: dict[str, object] = {"type": type(notice).__name__}
        if isinstance(notice, LinkLost):
            line["code"] = notice.code
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    _heard(self, table, notice)


if __name__ == "__main__":
    seconds, arguments = sys.argv[1:4], sys.argv[4:]
    for name, text in zip(("T_PING", "T_QUIET", "T_DEAD"), seconds, strict=True):
        setattr(liveness, name, float(text))
    JsonReporter.heard = heard  # type: ignore[method-assign] # the test's business
    sys.exit(main(arguments))
