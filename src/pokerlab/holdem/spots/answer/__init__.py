"""What a solve leaves behind: solutions, views of nodes, export, comparison, checks."""
