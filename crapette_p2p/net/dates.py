"""A moment of a file's as this place's calendar has it."""

from __future__ import annotations

from datetime import datetime


def local_day(unix_time: float) -> str:
    """The day, ``2026-11-30``."""
    return _local(unix_time, "%Y-%m-%d")


def local_minute(unix_time: float) -> str:
    """The minute, ``2026-11-30 18:05``."""
    return _local(unix_time, "%Y-%m-%d %H:%M")


def _local(unix_time: float, form: str) -> str:
    try:
        return datetime.fromtimestamp(unix_time).astimezone().strftime(form)
    except (ValueError, OverflowError, OSError):
        return "?"  # somebody has edited the file, or its date
