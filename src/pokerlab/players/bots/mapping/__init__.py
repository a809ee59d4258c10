"""A two-player limit strategy at a table of three: the mappings HBB1 to HBB7."""
