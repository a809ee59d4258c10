"""A two-player strategy that plays three-player limit hold'em, by mappings of its betting.

For each opponent still in, the betting of a hand is put beside the 6,378 two-player histories:
a filter says which of them may stand for it, a comparator which of these are nearest, and the
strategy says what it would do there with the cards at hand. What two opponents give is combined,
maybe corrected or biased towards more folds, and played. Filters, comparators, combinations and
the correction are in `pokerlab.players.bots.mapping.filters`, `comparators`, `opponents` and
`correction`.

`HBB1` to `HBB5` are the mappings of the thesis "Abbildung eines 2-Spieler Computerspielers auf
3-Spieler-Limit-Poker" (TU Darmstadt 2013). Where it is silent we decided: a strategy that knows
none of the candidates is asked about all histories of the street (and checks or calls if it
knows none of those); of histories equally near, the first in the betting tree is taken; a fold
where checking is free is a check, a raise that is not possible is a call.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np

from pokerlab.cards.codes import combo_index
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.games import Betting, BettingGame, DealtState
from pokerlab.games.loading import load_betting_game
from pokerlab.players.bots.bot import PolicyBot
from pokerlab.players.bots.mapping.bias import (
    Triple,
    class_table,
    expected_folds,
    reference_actions,
    with_fold,
)
from pokerlab.players.bots.mapping.comparators import COMPARATORS, Ranking, numeric_distances, rank
from pokerlab.players.bots.mapping.correction import Correction, learned_correction
from pokerlab.players.bots.mapping.filters import FILTERS, Filter
from pokerlab.players.bots.mapping.histories import (
    ThreePlayerDecision,
    decisions_of,
    two_player_histories,
)
from pokerlab.players.bots.mapping.opponents import COMBINATIONS, weighted_mean

Cards = tuple[int, ...]

_KEPT_LINES = 5_000
"""Betting lines whose rankings are kept: some 5 kB each."""

_ENOUGH = 200
"""How many candidates are sorted at first; seldom must a strategy be asked about more."""

_NEAREST, _ALL, _STREET = range(3)
"""Which candidates to rank: the nearest of those that the filter leaves, all of them, or all
histories of the street."""


@runtime_checkable
class TwoPlayerTriples(Protocol):
    """A strategy of two-player limit hold'em, as the mappings ask for it."""

    def triple(self, history: str, hole: Cards, board: Cards, /) -> Triple | None:
        """The probabilities of (fold, call, raise) for the player who must act.

        `history` is the betting as ``rc/cr``, with a stroke where a street has just begun;
        `board` are the cards of the table in the order they were dealt. None where training
        never visited.
        """


class ThreePlayerTriples(Protocol):
    """A strategy of three-player limit hold'em, as `MappingBot` asks for its folds."""

    def at(self, node: Betting, hole: Cards, board: Cards, /) -> Triple | None:
        """The probabilities of (fold, call, raise); None where training never visited."""


class Neighbour(NamedTuple):
    """A two-player history that stands for a decision, with the strategy there."""

    history: str
    distance: float
    triple: Triple


class Mapped(NamedTuple):
    """The mapping of a decision, against one opponent.

    Attributes
    ----------
    decision
        The decision as it is against this opponent.
    candidates
        How many histories the filter left.
    skipped
        How many of them, nearer than the last neighbour, the strategy did not know.
    neighbours
        The nearest that it knows, the nearest first; of the whole street where it knows none of
        the candidates.
    """

    decision: ThreePlayerDecision
    candidates: int
    skipped: int
    neighbours: tuple[Neighbour, ...]


class _Ranked(NamedTuple):
    """The candidates against one opponent: how many there are, and the nearest in their order."""

    decision: ThreePlayerDecision
    candidates: int
    ranking: Ranking


