"""Logs of matches: ACPC and PHH, replay, statistics of play."""
