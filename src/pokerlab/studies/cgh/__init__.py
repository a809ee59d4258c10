"""The race of the update rules."""
