"""A solution checked by code that shares nothing with the engine: responses on walks of its own."""
