"""Training of limit strategies, with checkpoints and curves."""
