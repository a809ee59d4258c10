"""Ranges: weights by combo, read from and written as text, and drawn."""
