"""Less luck in a result: payoffs corrected by what chance and mixed strategies added to them.

A payoff is corrected by terms that are zero on average, whatever the players do, so the mean stays
what it is and only the noise goes:

- *all-in*: once nobody can bet any more, the cards still to be dealt are replaced by their average.
- *AIVAT* (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new variance reduction technique
  for agent evaluation in imperfect information games", 2018): at the deal, at every public card,
  and at every decision of a bot that tells its strategy, the guess of a value function for what
  happened is taken away, and its mean over all that could have happened there is added.

Between two players, a bot that tells the strategy of all of its hands (`Bot.hand_strategy`) is
averaged over all hands with which it might have played as it did, in its result and in every
correction; its own cards are not looked at. Other players count with the cards that they were
dealt: bots that tell `Bot.probabilities` alone, unknown opponents, and all among three or more.

The value function is what the bots' own solves say (`Bot.hand_values`, `Bot.card_values`). Where
they say nothing it is what the players would get if all who are still in called, and the pot were
shared out by their chances to win, the lead counted a little more for each street of betting to
come; at decisions, what bots that tell would do next on the street is looked at first, and between
two players hands that lose less by it fold to a bet. Any function leaves the mean as it is; a
better one takes away more noise. Draws are not corrected for.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
