"""A clock that tests move."""

from datetime import datetime, timedelta, timezone


class MovedClock:
    """Tells the time that it was set to."""

    def __init__(self, day="2026-11-20"):
        zone = timezone(timedelta(hours=1))
        self.now = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=zone)

    def __call__(self):
        return self.now

    def forward(self, days):
        self.now += timedelta(days=days)
