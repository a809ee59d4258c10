"""What a deck is: card and combo codes, the evaluator, ranges, equity, suit isomorphism."""
