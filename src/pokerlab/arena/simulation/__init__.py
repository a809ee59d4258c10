"""Matches of table strategies in a compiled loop."""
