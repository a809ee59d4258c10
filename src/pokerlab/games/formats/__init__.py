"""Games and hands as text: TOML and ACPC game files, PHH hand histories, ACPC match states."""
