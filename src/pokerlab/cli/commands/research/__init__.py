"""Commands that reproduce the experiments of the documents."""
