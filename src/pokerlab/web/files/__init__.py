"""The files of the folder: what there is, what is open, and what is added."""
