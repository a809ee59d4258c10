"""The exact best response to a strategy of a limit game for two, in the game itself.

One player, the *hero*, knows how the other, the *villain*, plays: by buckets of cards, as in a
`BucketedGame`. The hero tells all hands apart on all boards. The hero's winnings are found on the
public tree (boards and bets), with vectors over all hands, as in

    M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating best response calculation in
    large extensive games" (2011).

The walkers of `pokerlab.engine` do it. They get the betting that may follow (`villain`), boards up
to the names of suits with the buckets of their hands (`boards`), and the villain's table as it is:
all boards of a street read the same rows. Numbers are float32, sums over first boards float64.
"""
