"""The no-limit player that solves what it plays: charts before the flop, live solves after it."""
