"""Commands for strategies that a person can play: few frequencies, rules, few bet sizes."""
