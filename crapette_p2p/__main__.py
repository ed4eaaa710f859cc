"""``python -m crapette_p2p`` is the ``crapette`` command."""

import sys

from crapette_p2p.cli import main

if __name__ == "__main__":
    sys.exit(main())
