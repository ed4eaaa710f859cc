"""The ``crapette`` command: one module per subcommand, loaded when it is run."""

from crapette_p2p.cli.main import main

__all__ = ["main"]
