"""CFR and CGH on groups of hands by the formulas of the post-flop thesis (5.4)."""