class MappingBot(PolicyBot):
    """Plays a two-player strategy among three players.

    Parameters
    ----------
    strategy
        A two-player strategy, or the file of one; by default that of the cache folder.
    candidates
        Name of the filter: ``street``, ``pot-size``, ``pot-odds``, ``rounds``.
    order
        Name of the comparator: ``standard``, ``advanced``, ``odds-first``, ``stakes``.
    opponents
        How the triples of two opponents are combined: ``mean``, ``both``.
    correction
        With three players in, correct what was combined: True by the correction that is part of
        pokerlab (see `learned_correction`), or by another one.
    nearest
        How many histories are asked for each opponent; those that the strategy does not know
        are passed over.
    weighted
        Whether a history at distance d weighs 1 / (1 + d); else all weigh the same.
    bias
        Before the flop with three players in and something to pay, raise the probability to fold
        by the difference between hyperborean's frequency for the hand class and the bot's own.
        The own frequencies may be given by class name, as counted in a match (then other classes
        are not biased); True computes them (see `expected_folds`).
    folds
        A three-player strategy, or the file of one: with three players in and something to pay
        before the flop, fold as often as it does with these cards after this betting, which is
        a bias for every hand and every history. In the place of `bias`.
    postflop
        Whether `folds` counts after the flop as well.
    greedy
        Whether to play the most probable action instead of drawing one.

    Examples
    --------
    A strategy that folds to every raise and else calls:

    >>> from pokerlab.games import load_game
    >>> class Timid:
    ...     def triple(self, history, hole, board):
    ...         return (1.0, 0.0, 0.0) if history.endswith("r") else (0.0, 1.0, 0.0)
    >>> game = load_game("holdem.limit.3p")
    >>> bot = MappingBot(Timid())
    >>> bot.reset(game, np.random.default_rng(1))
    >>> deal = game.make_deal(["AsKd", "QhQc", "7h2c"], "2d3d4h5s6c")
    >>> view = game.replay("ccc/ccr", deal).view(0)
    >>> bot.probabilities(view)
    {'f': 0.5, 'c': 0.5}
    >>> [mapped.neighbours[0].history for mapped in bot.mappings(view)]
    ['cc/c', 'cc/cr']
    >>> MappingBot(Timid(), order="nearness")
    Traceback (most recent call last):
    ValueError: no comparator 'nearness' (standard, advanced, odds-first, stakes)
    """

    def __init__(
        self,
        strategy: str | os.PathLike[str] | TwoPlayerTriples = "",
        *,
        candidates: str = "street",
        order: str = "standard",
        opponents: str = "mean",
        correction: bool | Correction = False,
        nearest: int = 1,
        weighted: bool = False,
        bias: bool | Mapping[str, float] = False,
        folds: str | os.PathLike[str] | ThreePlayerTriples = "",
        postflop: bool = False,
        greedy: bool = False,
    ) -> None:
        if folds and bias:
            raise ValueError("bias, folds: only one of them can say how often to fold")
        if postflop and not folds:
            raise ValueError("postflop: only with folds=FILE, a three-player strategy")
        if isinstance(nearest, bool) or not isinstance(nearest, int) or nearest < 1:
            raise ValueError(f"nearest: {nearest} is not a number of histories (1 or more)")
        self.strategy = _opened(strategy)
        self.nearest = nearest
        self.weighted = weighted
        self.bias = bias is True or isinstance(bias, Mapping)
        self.postflop = postflop
        self.greedy = greedy
        self._folds = _opened_folds(folds)
        self._filter = FILTERS.find(candidates)
        self._comparator = COMPARATORS.find(order)
        self._combine = COMBINATIONS.find(opponents)
        self._correction = learned_correction() if correction is True else correction or None
        self._given_folds = class_table(bias) if isinstance(bias, Mapping) else {}
        self._own_folds: dict[int, float] = {}
        self._computes_folds = bias is True
        self._rankings: dict[tuple[str, int], tuple[_Ranked, ...]] = {}

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Check that the game is limit hold'em for three, whatever its blinds are."""
        if game is not getattr(self, "game", None):
            self._rankings.clear()
            self._own_folds = dict(self._given_folds)
        super().reset(game, rng)
        wanted = load_betting_game("holdem.limit.3p")
        if _rules(game) != _rules(wanted):
            raise ValueError(
                f"a mapping of a two-player strategy plays {wanted.name} and cannot play"
                f" {game.name}: players, cards or the number of raises differ"
            )

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """The strategy in the histories that stand for this one."""
        return self._probabilities(view.node, view.holes[view.player], view.board)

    def mappings(self, view: DealtState) -> tuple[Mapped, ...]:
        """The histories that stand for this one, for each opponent still in."""
        return self._mappings(view.node, view.holes[view.player], view.board)

    def _probabilities(self, node: Betting, hole: Cards, board: Cards) -> dict[str, float]:
        triple = self._triple(node, hole, board)
        if self.bias and node.street == 0 and len(node.live) == 3 and node.to_call > 0:
            triple = with_fold(triple, min(max(triple[0] + self._more_folds(hole), 0.0), 1.0))
        if self._folds is not None and len(node.live) == 3 and node.to_call > 0:
            wanted = self._folds.at(node, hole, board)
            if wanted is not None and (node.street == 0 or self.postflop):
                triple = with_fold(triple, wanted[0])
        probabilities = _legal(triple, node)
        if self.greedy:
            return {max(probabilities, key=probabilities.__getitem__): 1.0}
        return probabilities

    def _triple(self, node: Betting, hole: Cards, board: Cards) -> Triple:
        triples: list[Triple] = []
        decisions: list[ThreePlayerDecision] = []
        for mapped in self._mappings(node, hole, board):
            near = mapped.neighbours
            if near:
                weights = [1.0 / (1.0 + each.distance) if self.weighted else 1.0 for each in near]
                triples.append(weighted_mean([each.triple for each in near], weights))
                decisions.append(mapped.decision)
        if not triples:
            return 0.0, 1.0, 0.0
        if len(triples) == 1:
            return triples[0]
        triple = self._combine(triples, decisions)
        return self._correction.at(node, hole, board, triple) if self._correction else triple

    def _mappings(self, node: Betting, hole: Cards, board: Cards) -> tuple[Mapped, ...]:
        found = []
        for opponent, (decision, candidates, ranking) in enumerate(self._ranked(node, _NEAREST)):
            neighbours, skipped = self._neighbours(ranking, hole, board)
            if len(neighbours) < self.nearest and len(ranking.numbers) < candidates:
                _, _, ranking = self._ranked(node, _ALL)[opponent]
                neighbours, skipped = self._neighbours(ranking, hole, board)
            if not neighbours:
                _, _, ranking = self._ranked(node, _STREET)[opponent]
                neighbours, _ = self._neighbours(ranking, hole, board)
            found.append(Mapped(decision, candidates, skipped, neighbours))
        return tuple(found)

    def _neighbours(
        self, ranking: Ranking, hole: Cards, board: Cards
    ) -> tuple[tuple[Neighbour, ...], int]:
        """The nearest histories that the strategy knows, and how many it did not know."""
        texts = two_player_histories().texts
        places: list[int] = []
        triples: list[Triple] = []
        for place, number in enumerate(ranking.numbers):
            triple = self.strategy.triple(texts[number], hole, board)
            if triple is not None:
                places.append(place)
                triples.append(_normalised(triple))
                if len(places) == self.nearest:
                    break
        asked = places[-1] + 1 if len(places) == self.nearest else len(ranking.numbers)
        distances = numeric_distances(ranking.groups[places], ranking.distance[places])
        histories = [texts[number] for number in ranking.numbers[places]]
        near = tuple(map(Neighbour, histories, distances, triples))
        return near, asked - len(places)

    def _ranked(self, node: Betting, which: int) -> tuple[_Ranked, ...]:
        """Candidates in their order, for each opponent."""
        known = self._rankings.get((node.text, which))
        if known is not None:
            return known
        if len(self._rankings) >= _KEPT_LINES:
            del self._rankings[next(iter(self._rankings))]
        histories = two_player_histories()
        chosen: Filter = FILTERS.find("street") if which == _STREET else self._filter
        enough = max(_ENOUGH, 4 * self.nearest) if which == _NEAREST else None
        found = []
        for decision in decisions_of(node):
            numbers = chosen(decision, histories)
            order = self._comparator(decision, histories, numbers)
            found.append(_Ranked(decision, len(numbers), rank(numbers, order, enough)))
        self._rankings[node.text, which] = tuple(found)
        return tuple(found)

    def _more_folds(self, hole: Cards) -> float:
        """By how much more often hyperborean folds this class of hands."""
        hand = int(CLASS_OF_COMBO[combo_index(*hole)])
        if hand not in self._own_folds:
            if not self._computes_folds:
                return 0.0
            self._own_folds[hand] = expected_folds(
                self.game.first_betting,
                lambda node: _legal(self._triple(node, hole, ()), node),
            )
        return float(reference_actions()[hand, 0]) - self._own_folds[hand]


