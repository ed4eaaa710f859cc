"""What is known of the connection: a word in the bar, a box when it is gone."""

from __future__ import annotations

from dataclasses import dataclass

from crapette_p2p.gamelog.times import clock_text
from crapette_p2p.ui.language import Words

ABANDON_AFTER = 120.0
"""Seconds after which a vanished opponent may be noted as gone."""


@dataclass(slots=True)
class Link:
    """One connection over time."""

    quiet_since: float | None = None
    """When the opponent was last heard, once that is worth a word."""
    lost_at: float | None = None
    """When the connection broke."""
    late: bool = False
    """The opponent answers but does not confirm our action."""
    left: bool = False
    """The opponent said goodbye."""
    attempt: int = 0
    """How often we have tried to get it back."""
    next_at: float = 0.0
    """When we try again."""
    place: str = ""
    """Where this computer waits for the opponent, in words."""
    latency: float | None = None
    """Seconds a message takes there and back."""

    @property
    def is_up(self) -> bool:
        """Whether there is a connection."""
        return self.lost_at is None

    @property
    def ticks(self) -> bool:
        """Whether the text changes every second."""
        return self.lost_at is not None or self.quiet_since is not None

    def heard(self) -> None:
        """The opponent speaks."""
        self.quiet_since = None
        self.late = self.left = False

    def back(self) -> None:
        """The connection is there again."""
        self.lost_at = None
        self.attempt = 0
        self.heard()

    def lost(self, now: float) -> None:
        """The connection broke."""
        if self.lost_at is None:
            self.lost_at = now
        self.quiet_since = None

    def gone_for(self, now: float) -> int:
        """Whole seconds since it broke."""
        return int(now - self.lost_at) if self.lost_at is not None else 0

    def text(self, name: str, now: float, words: Words) -> tuple[str, str]:
        """The word in the bar and its style."""
        if self.lost_at is not None:
            gone = clock_text(self.gone_for(now))
            return words("○ no connection {time}", time=gone), "alarm"
        if self.left:  # after the deal: nothing is lost, and nobody is there
            return words("{name} has left", name=name), ""
        if self.quiet_since is not None:
            seconds = int(now - self.quiet_since)
            return words("{name} is quiet ({n} s)", name=name, n=seconds), "alarm"
        if self.late:
            return words("{name} does not confirm", name=name), "alarm"
        if self.latency is not None:
            return words("● {n} ms", n=max(round(self.latency * 1000), 1)), ""
        return "●", ""
