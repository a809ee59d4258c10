"""Files: written whole or not at all, never by two at once, and checked when they are read."""
