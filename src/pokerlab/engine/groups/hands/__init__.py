"""Which hands of a board go together: equal by a measure, or as many groups as somebody wants."""
