"""The class of five, six and seven cards, and its name."""
