"""What it costs to solve a flop on a subset of its run-outs."""
