"""The games between buckets: with independent transitions, and exact."""
