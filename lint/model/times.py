"""What the functions and classes of ``datetime`` make."""

from __future__ import annotations

MADE_TIMES = {
    "datetime.datetime": "a datetime", "datetime.date": "a date", "datetime.time": "a time",
    "datetime.timedelta": "a timedelta", "datetime.datetime.now": "a datetime",
    "datetime.datetime.utcnow": "a datetime", "datetime.datetime.today": "a datetime",
    "datetime.datetime.fromtimestamp": "a datetime",
    "datetime.datetime.fromisoformat": "a datetime", "datetime.datetime.strptime": "a datetime",
    "datetime.datetime.combine": "a datetime", "datetime.date.today": "a date",
    "datetime.date.fromisoformat": "a date",
}  # fmt: skip
"""Callee → what it returns."""
TIMES = frozenset(MADE_TIMES.values())
