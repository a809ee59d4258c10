"""`solve_preflop`: heads-up play from the blinds on, with bets after the flops of a subset.

The exploitability of the answer has parts. *Inside the subset*, best responses of both players
before and after the flop are exact: what they gain together, halved, is the exploitability in the
game that has the flops of the subset only. One part of it is gained after the flop alone, *from
the flop solves*; the rest is gained before the flop. Where hands are in groups, the *price of the
groups* is what is gained by playing hands of a group differently; it is in both of these. What is
lost *from the subset*, because other flops would have been played otherwise, is estimated: flops of
the subset are drawn again with replacement, as often as there are flops, and the mean gain of other
play before the flop is taken. On boards drawn at random the truth was up to twice as much, on
subsets that are chosen to stand for all flops 0.2 to 0.4 of it
(``docs/measurements/preflop.md``), and nothing is said of play after other flops.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from pokerlab.engine.groups import HandGrouping
from pokerlab.holdem.charts.chart_file import round_strategy
from pokerlab.holdem.preflop.betting import BIG_BLIND, SMALL_BLIND, PreflopRules
from pokerlab.holdem.preflop.flop_bets import DEFAULT_BETS, FlopBets, WeightedBoards
from pokerlab.holdem.preflop.flop_subtrees import FlopSubtrees
from pokerlab.holdem.preflop.game import PreflopGame, Strategy
from pokerlab.holdem.preflop.prepared_flops import PreparedFlops
from pokerlab.holdem.preflop.solution import PreflopSolution
from pokerlab.holdem.preflop.solver import PreflopSolver
from pokerlab.holdem.spots.solver import DEFAULT_RULE, SPACING
from pokerlab.runtime.arrays import Floats
from pokerlab.solvers.checkpoints import checkpoint_identity
from pokerlab.solvers.loop import Progress, Run, StopSignal, run
from pokerlab.solvers.rules import Rule

DEFAULT_TARGET = 0.01
DEFAULT_GROUPS = "view"
"""What the command line groups hands by: it takes a fifth to a quarter of the memory of tables. Its
price was the least of all groups at 10 big blinds, a twentieth of the exploitability after 100
iterations, and a third of it in the chart of 200 (``docs/measurements/preflop.md``)."""
_DRAWS = 50


class FlopsByBoard(Protocol):
    """What follows the flops of a subset, board by board."""

    weights: Floats

    def board_gains(self, reach: Floats, hero: int) -> Floats:
        """(boards, lines, 169): what bets on each board add to the values, weighted."""


class EpsilonParts(NamedTuple):
    """Where the exploitability is from, in big blinds."""

    flop_solves: float
    """What both players gain by best responses after the flop alone, halved."""
    before_flop: float
    """What they gain more by best responses before it, too."""
    subset: float | None
    """At least about what other flops would let them gain before the flop; None for one flop."""
    groups: float | None = None
    """What they gain of that by playing hands of a group differently; None without groups."""

    @property
    def inside(self) -> float:
        """The exploitability in the game of the subset."""
        return self.flop_solves + self.before_flop

    @property
    def inside_groups(self) -> float | None:
        """The same where each group must be played by one strategy; None without groups."""
        return None if self.groups is None else self.inside - self.groups


class SolveFacts(NamedTuple):
    """How an answer with flops was found, and how exact it is; files keep this."""

    parts: EpsilonParts
    """The exploitability in parts."""
    bets: FlopBets
    """The menus after the flop."""
    flops: int
    """How many there are in the subset."""
    groups: str | None
    """Hands that play one strategy together after the flop."""
    precision: int
    """Bits of the numbers that are stored after the flop."""
    device: str
    """Where the flops were walked."""
    iterations: int
    """Of the update rule."""
    seconds: float
    """What solving and measuring took, without preparation."""
    stopped: str
    """Why the solve ended; see `pokerlab.solvers.Run`."""


class SolvedWithFlops(NamedTuple):
    """An answer, its exploitability in parts, and how the solve went."""

    solution: PreflopSolution
    """The answer."""
    facts: SolveFacts
    """What a file keeps of the solve."""
    run: Run
    """How the solve went."""

    @property
    def parts(self) -> EpsilonParts:
        """The exploitability in parts."""
        return self.facts.parts


def solve_preflop(
    rules: PreflopRules,
    boards: WeightedBoards,
    bets: FlopBets = DEFAULT_BETS,
    *,
    rule: str | Rule = DEFAULT_RULE,
    target: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    precision: int = 16,
    threads: int | None = None,
    groups: str | HandGrouping | None = None,
    device: str = "cpu",
    preparing: Callable[[int], None] = lambda done: None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    stop: StopSignal | None = None,
    stall: bool = True,
    prepared: PreparedFlops | None = None,
    spacing: int = SPACING,
) -> SolvedWithFlops:
    """Solve play before the flop together with the flops of a subset.

    Parameters
    ----------
    rules
        What may be bet before the flop.
    boards
        The flops, each with its weight: those of `pokerlab.cards.flops.parse_flops`, say.
    bets
        The menus after the flop.
    rule
        A regret rule, for all streets.
    target
        Stop when the exploitability inside the subset is at most this, in big blinds. Without any
        limit, 0.01.
    iterations, seconds, report, checkpoint, stop, stall, spacing
        See `pokerlab.solvers.run`. A checkpoint is as large as the subtrees.
    precision, threads, groups, device, prepared
        See `FlopSubtrees`.
    preparing
        Called with the number of flops whose subtrees are made.

    Examples
    --------
    >>> bets = FlopBets(bet="a", raise_="a")
    >>> found = solve_preflop(PreflopRules(3, "a"), [("QhJh2c4d7h", 1.0)], bets, iterations=20)
    >>> found.parts.inside < 0.02, found.solution.exploitability == found.parts.inside
    (True, True)
    """
    if target is None and iterations is None and seconds is None:
        target = DEFAULT_TARGET
    flops = FlopSubtrees(
        rules,
        boards,
        bets,
        rule=rule,
        precision=precision,
        threads=threads,
        groups=groups,
        device=device,
        preparing=preparing,
        prepared=prepared,
        by_hand=_lines_by_hand(checkpoint),
    )
    game = PreflopGame(rules, flops)
    solver = PreflopSolver(game, flops.rule, flops)
    done = run(
        solver,
        iterations=iterations,
        target=target,
        seconds=seconds,
        report=report,
        checkpoint=checkpoint,
        spacing=spacing,
        stop=stop,
        stall=stall,
        certified=True,
    )
    strategy = [round_strategy(each) for each in solver.strategy()]  # what a file can hold
    last = done.history[-1]
    inside_groups = last.exploitability_abstract if last.iteration == done.iterations else None
    parts = measure_parts(game, flops, strategy, inside_groups)
    solution = PreflopSolution(game, strategy, parts.inside, str(solver.rule))
    facts = SolveFacts(
        parts,
        bets,
        len(boards),
        None if flops.groups is None else flops.groups.text,
        precision,
        flops.device,
        done.iterations,
        done.seconds + done.measuring,
        done.stopped,
    )
    return SolvedWithFlops(solution, facts, done)


def _lines_by_hand(checkpoint: str | Path | None) -> list[int] | None:
    """The lines that a checkpoint has by hand though hands are grouped; None without one."""
    if checkpoint is None or not Path(checkpoint).exists():
        return None
    text = checkpoint_identity(checkpoint).get("by_hand", "")
    return [int(each) for each in text.split() if each.isdecimal()]


def measure_parts(
    game: PreflopGame,
    flops: FlopsByBoard,
    strategy: Strategy,
    inside_groups: float | None = None,
) -> EpsilonParts:
    """The parts of the exploitability of a strategy; `inside_groups` is known from the solve.

    One walk for each player gives what best responses after the flop win on each board. All the
    rest is made of that: on the subset as it is, and on flops that are drawn again.
    """
    draws = _draw_again(flops.weights)
    after, best = np.zeros(len(draws)), np.zeros(len(draws))
    for hero in (SMALL_BLIND, BIG_BLIND):
        reach = game.reach(strategy, 1 - hero)[game.streets[0].ways]
        by_board = flops.board_gains(reach, hero)
        for place, times in enumerate(draws):
            gains = np.tensordot(times, by_board, 1)
            drawn = PreflopGame(game.rules, _KnownGains(gains))
            after[place] += drawn.values(strategy, hero).sum() / 2
            best[place] += drawn.best_values(strategy, hero).sum() / 2
    # The values of both players sum to zero, whatever they play.
    inside, before = float(best[0]), float(best[0] - after[0])
    subset = None
    if len(draws) > 1:
        subset = max(float((best - after)[1:].mean()) - before, 0.0)
    # It is known for the strategy as it was before it was rounded.
    price = None if inside_groups is None else max(inside - inside_groups, 0.0)
    return EpsilonParts(float(after[0]), before, subset, price)


def _draw_again(weights: Floats) -> Floats:
    """How often each flop counts: once, then in subsets that are drawn from the subset."""
    count = len(weights)
    once = np.ones((1, count))
    if count == 1:
        return once
    rng = np.random.default_rng(0)
    draws = rng.multinomial(count, np.full(count, 1 / count), size=_DRAWS).astype(np.float64)
    draws *= (weights.sum() / (draws @ weights))[:, None]
    # Flops drawn from a subset vary less than those that it was drawn from.
    return np.concatenate([once, 1 + (draws - 1) * np.sqrt(count / (count - 1))])


class _KnownGains:
    """Gains after the flop that were computed before, for one hero and one opponent."""

    def __init__(self, gains: Floats) -> None:
        self._gains = gains

    def gains(self, reach: Floats, hero: int, *, best: bool, by_group: bool = False) -> Floats:
        return self._gains
