"""Shared parts of commands: output, progress, files, options."""
