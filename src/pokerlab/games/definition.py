"""`BettingGame`: the rules of a poker game, and its hands as states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from pokerlab.cards.codes import Cards
from pokerlab.games.betting import Betting, first_betting
from pokerlab.games.chance import ChanceState
from pokerlab.games.deal import Deal, make_deal, random_deals
from pokerlab.games.dealt import DealtState, replay
from pokerlab.games.rules import GameRules


@dataclass(frozen=True, kw_only=True, repr=False)
class BettingGame(GameRules):
    """The rules of a poker game.

    Attributes
    ----------
    name
        Its name in the catalogue: letters, digits, ``.``, ``-`` and ``_``, 1 to 64 of them.
    players
        Number of seats, 2 to 10.
    betting
        ``limit``, ``pot-limit`` or ``no-limit``.
    streets
        What happens in order.
    ranks, suits
        The deck: all cards of these ranks and suits.
    showdown
        Name of the rule that compares hands (see `SHOWDOWN_RULES`).
    ante
        What every seat pays first.
    blinds
        What each seat pays next, by seat; they count as bets.
    stacks
        Chips of each seat at the start; none: no end of chips (limit games only).
    menu
        Sizes that `State.actions` lists in a pot-limit or no-limit game: shares of the pot after
        calling and ``a`` for all-in, ``"50%, 100%, a"``. It narrows what is listed, for trees,
        and not what is legal. Empty: every legal raise is listed.
    reopen
        ``full``: after an all-in for less than a full raise, those who have acted already may
        only call or fold, and the next raise goes up by a full raise again (card rooms,
        PokerKit). ``any``: every raise lets everybody raise again (the ACPC server). They differ
        only where stacks differ.
    odd_chips
        ``split``: shares are exact, in fractions of a chip if need be (as the ACPC server
        counts). ``first``: whole chips; what does not divide goes to the winner in the lowest
        seat.
    unit
        Payoffs are counted in this many chips: 2 in a game whose antes are half a chip.
    description
        One line for people.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from pokerlab.games import Street
    >>> kuhn = BettingGame(
    ...     name="kuhn", players=2, betting="limit", ranks="JQK", suits="s", ante=1,
    ...     showdown="high-card", streets=(Street(hole=1, bet=1, max_raises=1),),
    ... )
    >>> state = kuhn.start().apply("Js").apply("Ks")
    >>> state.player, state.actions(), state.apply("r").apply("c").payoffs()
    (0, ('c', 'r'), (-2.0, 2.0))
    >>> replace(kuhn, players=1)
    Traceback (most recent call last):
    ValueError: players: 1 is not a number of seats (2 to 10)
    """

    @overload
    def start(self, deal: None = None) -> ChanceState: ...
    @overload
    def start(self, deal: Deal) -> DealtState: ...
    def start(self, deal: Deal | None = None) -> DealtState | ChanceState:
        """The state before anybody has acted.

        With a `Deal` the cards come from it and chance never moves: that is how hands are
        played. Without, cards come by chance nodes, private ones seat by seat, public ones at
        once: that is how trees are built.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> kuhn = load_game("kuhn")
        >>> kuhn.start().actions(), kuhn.start(kuhn.make_deal(["Qs", "Ks"])).actions()
        (('Js', 'Qs', 'Ks'), ('c', 'r'))
        """
        return ChanceState.first(self) if deal is None else DealtState.first(self, deal)

    def replay(self, betting: str, deal: Deal | None = None) -> DealtState:
        """The state after some betting; without a deal, no card is known.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> state = load_game("holdem.nolimit.2p").replay("r300c/r600")
        >>> state.player, state.pot, state.to_call, state.betting
        (1, 900, 300, 'r300c/r600')
        """
        return replay(self, betting, deal)

    def deals(self, rng: np.random.Generator, count: int) -> Iterator[Deal]:
        """Deal `count` random hands."""
        return random_deals(self, rng, count)

    def deal(self, rng: np.random.Generator) -> Deal:
        """Deal one random hand (many are faster with `deals`)."""
        return next(random_deals(self, rng, 1))

    def make_deal(self, holes: Sequence[Cards], board: Cards = "", stub: Cards = "") -> Deal:
        """Deal chosen cards (see `deal.make_deal`)."""
        return make_deal(self, holes, board, stub)

    @property
    def first_betting(self) -> Betting:
        """The root of the action tree: antes and blinds are in, nobody has acted."""
        return first_betting(self)
