"""What a hand is on a board: its made hand, its draws, and filters that name them."""
