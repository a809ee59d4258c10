"""The terminal: streams, what can be printed, Ctrl-C, and a person who answers."""
