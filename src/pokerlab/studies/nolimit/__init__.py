"""How strong the no-limit player is, measured: local best responses, exact ones, and matches."""
