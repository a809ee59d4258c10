"""A player that follows a saved strategy, also after bet sizes that it does not have."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.games import Betting, BettingGame, DealtState
from pokerlab.games.betting_trees.translation import pseudo_harmonic
from pokerlab.holdem.spots import PostflopSolution
from pokerlab.players.bots.bot import PolicyBot
from pokerlab.players.bots.fair import FairBot
from pokerlab.players.bots.hand_strategy import HandStrategy, private_hands
from pokerlab.players.strategies.look_up import StrategyLookUp, open_strategy
from pokerlab.players.strategies.spot_game import SpotGame
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers import Solution


class _Line(NamedTuple):
    """A betting of the solution that may stand for the one at the table, and how likely."""

    node: Betting
    weight: Any
    """A number, or one for each hand."""


_Chances: TypeAlias = Callable[[Betting], Mapping[str, Any]]
"""How likely each action of the solution is at a node of it, with one hand or with many."""


class StrategyBot(PolicyBot):
    """Plays a solution: of a game of the catalogue, or of a spot of hold'em.

    A bet that is not on the solution's menu stands for its neighbours there, by the
    pseudo-harmonic mapping. Several lines of the solution then stand for one at the table, each
    with a probability: that of the translations, and of what the bot did itself on the way. What
    it plays is the mean over them: the same as to draw a translation once for each bet and to
    stay with it. So it can tell its strategy, and needs no memory.

    Its own bets keep their share of the pot. Where the solution has nothing to say (a hand that
    its range does not hold, a line that ends earlier there), it plays as `FairBot`.

    Parameters
    ----------
    path
        The file of a solution, or a solution.

    Examples
    --------
    >>> from pokerlab.solvers import solve
    >>> bot = StrategyBot(solve("kuhn", "lp"))
    >>> game = bot.strategy.game
    >>> bot.reset(game, np.random.default_rng(1))
    >>> bot.probabilities(game.replay("r", game.make_deal(["Qs", "Js"])).view(1))
    {'f': 1.0}
    >>> from pokerlab.games import load_game
    >>> bot.reset(load_game("leduc"), np.random.default_rng(1))
    Traceback (most recent call last):
    ValueError: a solution of kuhn cannot play leduc: their streets, deck or seats differ
    """

    def __init__(self, path: str | os.PathLike[str] | Solution | PostflopSolution) -> None:
        self.strategy: StrategyLookUp = open_strategy(path)
        self._fallback = FairBot()

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Check that the strategy is one of this game."""
        super().reset(game, rng)
        self._fallback.reset(game, rng)
        own = self.strategy.game
        if isinstance(own, SpotGame):
            own.spot.check_pays_chips("a table")
        if not _alike(own, game):
            if isinstance(own, SpotGame):
                raise ValueError(
                    f"a solution of a spot ({own.description}) cannot play {game.name}; give its"
                    " file, or that of the spot, in place of the game"
                )
            raise ValueError(
                f"a solution of {own.name} cannot play {game.name}: their streets, deck or seats"
                " differ"
            )

    def probabilities(self, view: DealtState) -> Mapping[str, float]:
        """The mean strategy over the lines that this one may stand for."""
        found: dict[str, float] = {}

        def chances(node: Betting) -> Mapping[str, float]:
            return self.strategy.probabilities(node, view) or {}

        for line in self._lines(view, chances):
            chosen = self.strategy.probabilities(line.node, view)
            for action, chance in (chosen or {}).items():
                if chance > 0.0:
                    real = _at_table(action, line.node, view.node)
                    found[real] = found.get(real, 0.0) + line.weight * chance
        total = sum(found.values())
        if total <= 0.0:
            return self._fallback.probabilities(view)
        return {action: float(chance / total) for action, chance in found.items()}

    def hand_strategy(self, view: DealtState) -> HandStrategy | None:
        """The same for all hands at once."""
        if type(self).probabilities is not StrategyBot.probabilities:
            return super().hand_strategy(view)  # of a bot that plays in another way
        hands = private_hands(view.game)

        def chances(node: Betting) -> Mapping[str, Floats]:
            table = self.strategy.hand_probabilities(node, view, hands)
            return dict(zip(self.strategy.actions(node), table.T, strict=True))

        found: dict[str, Floats] = {}
        for line in self._lines(view, chances):
            for action, chance in chances(line.node).items():
                real = _at_table(action, line.node, view.node)
                found[real] = line.weight * chance + found.get(real, 0.0)
        total = np.asarray(sum(found.values(), np.zeros(len(hands))))
        public = set(view.board)
        for place in np.flatnonzero(total <= 0.0).tolist():
            if not public.intersection(hands[place]):
                own = self._fallback.probabilities(view.holding(hands[place]))
                for action, share in own.items():
                    found.setdefault(action, np.zeros(len(hands)))[place] = share
                total[place] = 1.0
        blocked = [bool(public.intersection(hand)) for hand in hands]
        actions = tuple(action for action, each in found.items() if each.any())
        table = np.stack([found[action] for action in actions], axis=1)
        table[blocked] = 0.0
        return HandStrategy(actions, table / np.where(total > 0.0, total, 1.0)[:, None])

    def _lines(self, view: DealtState, chances: _Chances) -> list[_Line]:
        """The lines of the solution for the betting so far, at which this player acts.

        With chances of many hands, weights are those of all of them.
        """
        own = view.player
        lines = [_Line(self.strategy.game.first_betting, 1.0)]
        for table, action in view.node.path():
            following: dict[str, _Line] = {}
            for line in lines:
                if line.node.player != table.player:
                    continue
                for chosen, chance in self._stands_for(action, line, table, chances, own):
                    node = line.node.after(chosen)
                    before = following.get(node.text)
                    weight = line.weight * chance + (before.weight if before else 0.0)
                    following[node.text] = _Line(node, weight)
            lines = list(following.values())
        return [
            line
            for line in lines
            if line.node.player == own
            and line.node.street == view.street
            and line.node.drawing == view.node.drawing
        ]

    def _stands_for(
        self, action: str, line: _Line, table: Betting, chances: _Chances, own: int
    ) -> Iterator[tuple[str, Any]]:
        """The solution's actions that an action at the table stands for, and how likely."""
        menu = self.strategy.actions(line.node)
        if not menu:
            return
        if table.player == own and not table.drawing:
            # One's own action was chosen here: what matters is how likely that was.
            mine = [each for each in menu if _at_table(each, line.node, table) == action]
            if len(mine) == 1 and _same(line.node, table):
                yield mine[0], 1.0
                return
            probabilities = chances(line.node)
            reached = {each: np.asarray(probabilities.get(each, 0.0)) for each in mine}
            yield from reached.items()
            never = ~np.any([chance > 0.0 for chance in reached.values()], axis=0)
            if np.any(never):
                for each, chance in _translate(action, line.node, table, menu):
                    yield each, chance * never
            return
        yield from _translate(action, line.node, table, menu)

    def hand_values(self, view: DealtState, seat: int) -> Floats | None:
        """What the solution says on its own lines; None after bets that it does not have."""
        return self._values_on(view.node, view.board)

    def card_values(self, view: DealtState, seat: int) -> Floats | None:
        """The same after each card that may come."""
        deck, old = view.game.deck, view.board[: view.game.board_cards[view.street] - 1]
        found = {}
        for place, card in enumerate(deck):
            if card not in old:
                values = self._values_on(view.node, (*old, card))
                if values is None:
                    return None
                found[place] = values
        shape = next(iter(found.values())).shape
        table = np.full((len(deck), *shape), np.nan)
        table[list(found)] = list(found.values())
        return table

    def _values_on(self, table: Betting, board: Sequence[int]) -> Floats | None:
        node = self.strategy.game.first_betting
        for before, action in table.path():
            if not _same(node, before) or action not in self.strategy.actions(node):
                return None
            node = node.after(action)
        return self.strategy.hand_values(node, board) if _same(node, table) else None


