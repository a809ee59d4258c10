"""Strengths of all hands on all boards of hold'em."""
