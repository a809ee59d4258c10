"""Some turns and rivers of a flop in place of all: which ones, and exact check-downs."""
