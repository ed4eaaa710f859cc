"""``crapette`` that waits two seconds where it waits ten: T_STEP, then its flags."""

from __future__ import annotations

import sys

from crapette_p2p.cli import main
from crapette_p2p.session import waits

if __name__ == "__main__":
    vars(waits)["T_STEP"] = 2.0
    sys.exit(main(sys.argv[1:]))
