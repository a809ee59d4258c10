"""`PostflopSolver`: CFR and its variants on the public tree of a spot.

Vector CFR: a node of the public tree holds a number for each hand, and one walk over the tree
updates all hands of a player at once. The players are updated in turn, each against what the
other has just become.

Precision: rows of reach and values are float32 while it learns; regrets and sums of strategies
are stored in float32 or in 16 bits. Exploitability on the way is computed in float32, the
certificate in float64.

Deviation from `pokerlab.solvers`: a strategy enters the average when the *opponent* walks over it,
because its reach is at hand there. So the average of the first player begins with the strategy
after the first update instead of the uniform one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pokerlab.cards.ranges.blockers import mean_by_combo, met_weights
from pokerlab.engine.device import GpuMemory, choose_device, walker_bytes
from pokerlab.engine.gadget_learning import GadgetLearner, RootGadget
from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.local_learning import LocalLearner
from pokerlab.engine.locks import LocksLike, NodeLock
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.walker import (
    Learner,
    Probabilities,
    Storage,
    as_storage,
    make_learner,
    make_walker,
)
from pokerlab.games.betting_trees.betting_tree import BettingTree
from pokerlab.holdem.spots.prepared import PreparedSpot, SpotSize, mean_chips
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.runtime.arrays import AnyArray, Floats, Halves, Reals, Singles
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.forks import renew_after_fork
from pokerlab.runtime.machine import check_threads
from pokerlab.solvers.checkpoints import check_state
from pokerlab.solvers.local_rule import LocalRule
from pokerlab.solvers.rules import Rule, parse_rule

if TYPE_CHECKING:
    from pokerlab.engine.gpu.gpu_storage import GpuStorage

DEFAULT_RULE = "dcfr(1.3,0.5,3,0.1)"
"""The fastest to 0.1% of the pot of those that ``benchmarks/rules.py`` compares."""

PRECISIONS: dict[int, type[np.generic]] = {16: np.uint16, 32: np.float32, 64: np.float64}
"""What numbers are stored in, by bits; 16 are IEEE halves."""


SPACING = 8
"""Iterations between two measurements of a solve: one costs as much as an iteration."""

SEED_REGRET = 40.0
"""The regret that a warm start gives to a hand which always takes one action; no value at the root
is larger than 1,000 (see `PostflopSolver.start_from`)."""


class Start(Protocol):
    """What a solver can start from: a solution, or what has the same parts of one."""

    @property
    def spot(self) -> Spot:
        """What it solves."""

    @property
    def isomorphism(self) -> bool:
        """Whether suits are merged."""

    @property
    def iterations(self) -> int:
        """How many made it."""

    @property
    def groups(self) -> BoardGroups | None:
        """Which hands share a strategy."""

    @property
    def gadget(self) -> Gadget | None:
        """What a player could do before the spot."""

    @property
    def strategies(self) -> Probabilities:
        """For each street the probabilities of both players."""


class Certified(NamedTuple):
    """What the two players take from the pot on average, in chips."""

    values: tuple[float, float]
    best_values: tuple[float, float]
    """With best responses."""
    best_by_group: tuple[float, float] | None
    """With best responses that play one strategy for each group; None without groups."""
    below: tuple[Singles, ...] = ()
    """For each player what the strategies are worth where the second street begins, if known."""
    best_by_hand: tuple[Floats, ...] = ()
    """For each player what a best response takes with each hand on average; NaN: never held."""


class PostflopSolver:
    """Solves a spot; `pokerlab.solvers.run` runs it.

    It uses several threads itself, and one at a time may call it: two that iterate one solver at
    the same time are an error. It can be pickled, with all that it has learnt.

    Parameters
    ----------
    spot
        What to solve.
    rule
        An update rule or its text; also a `pokerlab.solvers.LocalRule`, without locks and groups.
    precision
        Bits of the stored regrets and sums: 32, 16, or 64 (which also computes in float64).
    threads
        How many to use; all cores if None. The result does not depend on it.
    isomorphism
        Whether boards that differ by suits alone are merged.
    locks
        Decisions that are fixed, beside those of the spot (see
        `pokerlab.engine.locks`).
    groups
        Hands that play one strategy together, on each board anew: a `HandGrouping` or its text,
        as ``view/river`` or ``kmeans:400,400,200``. What is stored then belongs to groups; reach,
        showdowns and card removal stay those of the hands.
    device
        Where it computes: ``"cpu"``, ``"gpu"`` (an NVIDIA GPU, through CuPy), or ``"auto"``,
        which takes the GPU where there is one and the spot is large. `device` then says which.
    gadget
        What the hands of a player were worth before, and may stop for; with rules that match
        regrets, without rake, groups and locks of that player. `exploitability` is then that of
        the game with the gadget.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solver = PostflopSolver(spot)
    >>> solver.iterate(200)
    >>> solver.exploitability() < 0.1
    True
    """

    def __init__(
        self,
        spot: Spot,
        rule: str | Rule = DEFAULT_RULE,
        *,
        precision: int = 32,
        threads: int | None = None,
        isomorphism: bool = True,
        locks: LocksLike | None = None,
        groups: str | HandGrouping | None = None,
        device: str = "cpu",
        gadget: Gadget | None = None,
    ) -> None:
        check_precision(precision)
        threads = check_threads(threads)
        spot = spot.with_locks(locks) if locks else spot
        self.rule = parse_rule(rule, local=True)
        if gadget is not None and (self.rule.greedy or self.rule.local):
            raise ValueError(f"gadget: rule {self.rule} matches no regrets; take dcfr or cfr+")
        if isinstance(self.rule, LocalRule):
            device = _check_local(self.rule, spot, precision, groups, device)
        self.precision = precision
        self.threads = threads
        prepared = PreparedSpot.of(
            spot, isomorphism=isomorphism, groups=groups, threads=self.threads, gadget=gadget
        )
        self.prepared = prepared
        self.spot = prepared.spot
        self.isomorphism = prepared.isomorphism
        self.iteration = 0
        self.boards, self.groups, self.layout = prepared.boards, prepared.groups, prepared.layout
        self.device = self._choose_device(device)
        rows = np.float64 if precision == 64 else np.float32
        self._walker = self._make_walker(rows, self.device)
        self.storage = self._walker.make_storage(
            self.layout, PRECISIONS[precision], regrets=self._predicts, sums=self.rule.averages
        )
        self._learner: LocalLearner | None = None
        if isinstance(self.rule, LocalRule):
            walker = make_walker(self.spot, self.boards, rows, self.threads)
            self._learner = LocalLearner(walker, self.boards, self.layout, self.rule)
            self.storage = self._learner.add_memory(self.storage, PRECISIONS[precision])
        self._gadget: GadgetLearner | None = None
        if gadget is not None and gadget.everyone:
            own = self.boards.weights[1 - gadget.player]
            entry = root_gadget(prepared, gadget)
            self._gadget = GadgetLearner(self._walker, self.rule, entry, own)
        if self.rule.greedy:
            fill_uniform(self._walker, self.storage, self.layout, precision)
        if self.rule.plays_against_average:
            self._walker.record(self.storage)
        # Now, so that the first iteration is not the slowest.
        self._walker.compile_kernels(self.storage, self.rule)
        self.renew()
        renew_after_fork(self)

    def renew(self) -> None:
        """Begin as if no thread iterated."""
        self._turn = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """How another process gets it: what it has learnt, for a solver that is made there."""
        options = {
            "precision": self.precision,
            "threads": self.threads,
            "isomorphism": self.isomorphism,
            "groups": None if self.groups is None else self.groups.text,
            "device": self.device,
            "gadget": self.prepared.gadget,
        }
        return _learnt_solver, (self.spot, self.rule, options, self.state())

    def _choose_device(self, device: str) -> str:
        if device == "cpu":
            return device
        grouped = self.groups is not None
        tree, size = self.spot.tree, self.prepared.size
        needs = solve_needs(tree, size, self.rule, self.precision, grouped=grouped)
        return choose_device(device, needs, grouped=grouped, reserve=True)

    def _make_walker(self, kind: npt.DTypeLike, device: str = "cpu") -> Learner:
        locks = self.prepared.placed_locks
        return make_learner(self.spot, self.boards, kind, self.threads, locks, self.groups, device)

    @property
    def _predicts(self) -> bool:
        return predicts(self.rule)

    @property
    def nbytes(self) -> int:
        """The memory of what the rule keeps between iterations."""
        return sum(array.nbytes for array in self._arrays().values())

    def iterate(self, iterations: int) -> None:
        """Run some more iterations; `RuntimeError` while another thread does so."""
        if not self._turn.acquire(blocking=False):
            raise RuntimeError(
                "another thread iterates this solver: give each thread a solver of its own"
            )
        try:
            if self._learner is not None:
                self._learner.iterate(self.storage, self.iteration + 1, iterations)
            elif self._gadget is not None:
                self._gadget.iterate(self.storage, self.iteration + 1, iterations)
            else:
                self._walker.iterate(self.storage, self.rule, self.iteration + 1, iterations)
            self.iteration += iterations
        finally:
            self._turn.release()

    def start_from(self, solution: Start) -> None:
        """Go on from a saved solution of the same spot, as if this solver had made it.

        The solution's strategies become the average, weighted as the rule weighs as many
        iterations, so the exploitability is at once that of the solution. Regrets are not saved
        and are guessed: each action gets regret in proportion to its share, more for hands that
        mix, and an action that is worth less than the others a negative one.

        Examples
        --------
        >>> from pokerlab.holdem.spots import solve_spot
        >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
        >>> rough = solve_spot(spot, target="1%")
        >>> solver = PostflopSolver(spot)
        >>> solver.start_from(rough)
        >>> abs(solver.exploitability() - rough.exploitability.chips) < 0.01
        True
        """
        self._check_start(solution)
        for level, pair in enumerate(self._in_own_groups(solution)):
            stored = self.storage[level]
            saved = np.asarray(pair[0]), np.asarray(pair[1])
            if not self.rule.averages:
                saved = self.prepared.without_locked_parts(level, saved)
            averages = stored.sums if self.rule.averages else stored.strategy_weights
            for array, shares in zip(averages, saved, strict=True):
                self._walker.write(array, encode(shares, self.precision))
        if self.rule.averages:
            self._start_learning(solution.iterations)
            self._walker.record(self.storage, average=True)
            weight = self._average_weight(solution.iterations)
            for stored in self.storage:
                for sums in stored.sums:
                    numbers = _numbers(self._walker.read(sums))
                    numbers *= numbers.dtype.type(weight)
                    self._walker.write(sums, numbers.view(sums.dtype))
        self.iteration = solution.iterations

    def _in_own_groups(self, solution: Start) -> Probabilities:
        """The strategies of a start; other locks split the same groups in other ways."""
        if self.groups is None or solution.groups is None:
            return solution.strategies
        layout = StrategyLayout.of(self.spot.tree, self.boards, solution.groups)

        def carried(level: int, player: int) -> Halves:
            known = self.boards.tables[level].hands[player].order < len(self.boards.combos[player])
            saved = solution.strategies[level][player]
            return self.layout.at(level, player).carry(saved, layout.at(level, player), known)

        return tuple((carried(level, 0), carried(level, 1)) for level in range(len(self.storage)))

    def _start_learning(self, iterations: int) -> None:
        """What the rule learns by, from averages that are probabilities."""
        walker = self._walker
        if self.rule.greedy:
            for stored in self.storage:
                for weights, sums in zip(stored.strategy_weights, stored.sums, strict=True):
                    walker.write(weights, walker.read(sums))
            return
        # A gap that stays the same adds up to this many times itself under the rule's discount.
        negative = self.rule.at(max(iterations, 1)).negative
        missed = min(1 / (1 - negative), iterations) if negative < 1 else iterations
        walker.seed_regrets(self.storage, SEED_REGRET, max(missed, 1.0))
        if self._predicts:
            for stored in self.storage:
                for weights, regret in zip(stored.strategy_weights, stored.regret, strict=True):
                    walker.write(regret, walker.read(weights))

    def _check_start(self, solution: Start) -> None:
        if self.prepared.gadget is not None or solution.gadget is not None:
            raise ValueError("start: a solve with a gadget cannot be continued; solve it anew")
        if self.rule.local:
            raise ValueError(f"start: rule {self.rule} has an update of its own and begins anew")
        own, other = self.spot.fields(), solution.spot.fields()
        for name in {**own, **other}:
            if name != "locks" and own.get(name) != other.get(name):
                raise ValueError(
                    f"start: its {name} is {shorten(str(other.get(name)))}, "
                    f"not {shorten(str(own.get(name)))}"
                )
        if solution.isomorphism != self.isomorphism and len(self.storage) > 1:
            merged, apart = "its suits are merged", "those of this solve are not"
            if self.isomorphism:
                merged, apart = "its suits are not merged", "those of this solve are"
            raise ValueError(f"start: {merged}, {apart}")
        own_groups, its_groups = (
            "none" if each is None else each.text for each in (self.groups, solution.groups)
        )
        if own_groups != its_groups:
            raise ValueError(f"start: its groups are {its_groups}, not {own_groups}")
        if len(solution.strategies) < len(self.storage):
            raise ValueError("start: it holds no strategies of the river; go on from a whole one")

    def _average_weight(self, iterations: int) -> float:
        """What the strategies of some iterations weigh together in the sums."""
        if self.rule.plays_against_average:
            return iterations + 1.0  # uniform play counts as one iteration
        weight = 0.0
        for iteration in range(1, iterations + 1):
            weight = weight * self.rule.at(iteration).average + 1.0
        return max(weight, 1.0)

    def values(self) -> tuple[float, float]:
        """What each player takes from the pot on average, in chips."""
        return self._totals(self._walker.values)

    def exploitability(self) -> float:
        """Half of what the two players could gain together by best responses, in chips.

        Without rake and prizes the values sum to the pot, whatever the strategies: two walks are
        enough.
        With a gadget, those of the game that has it at its root.
        """
        if self._gadget is not None:
            return self._gadget.exploitability(self.storage)
        values = (self.spot.pot / 2,) * 2 if self.spot.constant_sum else self.values()
        return exploitability_of(values, self._totals(self._walker.best_values))

    def exploitability_abstract(self) -> float | None:
        """The same, where each group must be played by one strategy; None without groups.

        Going up the tree, each group takes the action that is best for its hands together,
        weighted by the range. That is a strategy of the real game too, so this is never more than
        `exploitability`. Where groups of one street are not parts of those of the street before,
        a group does not know how its hands came there: a better response of the abstraction may
        exist, and this is a lower bound of what it gains.
        """
        if self.groups is None:
            return None
        values = (self.spot.pot / 2,) * 2 if self.spot.constant_sum else self.values()
        best = partial(self._walker.best_values, by_group=True)
        return exploitability_of(values, self._totals(best))

    def certify(
        self,
        averages: Storage | None = None,
        report: Callable[[float], None] | None = None,
        *,
        exact: bool = True,
    ) -> Certified:
        """Values, and values of the best responses, computed in float64.

        Of the answer so far, or of other `averages` (those that are going to be saved). `report`
        is called with the part that is done. Averages of two or more streets are valued `below` the
        first, too. Where not `exact`, in the precision of the solve: a GPU then need not be
        prepared for another one.
        """
        walker = self._exact_walker if exact else self._walker
        below: list[Singles] = []

        def values(storage: Storage, hero: int, *, average: bool) -> Reals:
            if averages is None or len(self.storage) == 1:
                return walker.values(storage, hero, average=average)
            rows, found = walker.values_and_below(storage, hero)
            below.append(found)
            return rows

        if averages is not None:
            averages = walker.hold(averages)
        kinds: list[Callable[..., Reals]] = [values, walker.best_values]
        if self.groups is not None:
            kinds.append(partial(walker.best_values, by_group=True))
        walks = [(walk, hero) for walk in kinds for hero in range(2)]
        found, rows = [], []
        for number, (walk, hero) in enumerate(walks):
            if report is not None:
                report(number / len(walks))
            rows.append(self._rows(walk, hero, averages))
            found.append(self._mean(rows[-1], hero))
        pairs = list(zip(found[::2], found[1::2], strict=True))
        by_group = pairs[2] if len(pairs) > 2 else None
        by_hand = tuple(self._chips_by_hand(each, hero) for hero, each in enumerate(rows[2:4]))
        return Certified(pairs[0], pairs[1], by_group, tuple(below), by_hand)

    def values_below(self, averages: Storage, streets: int) -> tuple[Singles, Singles]:
        """For each player what `averages` are worth below the first `streets`, in float64 inside.

        See `pokerlab.engine.walker.Learner`.
        """
        walker = self._exact_walker
        held = walker.hold(averages)
        first, second = (walker.values_below(held, hero, streets - 1) for hero in range(2))
        return first, second

    def next_values(self, hero: int, *, best: bool) -> Floats | None:
        """What each hand of the hero wins where the second street begins, by a GPU's walk.

        (boards, roots, places): chips against an even split, summed over the opposing hands that
        it meets, hands in the order of each board. Of the answer so far, or with `best` of best
        responses to it, in the precision of the solve. None on the processor, where boards are
        asked for one by one.
        """
        if self.device == "cpu":
            return None
        from pokerlab.engine.gpu.walker import GpuWalker

        assert isinstance(self._walker, GpuWalker)
        # A best response does not see what the averages lack: strategies of who never gets there.
        averages = self.averages() if best else as_storage(self.layout, self.shares())
        return self._walker.next_values(averages, hero, best=best)

    def averages(self) -> Storage:
        """The answer so far in the precision of the solve, as walks with `average` take it."""
        return self.storage if self.rule.averages else as_storage(self.layout, self.shares())

    @cached_property
    def _exact_walker(self) -> Learner:
        if self.precision == 64:
            return self._walker
        return self._make_walker(np.float64, self.device)

    def _totals(self, walk: Callable[..., Reals]) -> tuple[float, float]:
        return self._total(walk, 0), self._total(walk, 1)

    def _total(
        self, walk: Callable[..., Reals], hero: int, averages: Storage | None = None
    ) -> float:
        return self._mean(self._rows(walk, hero, averages), hero)

    def _rows(self, walk: Callable[..., Reals], hero: int, averages: Storage | None) -> Floats:
        """For each hand of a player what a walk finds at the root."""
        storage = self.storage if averages is None else averages
        average = averages is not None or self.rule.averages
        rows = walk(storage, hero, average=average)
        return rows[: len(self.boards.weights[hero])].astype(np.float64)

    def _mean(self, rows: Floats, hero: int) -> float:
        total = float(rows @ self.boards.weights[hero])
        return float(mean_chips(total, self.prepared.deals, self._walker.unit, self.spot.pot))

    def _chips_by_hand(self, rows: Floats, hero: int) -> Floats:
        """(1326,): what a player takes from the pot with each hand."""
        met = met_weights(self.spot.ranges[1 - hero].weights)
        won = mean_by_combo(rows, self.boards.combos[hero], met)
        return won / self._walker.unit + self.spot.pot / 2

    def strategy(self) -> Storage:
        """The answer so far, as it is stored: proportional to the probabilities."""
        return self.storage

    def probabilities(self) -> Probabilities:
        """The answer so far as probabilities; current strategies where the average has nothing."""
        return self.read_shares(self.shares())

    def shares(self) -> Sequence[tuple[Any, Any]]:
        """The same where it was computed: on a GPU it need not leave it to be certified."""
        shares = self._walker.shares(self.storage, self.layout, average=self.rule.averages)
        if not self.rule.averages:
            self.prepared.put_in_locks(shares, self._walker.read, self._walker.write)
        return shares

    def read_shares(self, shares: Sequence[tuple[Any, Any]]) -> Probabilities:
        """Shares of some streets as probabilities."""
        read = self._walker.read
        return tuple(
            (read(first).view(np.float16), read(second).view(np.float16))
            for first, second in shares
        )

    @property
    def identity(self) -> dict[str, str]:
        """What a saved state belongs to."""
        locks, gadget = b"".join(map(_lock_bytes, self.prepared.locks)), self.prepared.gadget
        return {
            **{f"spot.{name}": _short(value) for name, value in self.spot.fields().items()},
            "spot": digest(self.spot.to_toml(), length=16),
            "rule": str(self.rule),
            "precision": str(self.precision),
            "isomorphism": "on" if self.isomorphism else "off",
            "groups": self.groups.text if self.groups is not None else "none",
            "locks": digest(locks, length=16) if locks else "none",
            **({} if gadget is None else {"gadget": gadget.identity}),
        }

    @property
    def game_text(self) -> str:
        """The spot as TOML: a checkpoint has it, so that it can be shown by itself."""
        return self.spot.to_toml()

    def state(self) -> dict[str, npt.NDArray[np.generic]]:
        """All that the next iteration depends on: the arrays themselves, unless a GPU has them."""
        arrays = {name: self._walker.read(array) for name, array in self._arrays().items()}
        chosen = {} if self._gadget is None else self._gadget.state()
        return {"iteration": np.array([self.iteration]), **arrays, **chosen}

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Go back to a `state` of a solver with the same `identity`."""
        check_state(state, self.state())
        self.iteration = int(state["iteration"][0])
        for name, array in self._arrays().items():
            self._walker.write(array, state[name])
        if self._gadget is not None:
            self._gadget.restore(state)

    def _arrays(self) -> dict[str, Any]:
        return {
            f"{kind}.{level}.{player}": getattr(street, kind)[player]
            for level, street in enumerate(self.storage)
            for kind in ("strategy_weights", "regret", "sums")
            for player in range(2)
            if len(getattr(street, kind)[player])
        }


