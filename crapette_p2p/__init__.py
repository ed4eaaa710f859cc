"""Crapette across the network: rules, fair deal, signed log, session, table."""

__version__ = "0.1.0"
