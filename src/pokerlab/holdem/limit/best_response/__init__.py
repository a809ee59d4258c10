"""The exact best response to a strategy of a limit game for two, in the game itself.

One player, the *hero*, knows how the other, the *villain*, plays: by groups of cards, as in a
`BucketedGame`. The hero tells all hands apart on all boards. The hero's winnings are found on the
public tree (boards and bets), with vectors over all hands, as in

    M. Johanson, K. Waugh, M. Bowling, M. Zinkevich, "Accelerating best response calculation in
    large extensive games" (2011).

What differs from there: all lines of betting that enter a street are done at once, and are the
innermost index of every array (`lines`); boards that differ by the names of suits are one
(`boards`). A street on a board is a short list of steps (`street_shapes`) that kernels carry out.
Numbers are float32, sums over boards float64.
"""
