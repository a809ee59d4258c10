"""The engine on a graphics card: see `walker`."""
