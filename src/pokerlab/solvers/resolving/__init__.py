"""Solving parts of a game again: subgames, gadgets, and what becomes of a strategy."""
