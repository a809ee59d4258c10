"""The progress of long work on stderr."""
