"""The rules: game definitions (data files), one betting state machine, showdown."""
