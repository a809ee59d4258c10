"""The compiled loops of the walks: nodes, leaves, streets, whole spots."""
