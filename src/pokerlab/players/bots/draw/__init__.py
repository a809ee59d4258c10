"""The five-card draw bot: every discard is searched."""
