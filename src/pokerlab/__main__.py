"""`python -m pokerlab` is the `pokerlab` command."""

from pokerlab.cli.start import main

main()