def _learnt_solver(
    spot: Spot, rule: Rule, options: Mapping[str, Any], state: Mapping[str, AnyArray]
) -> PostflopSolver:
    solver = PostflopSolver(spot, rule, **options)
    solver.restore(state)
    return solver


def root_gadget(prepared: PreparedSpot, gadget: Gadget) -> RootGadget:
    """A gadget in the order of the boards, in chips against an even split of the pot."""
    player, boards = gadget.player, prepared.boards
    values = gadget.worth[boards.combos[player]] - prepared.spot.pot / 2
    return RootGadget(
        player, gadget.plain_kind, values, boards.weights[player], prepared.mass(player)
    )


def solve_needs(
    tree: BettingTree, size: SpotSize, rule: Rule, precision: int, *, grouped: bool
) -> GpuMemory:
    """What a solve keeps on a GPU, of one spot or of several with the same betting tree."""
    first, second = (
        walker_bytes(tree, size.boards, size.lengths, real_bytes, grouped=grouped)
        for real_bytes in (4, 8)
    )
    return GpuMemory(size.entries, 1 + rule.averages + predicts(rule), precision, (first, second))


def _check_local(
    rule: LocalRule,
    spot: Spot,
    precision: int,
    groups: str | HandGrouping | None,
    device: str,
) -> str:
    """Refuse settings that no rule with an update of its own supports; the device it runs on."""
    for name, wrong in {
        "precision 16": precision == 16,
        "locks": bool(spot.locks),
        "groups": groups is not None,
        "device gpu": device == "gpu",
    }.items():
        if wrong:
            raise ValueError(f"{name} does not work with rule {rule}: it has an update of its own")
    return "cpu" if device == "auto" else device


