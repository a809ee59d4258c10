"""Evaluation of strategies: values, best responses, exploitability.

This is the truth that every solver is judged by. It runs in float64 over the nodes of the tree
and shares no code with the updates. All functions take any number of players.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.runtime.arrays import Bools, Floats, Indices, Int32s
from pokerlab.solvers.evaluation.evaluation_kernels import best_reply, flow_down, flow_up
from pokerlab.solvers.evaluation.pockets import deals_with, pockets_of
from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The most that a player can win against the others.

    Attributes
    ----------
    player
        Who responds.
    value
        The player's mean winnings; with a pocket, the mean over the deals that give it to them.
    strategy
        The profile in which the player plays the (pure) best response and the others the given
        strategy. With a pocket, the player too plays the given strategy with all other pockets.
    action_values
        For each slot of the player, the value of taking it and playing best afterwards, weighted
        with the probability that the others and the cards let the player reach it; nan for
        others' slots and for other pockets.
    """

    player: int
    value: float
    strategy: Strategy
    action_values: Floats


def values(tree: GameTree, strategy: StrategyLike) -> Floats:
    """The mean payoff of each player when all play `strategy`.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import Strategy
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> print(values(tree, Strategy.uniform(tree.infosets)))
    [ 0.125 -0.125]
    """
    reached = _reach(tree, probabilities(tree, strategy))
    return reached[tree.terminals] @ tree.payoffs


def node_values(tree: GameTree, strategy: StrategyLike) -> Floats:
    """The mean payoff of each player from each node on, shape (nodes, players)."""
    chosen = probabilities(tree, strategy)
    worth = np.zeros((len(tree), tree.players))
    worth[tree.terminals] = tree.payoffs
    flow_up(tree.parent, tree.slot, tree.chance, chosen, worth)
    return worth


def reach(tree: GameTree, strategy: StrategyLike, *, without: int | None = None) -> Floats:
    """The probability of reaching each node.

    With `without`, the moves of that player count as certain: the counterfactual reach.
    """
    return _reach(tree, probabilities(tree, strategy), without)


def arrival(tree: GameTree, factors: Floats) -> Floats:
    """For each node, the chances on the way there times the factors of the slots on the way.

    Factors need not be those of a strategy: with 1 for all slots the cards alone are left.
    """
    found = np.empty(len(tree))
    flow_down(tree.parent, tree.slot, tree.chance, factors, found)
    return found


def counterfactual_values(tree: GameTree, strategy: StrategyLike, player: int) -> Floats:
    """`node_values` times the reach without `player`, shape (nodes, players).

    Summed over the nodes that `player` cannot tell apart, these are the values of their player
    tree.
    """
    return reach(tree, strategy, without=player)[:, None] * node_values(tree, strategy)


def best_response(
    tree: GameTree, strategy: StrategyLike, player: int, pocket: str | None = None
) -> BestResponse:
    """A best response of `player` to the others' strategies.

    With a pocket it is the best response of a player who has been dealt these cards (``Ks``, or
    ``K`` for any king). The play with one pocket has no influence on the winnings with another, so
    the best response consists of those of the single pockets.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import Strategy
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> uniform = Strategy.uniform(tree.infosets)
    >>> round(best_response(tree, uniform, 0).value, 4)
    0.5
    >>> [round(best_response(tree, uniform, 0, pocket).value, 4) for pocket in "JQK"]
    [-0.5, 0.5, 1.5]
    """
    if not 0 <= player < tree.players:
        raise ValueError(f"no player {player}: {tree.game.name} has {tree.players}, from 0")
    chosen = probabilities(tree, strategy)
    held = None if pocket is None else _behind(tree, deals_with(tree, player, pocket))
    value, choice, worth = _best_reply(tree, chosen, player, held)
    mine = tree.infosets.slot_player == player
    if held is not None:
        answered = np.unique(tree.infoset[held & (tree.player == player)])
        mine &= np.isin(tree.infosets.slot_infoset, answered)
        choice = choice[mine[choice]]
    profile = np.where(mine, 0.0, chosen)
    profile[choice] = 1.0
    worth[~mine] = np.nan
    return BestResponse(player, value, Strategy(tree.infosets, profile), worth)


