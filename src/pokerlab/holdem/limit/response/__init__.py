"""How much can be won from a strategy of groups: exact values and lower bounds."""
