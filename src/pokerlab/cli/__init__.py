"""The `pokerlab` command, one module a command group.

Text for people is made here and in `reports`, never below. Every command takes ``--json`` and
then prints one JSON object on stdout and nothing else there. Bad input is one line on stderr
and exit code 2: commands let the ``ValueError`` of the layers below pass, `main` prints it.
"""
