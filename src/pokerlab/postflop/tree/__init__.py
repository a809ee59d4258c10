"""The betting tree of a spot, one set of small arrays a street, and how large the game is."""
