"""A limit game between groups of cards, and kernels that walk over sampled deals of it."""
