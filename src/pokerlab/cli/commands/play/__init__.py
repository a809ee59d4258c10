"""Commands that play: tables, matches, tournaments, simulations, bots."""
