"""What two players can take from a third: coalitions in games of three and more.

Three teams, from the strongest to the weakest:

- with shared cards: one player who sees what all members see (`TeamGame`), so that best responses
  and the linear program of two players are exact;
- without shared cards, but with a plan made before the deal, perhaps drawn at random for all
  members together (`coordinated_response`, `coordinated_value`);
- players who each play for themselves: what an equilibrium is safe against.

References: A. Celli and N. Gatti, "Computational results for extensive-form adversarial team games"
(2018); G. Farina and others, "Ex ante coordination and collusion in zero-sum multi-player
extensive-form games" (2018).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from pokerlab.games.protocol import Game, State
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.analysis.cfr_br import own_reach
from pokerlab.solvers.evaluation.tree_values import arrival, best_response, values
from pokerlab.solvers.exact.highs import minimise
from pokerlab.solvers.exact.sequence_form import solve_lp
from pokerlab.solvers.exact.sparse_rows import plan_rows, sparse_rows
from pokerlab.solvers.strategy import Strategy, StrategyLike, probabilities
from pokerlab.trees.game_tree import GameTree

MOST_PLAN_NODES = 5_000
"""Nodes of the largest game for which plans without shared cards are worth trying."""


@dataclass(frozen=True)
class TeamGame:
    """A game in which some seats are one player who sees what each of them sees.

    Seat 0 is the team, seat 1 the player who is left; the payoff of the team is the sum of its
    members'.

    Attributes
    ----------
    whole
        The game.
    members
        The seats of the team: all but one.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> GameTree.build(TeamGame(load_game("kuhn.3p"), (0, 1)))
    <GameTree kuhn.3p, team 0+1: 617 nodes, 112 information sets>
    >>> TeamGame(load_game("kuhn.3p"), (0, 3))
    Traceback (most recent call last):
    ValueError: team 0,3: it must be all seats of kuhn.3p but one, for example 0,1
    """

    whole: Game
    members: tuple[int, ...]

    def __post_init__(self) -> None:
        inside = set(self.members) <= set(range(self.whole.players))
        if not inside or len(set(self.members)) != self.whole.players - 1 or self.whole.players < 3:
            told = ",".join(map(str, self.members))
            raise ValueError(
                f"team {told}: it must be all seats of {self.whole.name} but one, for example 0,1"
            )

    @property
    def name(self) -> str:
        """The name of the game, and who plays together."""
        return f"{self.whole.name}, team {'+'.join(map(str, self.members))}"

    @property
    def players(self) -> int:
        """The team and the player who is left."""
        return 2

    @property
    def other(self) -> int:
        """The seat of the player who is left."""
        return next(seat for seat in range(self.whole.players) if seat not in self.members)

    def start(self) -> TeamState:
        """The state before anything has happened."""
        return TeamState(self, self.whole.start())


@dataclass(frozen=True)
class TeamState:
    """A state of a `TeamGame`."""

    game: TeamGame
    inner: State

    @property
    def player(self) -> int:
        """0 for the team, 1 for the other, or chance or the end."""
        seat = self.inner.player
        return seat if seat < 0 else int(seat == self.game.other)

    def actions(self) -> Sequence[str]:
        """Those of whoever acts."""
        return self.inner.actions()

    def chances(self) -> Sequence[float]:
        """Those of the game."""
        return self.inner.chances()

    def apply(self, action: str) -> TeamState:
        """The state after an action."""
        return TeamState(self.game, self.inner.apply(action))

    def payoffs(self) -> Sequence[float]:
        """The sum of the members', and the other's."""
        found = self.inner.payoffs()
        return sum(found[seat] for seat in self.game.members), found[self.game.other]

    def seen_by(self, seat: int) -> str:
        """All that the members have seen, or the other."""
        if seat == 1:
            return self.inner.seen_by(self.game.other)
        return " + ".join(self.inner.seen_by(member) for member in self.game.members)

    def public(self) -> str:
        """All that a spectator has seen."""
        return self.inner.public()


@dataclass(frozen=True)
class TeamResponse:
    """The winnings of a player who keeps to a strategy, as the others work together ever more.

    Attributes
    ----------
    player
        The seat.
    value
        If all play the strategy.
    alone
        If one of the others plays for nothing but the player's loss: the worse of them.
    plan
        If the others play the best plan without shared cards; NaN where it was not computed.
    cards
        If the others share their cards.
    """

    player: int
    value: float
    alone: float
    plan: float
    cards: float


def team_response(
    tree: GameTree, strategy: StrategyLike, player: int, *, plan: bool = True
) -> TeamResponse:
    """What the others can take from a player by working together, exactly.

    Without `plan`, the integer program is left out, which only small games allow.

    Examples
    --------
    Against a coin that is tossed, two who always show heads win half a chip:

    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("coins.3p"))
    >>> team_response(tree, Strategy.uniform(tree.infosets), 0)
    TeamResponse(player=0, value=0.0, alone=0.0, plan=-0.5, cards=-0.5)
    """
    if not 0 <= player < tree.players:
        raise ValueError(f"no player {player}: {tree.game.name} has {tree.players}, from 0")
    members = tuple(seat for seat in range(tree.players) if seat != player)
    shared = GameTree.build(TeamGame(tree.game, members))
    chosen = probabilities(tree, strategy)
    loss = np.repeat(-tree.payoffs[:, [player]], tree.players, axis=1)
    against = replace(tree, payoffs=loss)
    return TeamResponse(
        player,
        float(values(tree, chosen)[player]),
        min(-best_response(against, chosen, seat).value for seat in members) + 0.0,
        -coordinated_response(tree, chosen, player)[0] if plan else math.nan,
        -best_response(shared, _in_team(shared, tree, chosen, player), 0).value,
    )  # fmt: skip


def shared_cards_value(tree: GameTree, player: int) -> float:
    """What a player can be sure of if the others share their cards, by the linear program.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> round(shared_cards_value(GameTree.build(load_game("kuhn.3p")), 0), 6)
    -0.083333
    """
    members = tuple(seat for seat in range(tree.players) if seat != player)
    return solve_lp(GameTree.build(TeamGame(tree.game, members))).values[1]


def coordinated_response(
    tree: GameTree, strategy: StrategyLike, player: int
) -> tuple[float, Strategy]:
    """The most that all others win together from a player by a plan, and that plan.

    Each member sees only their own cards; a plan fixes what each does, and is found by an integer
    program with one variable for each end of the game (HiGHS).

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> tree = GameTree.build(load_game("kuhn.3p"))
    >>> value, plan = coordinated_response(tree, Strategy.uniform(tree.infosets), 0)
    >>> round(value, 6)
    0.583333
    """
    chosen = probabilities(tree, strategy)
    plan = _best_plan(tree, player, _weights(tree, chosen, player))
    mine = tree.infosets.slot_player == player
    found = Strategy(tree.infosets, np.where(mine, chosen, plan))
    return -float(values(tree, found)[player]), found


def coordinated_value(tree: GameTree, player: int, *, target: float = 1e-9) -> float:
    """What a player can be sure of if the others draw a plan at random before the deal.

    The program of the player has a row for each plan; plans come in one by one, each the best
    against the strategy so far, until none is better than what the player is sure of by `target`
    chips. `RuntimeError` where rounding does not let it come so near.

    Examples
    --------
    Two who toss one coin for both win half a chip from the third, whatever the third does:

    >>> from pokerlab.games import load_game
    >>> round(coordinated_value(GameTree.build(load_game("coins.3p")), 0), 6)
    -0.5
    """
    infosets = tree.infosets
    mine = infosets.slots_of(player)
    sets = np.flatnonzero(infosets.player == player)
    # Columns: the value, the empty sequence, the player's slots.
    column = np.ones(infosets.slots + 1, int)  # slot -1, "no move yet", is the empty sequence
    column[mine] = 2 + np.arange(len(mine))
    columns = 2 + len(mine)
    equal, right = plan_rows(infosets, sets, column, columns)
    lowest = np.zeros(columns)
    lowest[0] = -np.abs(tree.payoffs).max()
    gain = tree.terminal_chance * tree.payoffs[:, player]
    at_end = column[tree.terminal_slots[:, player]]
    uniform = Strategy.uniform(infosets).array
    own = np.append([0.0, 1.0], own_reach(tree, uniform, player)[mine])
    value = math.inf
    limits: list[Floats] = []
    while True:
        weights = own[at_end]
        plan = _best_plan(tree, player, -weights * gain)
        played = gain * _played(tree, player, plan)
        certain = float(played @ weights)
        if certain > value - target:
            return value
        row = np.bincount(at_end, -played, columns).astype(np.float64)
        row[0] = 1.0
        if any(np.array_equal(row, known) for known in limits):
            raise RuntimeError(
                f"{tree.game.name} against plans: rounding leaves {value - certain:g} chips open;"
                f" the target {target:g} is too small"
            )
        limits.append(row)
        objective = np.zeros(columns)
        objective[0] = -1.0
        result = minimise(
            objective,
            upper=csr_array(np.array(limits)),
            limits=np.zeros(len(limits)),
            equal=equal,
            right=right,
            lowest=lowest,
            name=f"{tree.game.name} against plans",
        )
        value, own = -float(result.fun), np.maximum(result.x, 0.0)


def _in_team(shared: GameTree, tree: GameTree, chosen: Floats, player: int) -> Floats:
    """The strategy of the player who is left, in the game with the team; the team is uniform."""
    found = Strategy.uniform(shared.infosets).array.copy()
    moved = np.flatnonzero((tree.slot >= 0) & (tree.player[tree.parent] == player))
    found[shared.slot[moved]] = chosen[tree.slot[moved]]  # both trees have the same nodes
    return found


def _weights(tree: GameTree, chosen: Floats, player: int) -> Floats:
    """The loss of the player at each end, times the chance that they and the cards lead there."""
    certain = np.where(tree.infosets.slot_player == player, chosen, 1.0)
    found: Floats = arrival(tree, certain)[tree.terminals] * -tree.payoffs[:, player]
    return found


def _played(tree: GameTree, player: int, plan: Floats) -> Floats:
    """For each end, whether a plan of the others leads there."""
    certain = np.where(tree.infosets.slot_player == player, 1.0, plan)
    reached, chance = arrival(tree, certain)[tree.terminals], tree.terminal_chance
    return np.divide(reached, chance, out=np.zeros_like(chance), where=chance > 0.0)


def _best_plan(tree: GameTree, player: int, weights: Floats) -> Floats:
    """The plan of all but one player with the greatest sum of weights: a probability by slot.

    Variables are the sequences of each member, 0 or 1, and for each set of last moves of the
    members whether all of them are played.
    """
    infosets = tree.infosets
    members = [seat for seat in range(tree.players) if seat != player]
    mine = np.isin(infosets.slot_player, members)
    slots = np.flatnonzero(mine)
    column = np.full(infosets.slots + 1, -1)
    column[slots] = np.arange(len(slots))
    ends, place = np.unique(tree.terminal_slots[:, members], axis=0, return_inverse=True)
    worth = np.bincount(place.ravel(), weights, len(ends))
    ends, worth = ends[worth != 0.0], worth[worth != 0.0]
    size, joint = len(slots), len(slots) + np.arange(len(ends))
    needed = (ends >= 0).sum(axis=1)
    # joint ≤ each sequence; joint ≥ their sum less the number of them but one.
    row, seat = np.nonzero(ends >= 0)
    count = np.arange(len(row))
    below = sparse_rows(
        (count, joint[row], 1.0),
        (count, column[ends[row, seat]], -1.0),
        shape=(len(row), size + len(ends)),
    )
    above = sparse_rows(
        (np.arange(len(ends)), joint, -1.0),
        (row, column[ends[row, seat]], 1.0),
        shape=(len(ends), size + len(ends)),
    )
    sets = np.flatnonzero(np.isin(infosets.player, members))
    rows = np.arange(len(sets))
    parent = infosets.parent[sets]
    later = parent >= 0
    sequences = sparse_rows(
        (np.repeat(rows, infosets.n_actions[sets]), column[slots], 1.0),
        (rows[later], column[parent[later]], -1.0),
        shape=(len(sets), size + len(ends)),
    )
    start = (~later).astype(float)
    result = milp(
        np.concatenate([np.zeros(size), -worth]),
        integrality=np.concatenate([np.ones(size), np.zeros(len(ends))]),
        bounds=Bounds(0.0, 1.0),
        constraints=[
            LinearConstraint(below, -np.inf, 0.0),
            LinearConstraint(above, -np.inf, needed - 1.0),
            LinearConstraint(sequences, start, start),
        ],
        options={"mip_rel_gap": 0.0},
    )
    if result.status != 0:
        raise RuntimeError(f"HiGHS found no plan for {tree.game.name}: {result.message}")
    weights = np.zeros(infosets.slots)
    weights[slots] = np.round(result.x[:size])
    # Sets that the plan does not reach take their first action: a plan is pure.
    first = np.zeros(infosets.slots)
    first[infosets.offset[:-1]] = 1.0
    reached = np.repeat(np.add.reduceat(weights, infosets.offset[:-1]) > 0, infosets.n_actions)
    found: Floats = np.where(reached, weights, first)
    return found
