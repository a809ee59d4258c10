"""Counterfactual regret minimisation over the sequences of a whole tree."""
