"""Monte Carlo counterfactual regret minimisation."""
