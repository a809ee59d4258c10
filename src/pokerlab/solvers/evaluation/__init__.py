"""Values, reach and best responses of strategies on a tree."""
