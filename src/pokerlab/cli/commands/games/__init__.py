"""Commands on games: trees, best responses, exploitability, buckets, training."""
