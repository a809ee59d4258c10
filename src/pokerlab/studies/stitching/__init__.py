"""Heads-up experts for three-player limit hold'em, and what else the mapping thesis leaves open."""
