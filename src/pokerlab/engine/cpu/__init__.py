"""Walks over the public tree on the processor: vector kernels for rows of hands."""
