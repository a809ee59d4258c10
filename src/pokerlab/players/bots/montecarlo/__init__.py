"""The bot that simulates the rest of the hand against a model of its opponents."""
