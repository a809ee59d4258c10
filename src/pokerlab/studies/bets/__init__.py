"""What fewer bet sizes and boards cost, whether a better start pays, how equilibria play."""