class _NamedMapping(MappingBot):
    """A mapping whose filter, comparator, combination and correction are fixed."""

    _parts: ClassVar[tuple[str, str, str]]
    _corrected: ClassVar[bool] = False

    def __init__(
        self,
        strategy: str | os.PathLike[str] | TwoPlayerTriples = "",
        *,
        nearest: int = 1,
        weighted: bool = False,
        bias: bool | Mapping[str, float] = False,
        folds: str | os.PathLike[str] | ThreePlayerTriples = "",
        postflop: bool = False,
        greedy: bool = False,
    ) -> None:
        candidates, order, opponents = self._parts
        super().__init__(
            strategy,
            candidates=candidates,
            order=order,
            opponents=opponents,
            correction=self._corrected,
            nearest=nearest,
            weighted=weighted,
            bias=bias,
            folds=folds,
            postflop=postflop,
            greedy=greedy,
        )


class HBB1(_NamedMapping):
    """Deletes as few actions of each betting round as make it a round of two players."""

    _parts = ("rounds", "standard", "mean")


class HBB2(_NamedMapping):
    """The history of the street with the fewest differing actions."""

    _parts = ("street", "standard", "mean")


class HBB3(_NamedMapping):
    """As HBB2, among histories with the nearest pot."""

    _parts = ("pot-size", "standard", "mean")


