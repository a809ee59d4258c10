"""A solution put to the test by play: concrete random deals, both players following it.

Hands come from both ranges, cards from the rest of the deck, and at every decision an action is
drawn from the strategy that the solution holds for that hand on that board. The chips are counted
by the rules of the game (`pokerlab.games`): every line that was played is replayed there, and its
result is what the rules say. So the average checks values, strategies, boards up to suits, chips
and rake together, and shares nothing with the walks that computed them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.cards.codes import COMBO_CARDS, N_CARDS, N_COMBOS
from pokerlab.cards.evaluator.evaluation import evaluate_batch
from pokerlab.games.betting import Betting
from pokerlab.games.definition import BettingGame, Street
from pokerlab.games.protocol import TERMINAL
from pokerlab.games.showdown import share_pot
from pokerlab.postflop.answer.solution import PostflopSolution
from pokerlab.postflop.question.lines import ActionKind, LineLike, to_line
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.runouts import find_run_out
from pokerlab.postflop.tree.betting_tree import BettingTree, EdgeKind

__all__ = ["Simulation", "rules_action", "rules_of", "simulate_solution"]

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.intp]
Pair: TypeAlias = tuple[float, float]

HALVES = 2
"""Half of the pot is an ante, so the rules count in halves of the smallest chip."""


@dataclass(frozen=True)
class Simulation:
    """What play gave, and what was computed.

    Attributes
    ----------
    line, deals
        Where the hands began, and how many there were.
    mean, stderr
        For each player the chips taken from there on, chips put in before not counted: their
        average and its standard error.
    expected
        What the solution says.
    """

    line: str
    deals: int
    mean: Pair
    stderr: Pair
    expected: Pair

    @property
    def z(self) -> Pair:
        """How many standard errors the averages are from what the solution says."""
        first, second = (
            _standardised(mean - expected, error)
            for mean, error, expected in zip(self.mean, self.stderr, self.expected, strict=True)
        )
        return first, second


def _standardised(difference: float, error: float) -> float:
    if abs(difference) < 1e-9:
        return 0.0
    return difference / error if error > 0 else float(np.copysign(np.inf, difference))


def simulate_solution(
    solution: PostflopSolution, deals: int, rng: np.random.Generator, line: LineLike = ""
) -> Simulation:
    """Play a solution against itself.

    Parameters
    ----------
    solution
        What both players follow; a whole one, the river included.
    deals
        How many hands, at least 2.
    rng
        Where chance comes from.
    line
        Where the hands begin: both players then hold what they arrive with.

    Examples
    --------
    >>> from pokerlab.postflop import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.1%")
    >>> played = simulate_solution(solution, 10_000, np.random.default_rng(1), "x")
    >>> max(map(abs, played.z)) < 4
    True
    """
    if isinstance(deals, bool) or not isinstance(deals, int) or deals < 2:
        raise ValueError(f"deals: {deals!r} is not a number of hands (2 or more)")
    spot = solution.spot
    if len(solution.strategies) < len(spot.tree.streets):
        raise ValueError("the solution holds no strategies of the river: nobody can play it")
    place = spot.find(line)
    if str(to_line(line)):
        view = solution.at(line)
        weights, expected = view.weights, (view.mean_ev(0), view.mean_ev(1))
    else:
        weights = spot.ranges[0].weights, spot.ranges[1].weights
        expected = solution.values
    hands = deal_hands(weights, deals, rng)
    cards = deal_cards(hands, (*spot.board, *place.cards), rng)
    chips = np.zeros((deals, 2))
    lead = _compare(hands, cards)
    rules = rules_of(spot)
    for end in play(solution, hands, cards, place.level, place.node, rng):
        chips[end.deals] = settle(spot, rules, end.level, end.edge)[1 + lead[end.deals]]
    committed = spot.tree.streets[place.level].committed[place.node] / spot.units
    taken = chips + spot.pot / 2 + committed
    mean = taken.mean(axis=0)
    error = taken.std(axis=0, ddof=1) / np.sqrt(deals)
    return Simulation(
        line=str(to_line(line)),
        deals=deals,
        mean=(float(mean[0]), float(mean[1])),
        stderr=(float(error[0]), float(error[1])),
        expected=expected,
    )


def deal_hands(weights: tuple[Floats, Floats], deals: int, rng: np.random.Generator) -> Ints:
    """Deal a combo to each player, (deals, 2), as likely as their weights and apart."""
    combos = [np.flatnonzero(each) for each in weights]
    cards = [COMBO_CARDS[each] for each in combos]
    shared = (cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    likely = np.outer(weights[0][combos[0]], weights[1][combos[1]]) * ~shared
    total = np.cumsum(likely)
    if total.size == 0 or total[-1] <= 0:
        raise ValueError("no pair of hands arrives here: nothing can be dealt")
    pair = np.searchsorted(total, rng.random(deals) * total[-1], side="right")
    first, second = np.unravel_index(np.minimum(pair, len(total) - 1), likely.shape)
    return np.stack([combos[0][first], combos[1][second]], axis=1)


def deal_cards(
    hands: Ints, known: tuple[int, ...], rng: np.random.Generator
) -> npt.NDArray[np.uint8]:
    """Complete the boards: (deals, 5), the known cards first."""
    deals = len(hands)
    board = np.tile(np.array(known, np.uint8), (deals, 1))
    while board.shape[1] < 5:
        used = np.concatenate([board, COMBO_CARDS[hands].reshape(deals, 4)], axis=1)
        used.sort(axis=1)
        card = rng.integers(N_CARDS - used.shape[1], size=deals)
        for column in used.T:  # the n-th card that is left: step over those in use, in order
            card += card >= column
        board = np.concatenate([board, card[:, None].astype(np.uint8)], axis=1)
    return board


def _compare(hands: Ints, cards: npt.NDArray[np.uint8]) -> Ints:
    """Who has the better hand: 1 for the first player, −1 for the second, 0 for neither."""
    classes = [
        evaluate_batch(np.concatenate([cards, COMBO_CARDS[hands[:, player]]], axis=1)).astype(int)
        for player in range(2)
    ]
    return np.asarray(np.sign(classes[1] - classes[0]))


class End(NamedTuple):
    """The deals that ended with one action."""

    level: int
    edge: int
    deals: Ints


def play(
    solution: PostflopSolution,
    hands: Ints,
    cards: npt.NDArray[np.uint8],
    level: int,
    node: int,
    rng: np.random.Generator,
) -> Iterator[End]:
    """Play all deals from a node on, and give them as they end, action by action."""
    tree = solution.spot.tree
    arrived = {node: np.arange(len(hands))}
    while arrived:
        street = tree.streets[level]
        strategies = _Strategies(solution, level, cards)
        following: dict[int, Ints] = {}
        for here in range(street.nodes):
            if here not in arrived:
                continue
            deals = arrived.pop(here)
            chosen = strategies.choose(here, deals, hands, rng)
            for number, edge in enumerate(street.edges_of(here)):
                some = deals[chosen == number]
                kind, target = EdgeKind(street.kind[edge]), int(street.target[edge])
                if not len(some):
                    continue
                if kind == EdgeKind.NODE:
                    arrived[target] = some
                elif kind == EdgeKind.NEXT_STREET:
                    following[int(tree.streets[level + 1].root_first_node[target])] = some
                else:
                    yield End(level, edge, some)
        arrived = following
        level += 1


class _Strategies:
    """The strategies of a street on the boards that were dealt."""

    def __init__(
        self, solution: PostflopSolution, level: int, cards: npt.NDArray[np.uint8]
    ) -> None:
        self.street = solution.spot.tree.streets[level]
        self.stored = solution.strategies[level]
        self.layouts = solution.layout.streets[level]
        known = len(solution.spot.board)
        come = cards[:, known : known + level]
        key = come @ N_CARDS ** np.arange(level)
        _, first, self.board = np.unique(key, return_index=True, return_inverse=True)
        boards = come[first].tolist()
        self.number = np.zeros(len(boards), np.intp)
        self.position = np.zeros((len(boards), 2, N_COMBOS), np.int32)
        for number, board in enumerate(boards):
            run_out = find_run_out(solution.boards, board)[-1]
            self.number[number] = run_out.number
            for player in range(2):
                combos = run_out.combos(solution.boards, player)
                held = np.flatnonzero(combos >= 0)
                self.position[number, player, combos[held]] = held

    def choose(self, node: int, deals: Ints, hands: Ints, rng: np.random.Generator) -> Ints:
        """Draw an action at a node for each of some deals: its number there."""
        player = int(self.street.player[node])
        layout = self.layouts[player]
        board, hand = self.board[deals], hands[deals, player]
        stored, row = self.number[board], layout.rows[self.number[board]]
        entry = layout.first[stored] + layout.slot[node] * row + self.position[board, player, hand]
        numbers = np.arange(int(layout.actions[node]))
        kept = self.stored[player][entry + numbers[:, None] * row].astype(np.float64)
        below = np.cumsum(kept, axis=0)
        return np.asarray((rng.random(len(deals)) * below[-1] >= below[:-1]).sum(axis=0))


def rules_of(spot: Spot) -> BettingGame:
    """The spot as a game of the rules engine: the pot is two antes.

    Chips are counted in halves of the smallest chip there, and payoffs in chips.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=101, stack=80)
    >>> state = rules_of(spot).replay("r201c/")
    >>> state.pot / HALVES, state.stacks, state.player
    (201.0, (60, 60), 0)
    """
    tree = spot.tree
    streets = [Street(hole=2, board=len(spot.board), bet=HALVES)]
    streets += [Street(board=1, bet=HALVES)] * (len(tree.streets) - 1)
    stack = tree.pot + HALVES * tree.stack
    return BettingGame(
        name="spot",
        players=2,
        betting="no-limit",
        streets=tuple(streets),
        ante=tree.pot,
        stacks=(stack, stack),
        unit=HALVES * tree.units,
    )


def rules_action(tree: BettingTree, level: int, edge: int) -> str:
    """An action of the betting tree as the rules engine names it.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> [rules_action(spot.tree, 0, edge) for edge in spot.tree.streets[0].edges_of(0)]
    ['c', 'r200', 'r260']
    """
    street = tree.streets[level]
    if street.action[edge] == ActionKind.FOLD:
        return "f"
    if street.action[edge] in (ActionKind.CHECK, ActionKind.CALL):
        return "c"
    before = int(street.root_matched[street.root[street.node[edge]]])
    return f"r{tree.pot + HALVES * (before + int(street.amount[edge]))}"


def settle(spot: Spot, rules: BettingGame, level: int, edge: int) -> Floats:
    """What both players win at a leaf, the pot split evenly being nothing: (3, 2) chips.

    The rows are for a lead of −1, 0 and 1 of the first player's hand.
    """
    end = replay_line(spot.tree, rules, level, edge)
    pot = sum(end.spent) / rules.unit
    spent = np.array(end.spent) / rules.unit
    rows = []
    for lead in (-1, 0, 1):
        strengths = {0: lead, 1: 0} if len(end.live) == 2 else {end.live[0]: 0}
        won = np.array(share_pot(end.spent, strengths)) / rules.unit
        # The house takes its part from what each player takes out of the pot.
        rows.append(won - spot.rake_from(pot) * (won + spent) / pot)
    return np.array(rows)


def replay_line(tree: BettingTree, rules: BettingGame, level: int, edge: int) -> Betting:
    """Play the line that ends with a leaf by the rules; `ValueError` where they do not agree."""
    path = [(level, edge)]
    while True:
        street = tree.streets[level]
        node = int(street.node[edge])
        edge = int(street.parent_edge[node])
        if edge < 0:
            edge = int(street.root_parent_edge[street.root[node]])
            level -= 1
        if edge < 0:
            break
        path.append((level, edge))
    betting = rules.first_betting
    if not tree.stack:
        return betting  # nobody has chips to act with: the rules do not ask
    for above, taken in reversed(path):
        street = tree.streets[above]
        node = int(street.node[taken])
        if betting.player != street.player[node]:
            raise ValueError(f"line {tree.line(above, node)!r}: the rules let another player act")
        betting = betting.after(rules_action(tree, above, taken))
    if betting.player != TERMINAL:
        raise ValueError(f"betting {betting.text!r}: the hand is not over by the rules")
    return betting
