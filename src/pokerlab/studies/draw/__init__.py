"""The document on a five-card draw bot: its evaluator, discards, stakes and freeze-outs."""
