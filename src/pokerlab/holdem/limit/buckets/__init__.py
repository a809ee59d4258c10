"""Buckets of hands by strength: nested percentiles and k-means."""
