"""Strategies of coarser games judged in the real one: fewer bet sizes, fewer boards."""
