"""Simple strategies and their exact price: fewer frequencies, fewer actions, rules in words."""