def _alike(own: BettingGame, game: BettingGame) -> bool:
    """Whether a strategy for one game can be played in the other: sizes of bets may differ."""
    names = ("players", "betting", "deck", "showdown", "hole_cards", "board_cards")
    return all(getattr(own, name) == getattr(game, name) for name in names)


def _same(node: Betting, table: Betting) -> bool:
    """Whether chips stand the same in both."""
    return node.spent == table.spent and node.price == table.price


def _share(size: int, node: Betting) -> float:
    """The total of a raise as a share of the pot after a call."""
    pot = node.pot + node.price - node.spent[node.player]
    return (size - node.price) / pot


def _translate(
    action: str, node: Betting, table: Betting, menu: Sequence[str]
) -> Iterator[tuple[str, float]]:
    """The menu's actions that an action at the table stands for."""
    if action in menu and (action[0] != "r" or node.game.betting == "limit"):
        yield action, 1.0
        return
    raises = [each for each in menu if each[0] == "r"]
    if action[0] != "r" or not raises:
        return
    if action in raises and _same(node, table):
        yield action, 1.0
        return
    size = int(action[1:])
    bounds = table.raise_bounds()
    if bounds is not None and size >= bounds[1]:
        yield raises[-1], 1.0
        return
    shares = [_share(int(each[1:]), node) for each in raises]
    for number, chance in pseudo_harmonic(_share(size, table), shares).items():
        yield raises[number], chance


def _at_table(action: str, node: Betting, table: Betting) -> str:
    """An action of the solution as it is played at the table."""
    if action == "f":
        return "f" if table.to_call > 0 else "c"
    if action[0] != "r":
        return action
    bounds = table.raise_bounds()
    if bounds is None:
        return "c"
    if table.game.betting == "limit" or (_same(node, table) and _legal(action, bounds)):
        return action
    lowest, highest = bounds
    own = node.raise_bounds()
    size = int(action[1:])
    if own is not None and size >= own[1]:
        return f"r{highest}"
    pot = table.pot + table.price - table.spent[table.player]
    wanted = table.price + round(_share(size, node) * pot)
    return f"r{min(max(wanted, lowest), highest)}"


def _legal(action: str, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= int(action[1:]) <= bounds[1]
