"""Perfect against imperfect recall at equal size, by exact best responses."""
