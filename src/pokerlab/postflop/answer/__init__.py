"""Solutions of spots: their file, views of nodes, export, comparison, checks."""