class HBB4(_NamedMapping):
    """The nearest pot odds and pot; then possible raises, position, differing actions."""

    _parts = ("pot-odds", "advanced", "mean")


class HBB5(_NamedMapping):
    """As HBB4 in one order over the whole street: it goes on where HBB4's histories end."""

    _parts = ("street", "odds-first", "mean")


class HBB6(_NamedMapping):
    """Our own: the stakes of the two, and a hand good enough against both.

    See ``stakes`` among the comparators and ``both`` among the combinations. It needs nothing but
    the two-player strategy. Measured with strategies of 20 and 25 minutes of training on a busy
    machine, in 12,000 hands each: 43 ± 22 mbb/g more than HBB5 against two fair bots, 59 ± 21 more
    against two three-player strategies, to which it loses (−86 ± 36).
    """

    _parts = ("street", "stakes", "both")


class HBB7(_NamedMapping):
    """Our own: as HBB6, corrected towards a strategy of the three-player game.

    See `pokerlab.players.bots.mapping.correction`. Measured as HBB6: 224 ± 32 mbb/g more than HBB5
    against two fair bots (which it beats by 179 ± 31), 127 ± 32 more against two three-player
    strategies (−18 ± 24: even), those that the correction was learned from, and 263 ± 41 more
    against montecarlo and a hybrid (HBB6: 145 ± 28). HBB6 with ``bias`` has 133 ± 32 and 102 ± 32
    more than HBB5 against the first two pairs.
    """

    _parts = ("street", "stakes", "both")
    _corrected = True


def _opened(strategy: str | os.PathLike[str] | TwoPlayerTriples) -> TwoPlayerTriples:
    """Load a strategy that is given by its file, and check that it is of the right game."""
    if not isinstance(strategy, str | os.PathLike):
        return strategy
    from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot  # takes Numba along

    found = TwoPlayerLimitBot(os.fspath(strategy)).strategy
    own, wanted = found.game.game, load_betting_game("holdem.limit.2p")
    if replace(own, name=wanted.name, description=wanted.description) != wanted:
        raise ValueError(f"a strategy of {own.name} cannot be mapped: it takes {wanted.name}")
    return found


def _opened_folds(
    strategy: str | os.PathLike[str] | ThreePlayerTriples,
) -> ThreePlayerTriples | None:
    """The same for the strategy that says how often to fold; None if there is none."""
    if not isinstance(strategy, str | os.PathLike):
        return strategy
    if not strategy:
        return None
    from pokerlab.players.bots.limit_bot import ThreePlayerLimitBot  # takes Numba along

    found = ThreePlayerLimitBot(os.fspath(strategy)).strategy
    own, wanted = found.game.game, load_betting_game("holdem.limit.3p")
    if replace(own, name=wanted.name, description=wanted.description) != wanted:
        raise ValueError(f"folds: a strategy of {own.name}, and not of {wanted.name}")
    return found


def _normalised(triple: Triple) -> Triple:
    """The triple with a sum of 1: files keep few digits."""
    fold, call, raise_ = triple
    total = raise_ + call + fold
    return fold / total, call / total, raise_ / total


def _legal(triple: Triple, node: Betting) -> dict[str, float]:
    """The triple as probabilities of legal actions, those that it takes."""
    legal = node.actions()
    probabilities: dict[str, float] = {}
    for action, chance in zip("fcr", triple, strict=True):
        if chance > 0.0:
            played = action if action in legal else "c"
            probabilities[played] = probabilities.get(played, 0.0) + chance
    return probabilities


def _rules(game: BettingGame) -> tuple[object, ...]:
    raises = tuple(street.max_raises for street in game.streets)
    return game.players, game.betting, game.deck, game.hole_cards, game.board_cards, raises
