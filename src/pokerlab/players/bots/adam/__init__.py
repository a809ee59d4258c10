"""Adam: pre-computed before the flop, then fictitious play on the rest of the hand."""
