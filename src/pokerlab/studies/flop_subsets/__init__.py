"""The weighted subsets of flops: what they are measured on, and how they are chosen."""
