"""A solution checked without the engine's kernels: best responses on walks of its own."""
