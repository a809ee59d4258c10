"""Hands on a board: made hands, draws, and filters that name them."""
