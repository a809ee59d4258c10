"""The seminar on fictitious play and regret minimisation: its games, matrices and bounds."""
