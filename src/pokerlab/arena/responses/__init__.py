"""Responders that know a bot's strategy, and how much they win: lower bounds of exploitability."""
