"""What pokerlab claims about speed, one file a claim; ``make bench`` prints the table.

Machines differ and are noisy, so a claim is a ratio to a peer or to a calibration that is
measured in the same run, best of several turns that alternate.
"""
