"""For understanding a game: obvious moves, mistakes of a strategy, exploitation."""
