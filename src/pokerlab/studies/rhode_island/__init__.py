"""Rhode Island hold'em: lossless shrinking, its linear program, and its value."""
