"""Training a strategy for a bucketed limit game by sampled deals.

An iteration is one deal: cards for all players and a whole board. Methods:

- ``external`` (the default): all actions of one player against sampled moves of the others, for
  each player in turn;
- ``outcome``: one path for each player, with some exploration;
- ``chance``: all actions of both players (two players only);
- ``public``: one board, all private hands and all actions of both players (two players only);
- ``situations``: fictitious play, all actions of one player against the best action so far of the
  others, for each player in turn. The rule says only how much a deal counts (``linear``, ``cfr``).

Rules are those of `pokerlab.solvers.rules` that work with sampling (`sampling_rules`): ``cfr``,
``linear`` and ``cfr+``. The bound of regret matching+ holds for sampled regrets too, but a floor
turns noise into bias: so ``cfr+`` is for ``public`` and ``chance`` only, where noise is least.

Deal i belongs to thread i mod n. Each thread learns on tables of its own; after a round of deals
they go on from the mean of what they have learned (`ThreadTables`), so that a seed and a number of
threads fix the result. Regrets and sums are float32: a row that was visited 30 million times
moves no more.

With three players and more the average counts a strategy also with the reach of those who do
not play this walk; equilibrium is not promised there anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.games import BettingGame
from pokerlab.holdem.limit.bucket_games.evaluation import BucketEvaluation
from pokerlab.holdem.limit.bucket_games.exact_game import ExactBucketGame
from pokerlab.holdem.limit.bucket_games.exact_tables import known_exact_game, tables_by_street
from pokerlab.holdem.limit.response.bounds import (
    ExploitabilityBound,
    bound_in_ranges,
    exact_exploitability,
    few_deals,
    last_street_bound,
    played_bound,
)
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.public_kernels import public_walks
from pokerlab.holdem.limit.sampling.situation_kernels import situation_sampling
from pokerlab.holdem.limit.sampling.training_kernels import (
    chance_sampling,
    external_sampling,
    outcome_sampling,
)
from pokerlab.holdem.limit.sampling.walk_kernels import write_average
from pokerlab.holdem.limit.sampling.workspaces import board_workspace, deal_workspace
from pokerlab.holdem.limit.training.sampling_rules import sampling_weights
from pokerlab.holdem.limit.training.thread_tables import ThreadTables, round_length
from pokerlab.runtime.arrays import AnyArray, Bytes, Floats, Singles, Uint64s
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.reader import Expected, check_tensors
from pokerlab.runtime.machine import check_threads, core_count
from pokerlab.solvers.evaluation.restriction import Restriction
from pokerlab.solvers.rules import Rule, parse_rule
from pokerlab.trees.limit.betting import ACTIONS

METHODS = ("external", "outcome", "chance", "public", "situations")
EXPLORATION = 0.6
_UNRESTRICTED = ("outcome", "situations")
"""Methods that know no player who is bound to a model."""
_DEALS_OF_BOARD = 1_000
"""Deals on which three players learn responses, for each board that two would have."""


def training_bytes(rows: int, method: str = "external", threads: int | None = None) -> int:
    """The most memory that training `rows` rows takes, measuring included.

    By sampling: regrets and sums (`ThreadTables`), the strategy while it is measured, and one
    more while rows are put in order. On a whole game of buckets: regrets, sums and the strategy
    with twice as many bytes, and reach and values of both players at all places of the betting.
    """
    if method not in METHODS:
        return (3 * len(ACTIONS) + 14) * rows * 8 + 600_000_000
    table = rows * len(ACTIONS) * 4
    return (ThreadTables.count(threads or core_count()) + 3) * table + 800_000_000


def checkpoint_bytes(rows: int, method: str = "external", threads: int | None = None) -> int:
    """The size of the file from which a training goes on, at most."""
    if method not in METHODS:
        return (3 * len(ACTIONS) + 6) * rows * 8 + 65536
    table = rows * len(ACTIONS) * 4
    return ThreadTables.count(threads or core_count()) * table + 65536


class Trainer:
    """Iterates on a bucketed game; `pokerlab.solvers.run` can run it.

    Parameters
    ----------
    game
        The game.
    method, rule
        See the module; by default external sampling with linear weights.
    seed
        Of the cards and of sampled actions.
    threads
        How many; by default all cores.
    boards
        Boards on which best responses are found where exploitability is a bound; about a tenth
        of a second each.
    restriction
        A player who partly plays by a model (rows in the order of the game's tables); the other
        one learns to answer them.
    ranges
        (positions, groups of the first street): how likely each position comes to the line of the
        game with each group, times any constant; by default all hands are as likely. External
        sampling only.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> trainer = Trainer(game, threads=1, seed=1)
    >>> trainer.iterate(20_000)
    >>> trainer.exploitability() < 0.01, trainer.measured.exact
    (True, True)
    """

    def __init__(
        self,
        game: BucketedGame,
        method: str = "external",
        rule: str | Rule | None = None,
        *,
        seed: int = 0,
        threads: int | None = None,
        boards: int = 100,
        restriction: Restriction | None = None,
        ranges: Floats | None = None,
    ) -> None:
        chosen = chosen_rule(game.game, method, rule)
        if ranges is not None:
            if method != "external" or restriction is not None:
                raise ValueError(f"method: {method} takes no ranges (external, without a model)")
            ranges = _accepted(game, ranges)
        if restriction is not None and method in _UNRESTRICTED:
            raise ValueError(f"method: {method} learns no responses (external, chance, public)")
        if seed < 0:
            raise ValueError(f"seed: {seed} is not a seed (0 or more)")
        self.game = game
        self.method = method
        self.rule = chosen
        self.seed = seed
        self.threads = check_threads(threads)
        self.iteration = 0
        self.visited = 0
        """Betting nodes visited so far."""
        self.measured: ExploitabilityBound | None = None
        """The newest measurement."""
        self._boards = boards
        self._restriction = restriction
        self._ranges = ranges
        self._round_end = 0
        """The last deal of the round that is under way."""
        self._executor = ThreadPoolExecutor(self.threads)
        self._tables = ThreadTables(game.rows, self.threads, self._executor)
        workspace = board_workspace if method == "public" else deal_workspace
        self._workspaces = [workspace(game) for _ in range(self.threads)]
        states = np.random.SeedSequence(seed).generate_state(self.threads, np.uint64)
        self._states: Uint64s = states.astype(np.uint64)[:, None].copy()
        self._kernel = self._prepare()
        # Compile now, so that the first round is not the slowest.
        self._kernel(0, 1, 0)
        self._tables.end_round()

    def prepare_measuring(self) -> None:
        """Compile and load everything that measuring needs, before any clock runs."""
        boards, self._boards = self._boards, 2
        self.exploitability()
        self._boards, self.measured = boards, None

    def iterate(self, iterations: int) -> None:
        """Deal some more hands, each by the thread it belongs to."""
        goal = self.iteration + iterations
        while self.iteration < goal:
            if self.iteration == self._round_end:
                length = round_length(self.iteration, self.visited, self.game.rows, self.threads)
                self._round_end = self.iteration + length
            last = min(goal, self._round_end)
            jobs = []
            for thread in range(self.threads):
                first = self.iteration + 1 + (thread - self.iteration) % self.threads
                count = len(range(first, last + 1, self.threads))
                jobs.append(self._executor.submit(self._kernel, thread, first, count))
            self.visited += sum(job.result() for job in jobs)
            self.iteration = last
            if last == self._round_end:
                self._tables.end_round()

    def strategy(self) -> Singles:
        """The average so far, node by node as in `TableStrategy`; NaN where training never was."""
        out: Singles = np.empty((self.game.rows, len(ACTIONS)), np.float32)
        self.game.to_nodes(self.average(uniform_where_unseen=False), out)
        return out

    def average(self, *, uniform_where_unseen: bool) -> Singles:
        """Chances in the order of the trainer; uniform or NaN where training never was."""
        total = self._tables.total()
        out: Singles = np.empty_like(total)
        tree = self.game.tree
        for street, count in enumerate(self.game.counts):
            here = np.flatnonzero(self.game.betting.streets == street)
            here = here[np.argsort(tree.base[here])]
            if len(here):
                write_average(here, count, tree, total, uniform_where_unseen, out)
        return out

    def exploitability(self) -> float:
        """The value of best responses in the bucketed game: exact, or a bound (see `measured`)."""
        return self.measure(self.average(uniform_where_unseen=True))

    def measure(self, probabilities: Singles) -> float:
        """The same for any strategy: rows in the order of the trainer, without NaN."""
        # The cards are other ones than those of the training, and always the same.
        rng = np.random.default_rng([self.seed, 1])
        if self._ranges is not None:
            self.measured = bound_in_ranges(
                self.game,
                probabilities,
                self._ranges,
                rng,
                training_deals=self._boards * _DEALS_OF_BOARD,
                deals=5 * self._boards * _DEALS_OF_BOARD,
                threads=self.threads,
            )
            return self.measured.value
        if self.exact_game is not None:
            tables = tables_by_street(self.game, self.exact_game, probabilities)
            value = BucketEvaluation(self.exact_game).exploitability(tables)
            self.measured = ExploitabilityBound(value, 0.0, exact=True)
            return value
        found = exact_exploitability(self.game, probabilities)
        if found is None:
            if self.game.game.players == 2 and not self.game.merged:
                found = last_street_bound(
                    self.game, probabilities, rng, boards=self._boards, threads=self.threads
                )
            else:
                found = played_bound(
                    self.game,
                    probabilities,
                    rng,
                    training_deals=self._boards * _DEALS_OF_BOARD,
                    deals=5 * self._boards * _DEALS_OF_BOARD,
                    threads=self.threads,
                )
        self.measured = found
        return found.value

    @cached_property
    def exact_game(self) -> ExactBucketGame | None:
        """The exact game of the buckets, if its pairs have been counted."""
        return None if self.game.line else known_exact_game(self.game)

    @property
    def measures_exactly(self) -> bool:
        """Whether deals are few, so that a measurement takes no time."""
        return self._ranges is None and few_deals(self.game)

    @property
    def identity(self) -> dict[str, str]:
        """The game, method and rule of a saved state."""
        return {
            "game": self.game.game.name,
            "groups": self.game.digest,
            "method": self.method,
            "rule": str(self.rule),
            "seed": str(self.seed),
            **({} if self._ranges is None else {"ranges": digest(self._ranges)}),
        }

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on; the tables themselves, not copies."""
        return {
            "iteration": np.array([self.iteration, self.visited, self._round_end]),
            "random": self._states,
            "decks": np.array(self._decks),
            **self._tables.state(between_rounds=self.iteration == self._round_end),
        }

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go back to a state; after another number of threads the random cards are new ones.

        `ValueError` says what is wrong with one that no training of this game has left.
        """
        self._check(state)
        self.iteration, self.visited, self._round_end = map(int, state["iteration"])
        self._tables.restore(state)
        if len(state["random"]) == self.threads:
            self._states[:] = state["random"]
            for own, deck in zip(self._decks, state["decks"], strict=True):
                own[:] = deck
        else:
            rng = np.random.default_rng([self.seed, self.iteration])
            self._states[:] = rng.integers(2**64, size=self._states.shape, dtype=np.uint64)
            self._round_end = self.iteration

    def _check(self, state: Mapping[str, AnyArray]) -> None:
        table = (self.game.rows, len(ACTIONS))
        deck = np.sort(self.game.rules.deck)
        threads = len(state["random"]) if state.get("random", np.empty(0)).ndim == 2 else None
        check_tensors(
            state,
            {
                "iteration": Expected(np.int64, (3,), 0, 2**53),
                "random": Expected(np.uint64, (None, 1)),
                "decks": Expected(np.uint8, (threads, len(deck))),
                "regret": Expected(np.float32, table),
                "total": Expected(np.float32, (threads, *table), low=0.0),
                "own_regret": Expected(np.float32, (threads, *table), optional=True),
            },
        )
        if not (np.sort(state["decks"], axis=1) == deck).all():
            raise ValueError("tensor 'decks' does not hold the cards of the game")
        if not state["iteration"][0] <= state["iteration"][2]:
            raise ValueError("tensor 'iteration' has a round that ended before")

    @property
    def _decks(self) -> list[Bytes]:
        """The decks of the threads: their order matters for the next deal."""
        return [each.deck for each in self._workspaces]

    def _prepare(self) -> Callable[..., int]:
        game, weights = self.game, sampling_weights(self.rule)
        walks: dict[str, Callable[..., int]] = {
            "external": external_sampling,
            "outcome": outcome_sampling,
            "chance": chance_sampling,
            "public": public_walks,
            "situations": situation_sampling,
        }

        heroes = np.array(game.betting.nodes[0].live)

        def walk(thread: int, first: int, count: int) -> int:
            arguments: list[Any] = [first, self.threads, count, weights]
            if self.method == "outcome":
                arguments.append(EXPLORATION)
            arguments += [game.tree, game.rules, game.look_up, *self._tables.of_thread(thread)]
            if self.method not in _UNRESTRICTED:
                arguments.append(self._restriction)
            if self.method == "external":
                arguments += [self._ranges, heroes]
            return walks[self.method](*arguments, self._states[thread], self._workspaces[thread])

        return walk


def _accepted(game: BucketedGame, ranges: Floats) -> Floats:
    """The chances to accept each group, the likeliest for certain; `ValueError` for others."""
    wanted = game.game.players, game.counts[0]
    if ranges.shape != wanted:
        raise ValueError(f"ranges: they have the shape {ranges.shape}, {game} needs {wanted}")
    most = ranges.max(axis=1)
    if not (np.isfinite(ranges).all() and (ranges >= 0.0).all() and (most > 0.0).all()):
        raise ValueError("ranges: every position must hold something, with weights of 0 or more")
    found: Floats = np.ascontiguousarray(ranges / most[:, None], np.float64)
    return found


def chosen_rule(game: BettingGame, method: str, rule: str | Rule | None) -> Rule:
    """The default rule of a method, or the rule that is named; `ValueError` if it does not fit."""
    if method not in METHODS:
        raise ValueError(f"method: {method!r} is not known ({', '.join(METHODS)})")
    if method in ("chance", "public") and game.players != 2:
        raise ValueError(
            f"method: {method} is for two players, {game.name} has {game.players}"
            " (external, outcome)"
        )
    if rule is None:
        rule = "cfr+" if method == "public" else "linear"
    chosen = parse_rule(rule)
    if sampling_weights(chosen).floor and method not in ("chance", "public"):
        raise ValueError(f"rule: {chosen.name} is for the methods chance and public, not {method}")
    return chosen
