"""Solutions at play: hands dealt from the ranges and played out in compiled loops."""
