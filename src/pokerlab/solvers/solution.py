"""`solve`: from a game to a strategy with its ε, in one call; and solutions on disk."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose, isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import pokerlab
from pokerlab.games.definition import BettingGame
from pokerlab.games.formats.toml_game import read_toml, write_toml
from pokerlab.games.protocol import Game
from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.runtime.errors import damage_named, one_line
from pokerlab.runtime.files.hashes import check_hash
from pokerlab.runtime.files.reader import Expected, Metadata, read_checked
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.shown import Shown, function_named
from pokerlab.solvers.cfr.solver import CfrSolver
from pokerlab.solvers.evaluation.tree_values import nash_conv, values
from pokerlab.solvers.history import History
from pokerlab.solvers.loop import Progress, StopSignal, run
from pokerlab.solvers.rules import Rule
from pokerlab.solvers.sampling.solver import SamplingSolver
from pokerlab.solvers.strategy import Strategy
from pokerlab.trees.game_tree import GameTree
from pokerlab.trees.infosets import Infosets

SOLUTION_FORMAT = "pokerlab tree solution 2"
"""What the metadata of a saved solution call it."""
_SCHEMA = {
    "strategy": Expected(np.float64, low=0.0, high=1.0),
    "offset": Expected(np.int32),
    "player": Expected(np.int8),
    "parent": Expected(np.int32),
    "names": Expected(np.uint8),
}
_ITERATIONS = 1000


class InfosetDecision(NamedTuple):
    """What a solution does at an information set; see `AnyDecision`.

    Attributes
    ----------
    line, player
        The name of the information set, and whose it is.
    actions, frequencies
        The texts of the actions, and the probability of each.
    """

    line: str
    player: int
    actions: tuple[str, ...]
    frequencies: Floats


@dataclass(frozen=True, eq=False)
class Solution(Shown):
    """A strategy, and how good it is.

    Attributes
    ----------
    game, digest
        The name of the game, and the fingerprint of its tree.
    rule
        How it was solved: the text of a rule, with the kind of sampling, or ``"lp"``.
    strategy
        ``strategy[infoset][action]`` is a probability; ``strategy.array`` is the flat array.
    values
        What each player wins on average.
    nash_conv, exploitability
        The sum of what the players could gain by best responses; and that sum divided by
        their number.
    iterations, seconds, stopped
        How the solve went: see `Run`. A linear program has simplex steps for iterations and
        stops when ``"optimal"``.
    history
        Measurements on the way. Not saved.
    rules
        The game as TOML (see `write_toml`), if it is played with cards and chips; else empty.
    """

    _picture = "pokerlab.views.pictures.solution_picture:solution_html"

    game: str
    digest: str
    rule: str
    strategy: Strategy
    values: tuple[float, ...]
    nash_conv: float
    iterations: int
    seconds: float
    stopped: str
    history: History = field(default=History(), repr=False)
    rules: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("values are empty; there must be one for each player")
        for name, number in (
            *(("values", value) for value in self.values),
            ("nash_conv", self.nash_conv),
            ("seconds", self.seconds),
        ):
            if not isfinite(number):
                raise ValueError(f"{name}: {number} is not a finite number")

    def __repr__(self) -> str:
        return (
            f"<Solution {self.game} {self.rule}, {self.iterations:,} iterations, "
            f"exploitability {self.exploitability:.2g}>"
        )

    @property
    def exploitability(self) -> float:
        """`nash_conv` divided by the number of players."""
        return self.nash_conv / len(self.values)

    def at(self, line: str) -> InfosetDecision:
        """What is done at an information set, by its name; ``strategy[line]`` as a mapping.

        Examples
        --------
        >>> found = solve("kuhn", "lp").at("Ks:r")
        >>> found.player, found.actions, found.frequencies
        (1, ('f', 'c'), array([0., 1.]))
        """
        infosets = self.strategy.infosets
        infoset = infosets.number(line)
        slots = slice(infosets.offset[infoset], infosets.offset[infoset + 1])
        return InfosetDecision(
            line,
            int(infosets.player[infoset]),
            infosets.actions[infoset],
            self.strategy.array[slots],
        )

    def picture_of_deal(self, deal: str, line: str = "", *, least: float = 0.02) -> Any:
        """The lines that are played with given cards, as a tree.

        A `pokerlab.players.strategies.DealTree`: see `make_deal_tree`.

        Examples
        --------
        >>> [node.line for node in solve("kuhn", "lp").picture_of_deal("Ks Qs").nodes]
        ['', 'c', 'cc']
        """
        make = function_named("pokerlab.players.strategies.deal_tree:make_deal_tree")
        return make(self, deal, line, least=least)

    def save(self, path: str | Path) -> None:
        """Write one safetensors file that `load_solution` reads.

        Tensors: ``strategy``, a probability for each slot; ``offset``, where the slots of each
        information set begin; ``player`` and ``parent`` of each information set (see `Infosets`);
        ``names``, UTF-8 text with a line ``name <tab> action <tab> …`` for each. Metadata: the
        other attributes, and a ``hash`` of everything.
        """
        infosets = self.strategy.infosets
        tensors: dict[str, AnyArray] = {
            "strategy": self.strategy.array,
            "offset": infosets.offset,
            "player": infosets.player,
            "parent": infosets.parent,
            "names": np.frombuffer(_write_names(infosets).encode(), np.uint8),
        }
        metadata = {
            "format": SOLUTION_FORMAT,
            "version": pokerlab.__version__,
            "game": self.game,
            "digest": self.digest,
            "rules": self.rules,
            "rule": self.rule,
            "values": json.dumps(self.values),
            "nash_conv": json.dumps(self.nash_conv),
            "exploitability": json.dumps(self.exploitability),
            "iterations": str(self.iterations),
            "seconds": json.dumps(self.seconds),
            "stopped": self.stopped,
        }
        write_hashed(path, tensors, metadata)


def solve(
    game: str | Game | GameTree,
    rule: str | Rule | None = None,
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    seed: int = 0,
    alternating: bool = True,
    sampling: str | None = None,
    report: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    stop: StopSignal | None = None,
    stall: bool = True,
) -> Solution:
    """Solve a game to equilibrium.

    Parameters
    ----------
    game
        The name of a game in the catalogue or of a game file, a game, or its tree.
    rule
        An update rule (see `parse_rule`), or ``"lp"`` for the exact equilibrium of a
        two-player zero-sum game by linear programming, which takes no limit, no checkpoint, no
        sampling and no order of updates. By default ``"dcfr"``; with `sampling`, ``"cfr"``.
    iterations, target, seconds, report, checkpoint, stop, stall
        See `run`. Without any limit, 1,000 iterations are run. With `sampling`, whose
        exploitability is noisy, nobody looks if the solve stands still.
    seed
        Of the random numbers, where there is `sampling`.
    alternating
        Whether players are updated one after the other rather than all at once.
    sampling
        ``"external"``, ``"outcome"`` or ``"public"`` for Monte Carlo CFR. It needs alternating
        updates and the rule ``"cfr"`` or ``"linear"``; the first and the last also take ``"cgh"``.

    Examples
    --------
    >>> solve("leduc", "cfr+", iterations=100)
    <Solution leduc cfr+(1), 100 iterations, exploitability 0.0...>
    >>> solution = solve("kuhn", "cfr+", target=1e-3)
    >>> abs(solution.values[0] + 1 / 18) < 2e-3
    True
    >>> solve("kuhn", "lp", iterations=100)
    Traceback (most recent call last):
    ValueError: iterations does not apply to the rule lp: a linear program runs to its end
    """
    if rule == "lp":
        _refuse_with_lp(
            iterations=iterations,
            target=target,
            seconds=seconds,
            sampling=sampling,
            checkpoint=checkpoint,
            alternating=None if alternating else False,
            stall=None if stall else False,
        )
        return _solve_lp(as_tree(game))
    tree = as_tree(game)
    solver = make_solver(tree, rule, seed=seed, alternating=alternating, sampling=sampling)
    if iterations is None and target is None and seconds is None:
        iterations = _ITERATIONS
    result = run(
        solver,
        iterations=iterations,
        target=target,
        seconds=seconds,
        report=report,
        checkpoint=checkpoint,
        stop=stop,
        stall=stall and sampling is None,
    )
    strategy = solver.strategy()
    return Solution(
        game=tree.game.name,
        digest=tree.digest,
        rule=str(solver.rule) + (f" {sampling}" if sampling else ""),
        strategy=strategy,
        values=tuple(values(tree, strategy).tolist()),
        nash_conv=nash_conv(tree, strategy),
        iterations=result.iterations,
        seconds=result.seconds,
        stopped=result.stopped,
        history=result.history,
        rules=_rules(tree.game),
    )


def make_solver(
    tree: GameTree,
    rule: str | Rule | None = None,
    *,
    seed: int = 0,
    alternating: bool = True,
    sampling: str | None = None,
) -> CfrSolver | SamplingSolver:
    """The engine that `solve` would run, to be run by hand or by `run`."""
    if sampling is None:
        return CfrSolver(tree, "dcfr" if rule is None else rule, alternating=alternating)
    if not alternating:
        raise ValueError(f"sampling {sampling!r} needs alternating updates")
    rng = np.random.default_rng(seed)
    return SamplingSolver(tree, sampling, "cfr" if rule is None else rule, rng=rng)


def load_solution(path: str | Path, game: str | Game | GameTree | None = None) -> Solution:
    """Read a solution; `ValueError` says what is wrong with a file that is not as it was written.

    With `game`, `ValueError` also if it belongs to another one.
    """
    tensors, metadata = read_checked(path, SOLUTION_FORMAT, _SCHEMA, values=False)
    with damage_named(path):
        solution = _read(tensors, metadata)
    if game is not None and (difference := _difference(solution, as_tree(game))):
        raise ValueError(f"{str(path)!r} is a solution of {one_line(solution.game)}, {difference}")
    return solution


def game_of(solution: Solution) -> Game:
    """The game of a solution (see `tree_of`).

    Examples
    --------
    >>> from dataclasses import replace
    >>> from pokerlab.games import load_betting_game
    >>> mine = replace(load_betting_game("kuhn"), name="mine", ante=2)
    >>> game_of(solve(mine, iterations=1)) == mine
    True
    """
    return tree_of(solution).game


def tree_of(solution: Solution) -> GameTree:
    """The tree of the game of a solution.

    The game is the one of the catalogue that has its name, or that of its rules: whose tree has
    the same fingerprint. `ValueError` if none has.
    """
    from pokerlab.games.loading import game_names, load_game

    games: list[Game] = [load_game(solution.game)] if solution.game in game_names() else []
    if solution.rules:
        stored = read_toml(solution.rules, solution.game, "rules of the solution")
        games += [stored] if stored not in games else []
    difference = "which is not in the catalogue, and holds no rules"
    for game in games:
        try:
            tree = GameTree.of(game)
        except ValueError as error:
            difference = f"whose tree cannot be built: {error}"
            continue
        difference = _difference(solution, tree)
        if not difference:
            return tree
    raise ValueError(f"this is a solution of {one_line(solution.game)}, {difference}")


def as_tree(game: str | Game | GameTree) -> GameTree:
    """The tree of a game, of a game in the catalogue, or of a game file."""
    if isinstance(game, GameTree):
        return game
    if isinstance(game, str):
        from pokerlab.games import load_game

        game = load_game(game)
    return GameTree.of(game)


def _rules(game: Game) -> str:
    return write_toml(game) if isinstance(game, BettingGame) else ""


def _refuse_with_lp(**options: object) -> None:
    for name, value in options.items():
        if value is not None:
            raise ValueError(
                f"{name} does not apply to the rule lp: a linear program runs to its end"
            )


def _solve_lp(tree: GameTree) -> Solution:
    from pokerlab.solvers.exact.sequence_form import solve_lp  # SciPy's solver is slow to import

    start = time.perf_counter()
    found = solve_lp(tree)
    seconds = time.perf_counter() - start
    return Solution(
        game=tree.game.name,
        digest=tree.digest,
        rule="lp",
        strategy=found.strategy,
        values=found.values,
        nash_conv=nash_conv(tree, found.strategy),
        iterations=found.iterations,
        seconds=seconds,
        stopped="optimal",
        rules=_rules(tree.game),
    )


def _difference(solution: Solution, tree: GameTree) -> str:
    """Why a solution is not one of this tree; empty if it is."""
    if solution.digest != tree.digest:
        if solution.game != tree.game.name:
            return f"not of {tree.game.name}"
        return "but of other rules than this game has now"
    mine, others = solution.strategy.infosets, tree.infosets
    same = (mine.names, mine.actions) == (others.names, others.actions)
    for name in ("offset", "player", "parent"):
        same = same and np.array_equal(getattr(mine, name), getattr(others, name))
    return "" if same else "but its information sets are not those of this game"


def _write_names(infosets: Infosets) -> str:
    lines = [
        (name, *actions) for name, actions in zip(infosets.names, infosets.actions, strict=True)
    ]
    for infoset, words in enumerate(lines):
        if any("\t" in word or "\n" in word for word in words):
            raise ValueError(
                f"{infosets.describe(infoset)} cannot be saved: "
                "its name or an action has a tab or a new line in it"
            )
    return "\n".join("\t".join(words) for words in lines)


def _read(tensors: Mapping[str, AnyArray], entries: Metadata) -> Solution:
    """Check all that a file holds, the hash last: other messages say more."""
    values = entries.numbers("values")
    solution = Solution(
        game=entries.text("game"),
        digest=entries.text("digest"),
        rule=entries.text("rule"),
        strategy=Strategy(_read_infosets(tensors, len(values)), tensors["strategy"]),
        values=values,
        nash_conv=entries.number("nash_conv"),
        iterations=entries.count("iterations"),
        seconds=entries.number("seconds"),
        stopped=entries.text("stopped"),
        rules=entries.text("rules"),
    )
    claimed = entries.number("exploitability")
    if not isclose(claimed, solution.exploitability, rel_tol=1e-9, abs_tol=1e-12):
        raise ValueError(
            f"exploitability is {claimed:g}, but nash_conv {solution.nash_conv:g} divided by "
            f"{len(values)} players is {solution.exploitability:g}"
        )
    _check_rules(solution)
    check_hash(tensors, entries.entries)
    return solution


def _read_infosets(tensors: Mapping[str, AnyArray], players: int) -> Infosets:
    try:
        text = bytes(tensors["names"]).decode()
    except UnicodeDecodeError:
        raise ValueError("tensor 'names' is not UTF-8 text") from None
    lines = [line.split("\t") for line in text.split("\n")] if text else []
    names = tuple(line[0] for line in lines)
    actions = tuple(tuple(line[1:]) for line in lines)
    _check_unique("information set", names)
    for name, choices in zip(names, actions, strict=True):
        if not choices:
            raise ValueError(f"information set {name!r} has no actions")
        _check_unique(f"information set {name!r}: action", choices)
    infosets = Infosets(tensors["player"], tensors["offset"], tensors["parent"], names, actions)
    expected = np.cumsum([0, *map(len, actions)])
    if not np.array_equal(infosets.offset, expected):
        raise ValueError("tensor 'offset' does not fit the actions that 'names' lists")
    player, parent = infosets.player, infosets.parent
    if len(player) != len(names) or (np.diff(player, prepend=0, append=players - 1) < 0).any():
        raise ValueError(
            f"tensor 'player' must be {len(names)} growing numbers from 0 to {players - 1}"
        )
    if len(parent) != len(names) or (parent < -1).any() or (parent >= expected[:-1]).any():
        raise ValueError(f"tensor 'parent' must be {len(names)} slots before the information sets")
    follows = parent >= 0
    if (infosets.slot_player[parent[follows]] != player[follows]).any():
        raise ValueError("tensor 'parent' names slots of other players")
    return infosets


def _check_unique(what: str, words: Sequence[str]) -> None:
    if len(set(words)) < len(words):
        twice = next(word for word, count in Counter(words).items() if count > 1)
        raise ValueError(f"{what} {twice!r} is there twice")


def _check_rules(solution: Solution) -> None:
    if not solution.rules:
        return
    game = read_toml(solution.rules, solution.game, "rules")
    found = f"{one_line(game.name)} with {game.players} players"
    expected = f"{one_line(solution.game)} with {len(solution.values)} players"
    if found != expected:
        raise ValueError(f"its rules are those of {found}, not of {expected}")
