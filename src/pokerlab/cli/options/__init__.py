"""Options: declared once, with bounds, help and what they apply to."""
