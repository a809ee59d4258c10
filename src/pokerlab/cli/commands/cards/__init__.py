"""Commands on cards, ranges and play before the flop."""
