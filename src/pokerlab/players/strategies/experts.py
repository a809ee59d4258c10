"""Heads-up experts: strategies for what is left of a game once all but two have folded.

An expert is trained for one line before the flop that ends with such a fold, from the pot of that
line and from the ranges with which a base strategy comes there. Its part is a two-player game (the
player who has folded loses the same whatever happens), so that training comes near an equilibrium
of it, and it has fewer nodes, so that it can tell more cards and the whole betting apart.

References: N. Abou Risk and D. Szafron, "Using counterfactual regret minimization to create
competitive multiplayer poker agents" (2010); R. Gibson and D. Szafron, "On strategy stitching in
large extensive form multiplayer games" (2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.games import Betting, BettingGame
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame, same_rules
from pokerlab.holdem.limit.training.training import Training, train
from pokerlab.players.strategies.limit_file import LimitStrategy, Triple
from pokerlab.runtime.arrays import Floats
from pokerlab.trees.limit.betting import ACTIONS, flatten_betting


def fold_lines(game: BettingGame) -> tuple[str, ...]:
    """The lines of the first street that end with the fold which leaves two players.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> lines = fold_lines(load_betting_game("holdem.limit.3p"))
    >>> len(lines), lines[:4], lines[-2:]
    (44, ('f', 'cf', 'ccrf', 'ccrcf'), ('rrrf', 'rrrcf'))
    """

    def walk(node: Betting) -> Iterator[str]:
        for action in node.actions():
            after = node.after(action)
            if len(after.live) == 2 and after.player >= 0:
                yield after.text.rstrip("/")
            elif len(after.live) > 2 and after.street == 0:
                yield from walk(after)

    return tuple(walk(game.first_betting))


def ranges_after(base: LimitStrategy, line: str) -> Floats:
    """How likely each position comes to a line with each bucket: (positions, buckets).

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("kuhn.3p"), "each")
    >>> base = LimitStrategy.of(train(game, iterations=5_000, threads=1, boards=2))
    >>> ranges = ranges_after(base, "crf")  # the last player folds to a bet of the second
    >>> ranges.shape, bool(ranges[2, 0] > 0.9), bool(ranges[2, 3] < 0.1)
    ((3, 4), True, True)
    """
    game = base.game
    ranges = np.ones((game.game.players, game.counts[0]))
    node = game.game.first_betting
    for action in line:
        first = int(game.first_row[game.betting.find(node)])
        rows = np.asarray(base.probabilities[first : first + game.counts[0]], np.float64)
        taken = rows[:, ACTIONS.index(action)]
        ranges[node.player] *= np.where(np.isnan(taken), float(action == "c"), taken)
        node = node.after(action)
    return ranges


def reach_of(ranges: Floats) -> float:
    """How often hands of these ranges come up, as if no card was another's.

    Buckets that are not the 169 starting hands count as equally large.

    Examples
    --------
    >>> round(reach_of(np.full((3, 169), 0.5)), 12)
    0.125
    """
    buckets = ranges.shape[1]
    sizes = CLASS_SIZES if buckets == len(CLASS_SIZES) else np.ones(buckets)
    return float(np.prod(ranges @ (sizes / sizes.sum())))


def share_deals(base: LimitStrategy, deals: int, least: float = 0.0) -> dict[str, int]:
    """The deals for the expert of each line, of `deals` for all; lines below a reach have none.

    Where a part with n nodes is reached with probability r, and its strategy misses the
    equilibrium by about the square root of n over its deals, this shares out deals so that the sum
    of r times the miss is least. A line whose share is less than half a deal has none;
    `ValueError` if no line has any.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("holdem.limit.3p"), "classes")
    >>> uniform = np.full((game.rows, 3), 1 / 3, np.float16)
    >>> base = LimitStrategy(game, uniform, 0, 0.0, "none", "none", 0.0, 0.0, False)
    >>> shared = share_deals(base, 1_000_000, least=0.03)
    >>> {line: count // 1000 for line, count in shared.items()}
    {'f': 452, 'cf': 180, 'crf': 78, 'rf': 164, 'rcf': 54, 'rrf': 68}
    """
    game = base.game.game
    weights = {}
    for line in fold_lines(game):
        reach = reach_of(ranges_after(base, line))
        if reach > 0.0 and reach >= least:
            nodes = len(flatten_betting(game, line).nodes)
            weights[line] = reach ** (2 / 3) * nodes ** (1 / 3)
    total = sum(weights.values())
    shared = {line: round(deals * weight / total) for line, weight in weights.items()}
    found = {line: share for line, share in shared.items() if share > 0}
    if not found:
        raise ValueError(
            f"no line has an expert: {deals:,} deals must be enough for a line that is reached with"
            f" a probability of {least:g} or more"
        )
    return found


def train_expert(
    base: LimitStrategy,
    line: str,
    buckets: str,
    deals: int,
    *,
    seed: int = 0,
    threads: int | None = 1,
    boards: int = 20,
) -> Training:
    """Train the expert of a line; seed and number of threads fix the result.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("kuhn.3p"), "each")
    >>> base = LimitStrategy.of(train(game, iterations=5_000, threads=1, boards=2))
    >>> expert = LimitStrategy.of(train_expert(base, "rf", "each", 2_000, boards=2))
    >>> expert.game.line, expert.triple("rf", [51], [])[1] > 0.99  # the best card calls
    ('rf', True)
    """
    game = BucketedGame.of(base.game.game, buckets, line)
    ranges = ranges_after(base, line)
    if game.counts[0] != base.game.counts[0]:
        raise ValueError(
            f"buckets {buckets}: the first street must have the {base.game.counts[0]} of the base"
            f" strategy, not {game.counts[0]}"
        )
    return train(game, iterations=deals, threads=threads, seed=seed, boards=boards, ranges=ranges)


@dataclass(frozen=True, eq=False)
class Experts:
    """The experts of a game, by the line that each was trained for.

    Attributes
    ----------
    by_line
        The strategies.
    """

    by_line: Mapping[str, LimitStrategy]

    @classmethod
    def load(cls, folder: str | Path) -> Experts:
        """Read all files of a folder; `ValueError` if one is not an expert.

        Examples
        --------
        >>> Experts.load("nowhere")
        Traceback (most recent call last):
        ValueError: 'nowhere' has no experts: it must be a folder with a strategy file for each line
        """
        files = sorted(Path(folder).glob("*.safetensors"))
        if not files:
            raise ValueError(
                f"{str(folder)!r} has no experts: it must be a folder with a strategy file for"
                " each line"
            )
        found = [LimitStrategy.load(file) for file in files]
        for file, strategy in zip(files, found, strict=True):
            if not strategy.game.line:
                raise ValueError(f"{str(file)!r} is a strategy of the whole game, not an expert")
            if not same_rules(strategy.game.game, found[0].game.game):
                raise ValueError(
                    f"{str(file)!r} is of {strategy.game.game.name} by other rules than"
                    f" {str(files[0])!r}: the experts of a folder must be of one game"
                )
        return cls({strategy.game.line: strategy for strategy in found})

    @cached_property
    def game(self) -> BettingGame:
        """The rules."""
        return next(iter(self.by_line.values())).game.game

    def of(self, node: Betting) -> LimitStrategy | None:
        """The expert of a decision; None if there is none."""
        line, fold, _ = node.text.partition("f")
        return self.by_line.get(line + fold)

    def at(self, node: Betting, hole: tuple[int, ...], board: tuple[int, ...]) -> Triple | None:
        """The probabilities to fold, call and raise; None where no expert knows the decision."""
        expert = self.of(node)
        return None if expert is None else expert.at(node, hole, board)
