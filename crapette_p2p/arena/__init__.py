"""Bots against bots: what a level is worth, over deals that both sides play."""

from crapette_p2p.arena.deals import Outcome, Referee, Task
from crapette_p2p.arena.report import Report, report_on
from crapette_p2p.arena.running import ArenaError, ArenaOptions, run_arena

__all__ = [
    "ArenaError",
    "ArenaOptions",
    "Outcome",
    "Referee",
    "Report",
    "Task",
    "report_on",
    "run_arena",
]
