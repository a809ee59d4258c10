"""Who wins how often: showdowns of all combos on a board, equity, hand strength."""
