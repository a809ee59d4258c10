"""The files of the folder: listing, open ones, and uploads."""
