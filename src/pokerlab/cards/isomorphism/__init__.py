"""Boards and hands that differ by suits alone, and a number for each that does not."""
