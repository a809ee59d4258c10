"""`AdamBot`: a pre-computed strategy before the flop, a search by fictitious play after it.

The system is from the seminar on fictitious play and regret; what that leaves open is said in
`pokerlab.players.bots.adam.masked_search` and in the page on limit hold'em.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pokerlab.cards.isomorphism.suits import canonical, permute_cards
from pokerlab.games import DealtState
from pokerlab.holdem.limit.sampling.bucketed_game import is_holdem
from pokerlab.players.bots.adam.masked_search import MaskedSearch
from pokerlab.players.bots.adam.search import Search
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.errors import shorten

SEARCHES = ("auto", "masked", "counted")
_PERCENTILES = ("169/ehs-flat", "169/ehs2-flat", "ehs-flat", "ehs2-flat")
"""Buckets that forget earlier streets, and whose order is that of their strength."""


class AdamBot(TwoPlayerLimitBot):
    """Plays limit hold'em for two: by a table before the flop, by search after it.

    Parameters
    ----------
    path
        The pre-computed strategy, whose groups of cards are those of the search: a file, or a
        strategy; by default that of the cache folder.
    iterations, weight, rule
        How it searches; see `pokerlab.players.bots.adam.search.Search`. By default the weight is
        1 for the masked search and 100 for the counted one. The rule is for the counted search;
        the other knows fictitious play only.
    search
        ``masked``: as the seminar has it, a street at a time with general matrices and masks
        (`pokerlab.players.bots.adam.masked_search`), in milliseconds; it needs percentile buckets.
        ``counted``: the rest of the hand with hands counted on the board, in seconds.
        ``auto``: masked, where the buckets allow it.

    Examples
    --------
    A strategy of one group of cards, so that there is nothing to wait for:

    >>> from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
    >>> import numpy as np
    >>> from pokerlab.games import load_betting_game
    >>> limit = load_betting_game("holdem.limit.2p")
    >>> blind = BucketedGame.of(limit, "none")
    >>> rows = np.full((blind.rows, 3), 1 / 3, np.float16)
    >>> computed = LimitStrategy(blind, rows, 1, 1.0, "none", "none", 0.0, 0.0, True)
    >>> bot = AdamBot(computed, iterations=5)
    >>> bot.reset(limit, np.random.default_rng(1))
    >>> deal = limit.make_deal(["AsAh", "7c2d"], "AdAcKh2s3s")
    >>> sorted(bot.probabilities(limit.replay("rc/", deal).view(0)))
    ['c', 'r']
    """

    def __init__(
        self,
        path: str | Path | LimitStrategy = "",
        *,
        iterations: int = 50,
        weight: int | None = None,
        rule: str = "fp",
        search: str = "auto",
    ) -> None:
        super().__init__(path)
        game = self.strategy.game.game
        if not is_holdem(game) or game.players != 2:
            raise ValueError(f"it plays limit hold'em for two, and the strategy is for {game.name}")
        if iterations < 1:
            raise ValueError(f"iterations is {iterations}; it must be at least 1")
        if weight is not None and weight < 0:
            raise ValueError(f"weight is {weight}; it must be at least 0")
        if search not in SEARCHES:
            raise ValueError(f"search is {shorten(search)}; it must be {', '.join(SEARCHES)}")
        fits = self.strategy.game.name.startswith(_PERCENTILES) and rule == "fp"
        if search == "masked" and not fits:
            raise ValueError(
                f"the masked search knows the rule fp and percentile buckets (169/ehs-flat:…), not"
                f" {rule} and {self.strategy.game.name}"
            )
        self.search: Search | MaskedSearch
        if fits and search != "counted":
            self.search = MaskedSearch(self.strategy, iterations, 1 if weight is None else weight)
        else:
            weight = 100 if weight is None else weight
            self.search = Search(self.strategy, iterations, weight, rule)

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """The table before the flop, the solution of the street later."""
        if not view.board:
            return super().probabilities(view)
        board = view.board
        form = canonical(board[:3], *((card,) for card in board[3:]))
        line = view.node.text.rpartition("/")[0] + "/"
        solved = self.search.street(line, form.cards)
        hole = permute_cards(view.holes[view.player], form.permutation)
        node = solved.place[self.search.game.betting.find(view.node)]
        probabilities = solved.strategy[node, :, self.search.group(hole, line, form.cards)]
        found = {
            action: float(chance)
            for action, chance in zip("fcr", probabilities, strict=True)
            if chance > 0.0
        }
        total = sum(found.values())
        return {action: chance / total for action, chance in found.items()}
