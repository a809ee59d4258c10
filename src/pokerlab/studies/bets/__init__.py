"""What fewer bet sizes and fewer boards cost, whether a better start pays, and how equilibria play."""
