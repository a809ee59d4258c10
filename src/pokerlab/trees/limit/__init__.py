"""The betting and the cards of limit games as flat arrays, for training and simulation."""
