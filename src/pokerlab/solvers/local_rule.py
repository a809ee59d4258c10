"""`LocalRule`: an update rule with any update of its own, written as one small function.

The rules of `pokerlab.solvers.rules` are seven coefficients. A local rule is a function instead:
it is called at every information set of the player who learns, children before parents, with the
counterfactual values of the actions, and writes the next strategy. Whatever it must remember
from one iteration to the next lies in `memory`.

On explicit trees Numba compiles the function into the loop over the information sets, so it runs
as fast as the rules of the house. On post-flop spots the same compiled function is called hand by
hand, and Python walks from board to board.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from math import inf, nan
from typing import Any, ClassVar, TypeVar

import numba
import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import one_line, shorten
from pokerlab.solvers.rules import Rule, Step

Function = TypeVar("Function", bound=Callable[..., Any])

_ARGUMENTS = "memory, strategy, values, reach, step"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_TOLERANCE = 1e-6
"""How far the probabilities that an update writes may be from a sum of 1."""


@dataclass(frozen=True)
class LocalRule(Rule):
    """A rule with an update of its own: a frozen dataclass with a `name` and `update`.

    Its fields are its numbers, and `update` finds them in ``step``. The answer is the average of
    all strategies, each iteration weighted as `at` says (all the same if it is not written); with
    ``averages = False`` in the class it is the last strategy.

    Attributes
    ----------
    memory
        How many numbers each action keeps between iterations; they begin with 0.

    Examples
    --------
    Hedge: probabilities are proportional to the exponential of the sum of values.

    >>> import numpy as np
    >>> import pokerlab as pl
    >>> @dataclass(frozen=True)
    ... class Hedge(LocalRule):
    ...     name: ClassVar[str] = "hedge"
    ...     rate: float = 20.0
    ...
    ...     @staticmethod
    ...     def update(memory, strategy, values, reach, step):
    ...         memory[0] += values
    ...         rate = step[1] / np.sqrt(step[0])  # the field, and the number of the iteration
    ...         strategy[:] = np.exp(rate * (memory[0] - memory[0].max()))
    ...         strategy /= strategy.sum()
    >>> solution = pl.solve("kuhn", Hedge(), iterations=1000)
    >>> solution.rule, solution.exploitability < 0.02
    ('hedge(20)', True)
    """

    greedy: ClassVar[bool] = True  # what is stored is the strategy itself
    local: ClassVar[bool] = True
    memory: ClassVar[int] = 1

    @staticmethod
    @abstractmethod
    def update(memory: Floats, strategy: Floats, values: Floats, reach: float, step: Floats) -> Any:
        """Write the next strategy of an information set; Numba must be able to compile it.

        Parameters
        ----------
        memory
            (`memory` of the class, actions): what it remembers here; to be changed in place.
        strategy
            The probabilities that were played in this iteration; to be replaced in place.
        values
            The counterfactual value of each action: in chips, times the probability that chance
            and the other players lead here. On spots the chances of the hand and of the cards
            that come are left out.
        reach
            The probability that the player's own actions lead here.
        step
            What `numbers` gives for the iteration: its number, from 1, then the fields.
        """

    def at(self, iteration: int) -> Step:
        """How the average goes on: its only number that counts is `Step.average`."""
        return Step()

    def numbers(self, iteration: int) -> Sequence[float]:
        """What `update` gets as ``step``: the iteration, then the fields (NaN for None)."""
        return (iteration, *(nan if number is None else number for number in astuple(self)))

    def numbers_of(self, first: int, count: int) -> Floats:
        """Those of `count` iterations, the `first` and those after it: a row each."""
        rows = [self.numbers(iteration) for iteration in range(first, first + count)]
        try:
            width = len(rows[0]) if rows else 0
            return np.array(rows, np.float64).reshape(count, width)
        except (TypeError, ValueError):
            raise ValueError(
                f"rule {self.name}: numbers({first}) gave {shorten(repr(rows[0]))}; it must give"
                " as many numbers for every iteration"
            ) from None

    def _bounds(self, field: str) -> tuple[float, float]:
        return -inf, inf

    def check_strategies(self, strategy: Floats, where: str) -> None:
        """`ValueError` unless an update left probabilities: (actions, …)."""
        sums = strategy.sum(axis=0)
        wrong = ~(np.abs(sums - 1) <= _TOLERANCE) | ~(strategy >= 0).all(axis=0)
        if wrong.any():
            bad = np.atleast_2d(strategy.T)[np.flatnonzero(np.atleast_1d(wrong))[0]]
            listed = ", ".join(f"{number:g}" for number in bad)
            raise ValueError(
                f"rule {self.name}: update left {listed} as strategy {where}; they must be at least"
                " 0 and sum to 1"
            )

    def compiled(self) -> Any:
        """The update as a Numba function; `ValueError` of one line if it cannot be one.

        It is tried in plain Python first, where NumPy checks every index: compiled code does not.
        """
        if not isinstance(self.memory, int) or self.memory < 0:
            raise ValueError(
                f"rule {self.name}: memory = {shorten(repr(self.memory))} must be a whole number"
                " from 0 on"
            )
        update = type(self).update
        plain: Callable[..., Any] = getattr(update, "py_func", update)
        for actions in (1, 2, 3):
            memory, strategy = np.zeros((self.memory, actions)), np.full(actions, 1 / actions)
            for iteration, step in enumerate(self.numbers_of(1, 2), 1):
                values = np.arange(actions) / 10 - 0.1
                try:
                    with np.errstate(all="ignore"):
                        plain(memory, strategy, values, 0.5, step)
                except Exception as error:  # people write anything
                    raise ValueError(
                        f"rule {self.name}: update({_ARGUMENTS}) failed in iteration {iteration}"
                        f" with {actions} actions: {type(error).__name__}: {one_line(str(error))}"
                    ) from None
                self.check_strategies(strategy, f"of {actions} actions in iteration {iteration}")
        return _compiled(update, self.name)


def compile_each_time(function: Function) -> Function:
    """Compile a function with Numba without keeping its machine code on disk.

    For an update, which is somebody else's source, and for the loops that it is compiled into.
    """
    made: Function = numba.njit(nogil=True, error_model="numpy")(function)
    return made


@cache
def _compiled(update: Callable[..., Any], name: str) -> Any:
    if hasattr(update, "py_func"):
        return update
    made: Any = compile_each_time(update)
    row, table = numba.float64[::1], numba.float64[:, :]
    try:
        made.compile((table, row, row, numba.float64, row))
    except Exception as error:  # Numba's own errors have no common class
        raise ValueError(
            f"rule {name}: Numba cannot compile update: {_reason(str(error))}; it may use numbers,"
            " loops, and NumPy functions of arrays"
        ) from None
    return made


def _reason(text: str) -> str:
    """What an error of Numba says, in one line: the first that is not about its own steps."""
    lines = [line.strip() for line in _COLOURS.sub("", text).splitlines()]
    told = [line for line in lines if line and not line.startswith(("Failed in", "During:"))]
    return one_line(told[0], 160) if told else "it does not say why"