@dataclass(frozen=True)
class PocketValue:
    """The value of a player with some private cards.

    Attributes
    ----------
    pocket
        The cards.
    probability
        How often they are dealt to the player.
    value
        The player's mean winnings with them when everybody plays the strategy.
    best
        The player's mean winnings with them by a best response.
    """

    pocket: str
    probability: float
    value: float
    best: float


def pocket_values(
    tree: GameTree, strategy: StrategyLike, player: int, pocket: str | None = None
) -> tuple[PocketValue, ...]:
    """The value of each pocket of a player, by the strategy and by a best response.

    Where suits are merged, a pocket is its ranks. With `pocket`, only those that it names: ``K``
    for all kings.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import Strategy
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> for each in pocket_values(tree, Strategy.uniform(tree.infosets), 0):
    ...     print(each.pocket, round(each.value, 4), round(each.best, 4))
    Js -0.875 -0.5
    Qs 0.125 0.5
    Ks 1.125 1.5
    """
    if not 0 <= player < tree.players:
        raise ValueError(f"no player {player}: {tree.game.name} has {tree.players}, from 0")
    reached = _reach(tree, probabilities(tree, strategy))
    worth = node_values(tree, strategy)[:, player]
    wanted = None if pocket is None else deals_with(tree, player, pocket)
    found = []
    for cards in pockets_of(tree, player):
        deals = deals_with(tree, player, cards)
        if wanted is None or np.isin(deals, wanted).all():
            share = float(reached[deals].sum())
            value = float(reached[deals] @ worth[deals]) / share
            best = best_response(tree, strategy, player, cards).value
            found.append(PocketValue(cards, share, value, best))
    return tuple(found)


def nash_conv(tree: GameTree, strategy: StrategyLike) -> float:
    """The sum of what each player could gain by a best response; 0 in equilibrium."""
    chosen = probabilities(tree, strategy)
    best = [_best_reply(tree, chosen, player)[0] for player in range(tree.players)]
    return float(np.sum(best - _reach(tree, chosen)[tree.terminals] @ tree.payoffs))


def exploitability(tree: GameTree, strategy: StrategyLike) -> float:
    """`nash_conv` divided by the number of players.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> from pokerlab.solvers import Strategy
    >>> tree = GameTree.build(load_game("kuhn"))
    >>> round(exploitability(tree, Strategy.uniform(tree.infosets)), 4)
    0.4583
    """
    return nash_conv(tree, strategy) / tree.players


def _reach(tree: GameTree, chosen: Floats, without: int | None = None) -> Floats:
    if without is not None:
        chosen = np.where(tree.infosets.slot_player == without, 1.0, chosen)
    return arrival(tree, chosen)


def _behind(tree: GameTree, deals: Indices) -> Bools:
    """For each node, whether it lies behind one of some deals."""
    held = np.zeros(len(tree), np.bool_)
    for node in deals:
        held[node : tree.end[node]] = True
    return held


def _best_reply(
    tree: GameTree, chosen: Floats, player: int, held: Bools | None = None
) -> tuple[float, Int32s, Floats]:
    """Value of a best response, the slots it plays, and the worth of each slot.

    With `held`, only those nodes count, and the value is the mean over them.
    """
    infosets = tree.infosets
    counted = slice(None) if held is None else held[tree.terminals]
    others = _reach(tree, chosen, without=player)
    here, end = np.searchsorted(infosets.player, [player, player + 1])
    worth = np.zeros(infosets.slots)
    choice = np.zeros(len(infosets), np.int32)
    value = best_reply(
        player,
        tree.parent,
        tree.player,
        tree.infoset,
        tree.slot,
        infosets.slot_player,
        tree.terminals[counted],
        np.ascontiguousarray(tree.payoffs[counted, player]),
        others,
        here,
        end,
        infosets.offset,
        np.empty(len(tree), np.int32),
        np.empty(len(infosets), np.int32),
        worth,
        choice,
    )
    share = 1.0
    if held is not None:
        roots = held & ~np.append(False, held[tree.parent[1:]])
        share = float(others[roots].sum())
    return float(value) / share, choice[here:end], worth
