"""The thesis on a two-player strategy among three players."""
