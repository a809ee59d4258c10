"""Hold'em: spots after the flop, play before it, limit games, batches of boards.

Each room turns its settings into a public game, and the numbers of the engine into an answer.
"""
