"""Hands that were played, judged by solutions: one hand, or whole nights."""