def check_precision(precision: int) -> None:
    """Refuse what is not a number of bits that there is."""
    if precision not in PRECISIONS:
        raise ValueError(f"precision: {precision} is not a number of bits (16, 32 or 64)")


def predicts(rule: Rule) -> bool:
    """Whether a rule stores regrets beside what strategies are proportional to."""
    return rule.at(1).prediction != 0


def fill_uniform(
    walker: Learner | GpuStorage, storage: Storage, layout: StrategyLayout, precision: int
) -> None:
    """Greedy rules store strategies, and these begin with equal shares for all actions."""
    for both, street in zip(layout.streets, storage, strict=True):
        for here, weights in zip(both, street.strategy_weights, strict=True):
            shares = encode(1 / np.repeat(here.own_actions, here.own_actions), precision)
            numbers = np.empty(here.size, shares.dtype)
            for board in range(len(here.rows)):
                here.board(numbers, board)[:] = shares[:, None]
            walker.write(weights, numbers)


def exploitability_of(values: tuple[float, float], best: tuple[float, float]) -> float:
    """Half of what best responses gain over the values."""
    return (sum(best) - sum(values)) / 2


def encode(numbers: Reals, precision: int) -> AnyArray:
    """Numbers as they are stored."""
    if precision == 16:
        return numbers.astype(np.float16).view(np.uint16)
    return numbers.astype(PRECISIONS[precision])


def _numbers(stored: AnyArray) -> AnyArray:
    """What is stored, as numbers: a view."""
    return stored.view(np.float16) if stored.dtype == np.uint16 else stored


def _short(value: object) -> str:
    """The value of a field, as a checkpoint names it: a long one by its beginning and a hash."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 24 else f"{text[:12]}… {digest(text, length=8)}"


def _lock_bytes(lock: NodeLock) -> bytes:
    weight = b"" if lock.weight == 1 else repr(lock.weight).encode()
    return lock.line.encode() + lock.shares.tobytes() + weight
